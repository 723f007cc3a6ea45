@testable import PathCase

extension FluxProblem {
  /// Returns a problem of a few reactions, some of which must run.
  static func small(seed: Int) -> FluxProblem {
    var random = seed &* 2_654_435_761 &+ 12345
    func next(_ count: Int) -> Int {
      random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(UInt(bitPattern: random) >> 33) % count
    }
    let rows = 3 + next(5)
    let columns = (0..<(rows + 2 + next(5))).map { _ -> [(row: Int, amount: Double)] in
      let places = Set((0..<(1 + next(3))).map { _ in next(rows) }).sorted()
      return places.map { ($0, Double([-2, -1, 1, 3][next(4)])) }
    }
    return FluxProblem(
      rows: rows, columns: columns, lower: columns.map { _ in Double([-10, -1, 0, 0, 0, 0, 0, 1][next(8)]) },
      upper: columns.map { _ in Double([1, 5, 10, 10][next(4)]) }, weights: columns.map { _ in Double(next(3)) },
      isMaximized: true)
  }

  /// Returns the solution without some reactions, from the whole problem with bounds of 0.
  func solution(without deleted: [Int]) throws -> FluxSolution {
    var less = self
    for reaction in deleted { (less.lower[reaction], less.upper[reaction]) = (0, 0) }
    return try FluxAnalysis.solve(less)
  }
}
