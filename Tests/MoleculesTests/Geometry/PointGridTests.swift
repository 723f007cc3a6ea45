import Testing

@testable import Molecules

struct PointGridTests {
  /// Returns points from a random number generator with a fixed seed.
  private func points(_ count: Int, in size: Float) -> [SIMD3<Float>] {
    var state: UInt64 = 42
    func next() -> Float {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Float(state >> 40) / Float(1 << 24) * size
    }
    return (0..<count).map { _ in SIMD3(next() - size / 2, next(), next() * 3) }
  }

  private func near(_ points: [SIMD3<Float>], _ place: SIMD3<Float>, _ distance: Float) -> [Int] {
    points.indices.filter { ((points[$0] - place) * (points[$0] - place)).sum() <= distance * distance }
  }

  @Test(arguments: [(Float(2), Float(2)), (2, 5), (7, 1.5), (100, 3)])
  func `every point within a distance is visited once`(edge: Float, distance: Float) {
    let points = points(700, in: 20)
    let grid = PointGrid(points, edge: edge)
    var wrong = 0
    for place in points + [SIMD3(-30, 0, 0), SIMD3(0, 10, 90)] {
      var met: [Int] = []
      grid.forEachPoint(near: place, within: distance) { met.append($0) }
      if grid.pointCount(near: place, within: distance) != met.count || Set(met).count != met.count { wrong += 1 }
      if !Set(met).isSuperset(of: near(points, place, distance)) { wrong += 1 }
    }
    #expect(wrong == 0)
  }

  @Test func `points with faulty coordinates are not visited, and a grid can be empty`() {
    let points: [SIMD3<Float>] = [.zero, SIMD3(.nan, 0, 0), SIMD3(0, .infinity, 0), SIMD3(1e30, 0, 0), SIMD3(1, 0, 0)]
    let grid = PointGrid(points, edge: 3)
    var met: [Int] = []
    grid.forEachPoint(near: .zero, within: 2) { met.append($0) }
    #expect(met == [0, 4])
    grid.forEachPoint(near: SIMD3(.nan, 0, 0), within: 2) { met.append($0) }
    PointGrid([], edge: 1).forEachPoint(near: .zero, within: 1) { met.append($0) }
    #expect(met == [0, 4])
  }

  @Test func `distant points use no more memory than near ones`() {
    let grid = PointGrid([.zero, SIMD3(1e12, -1e12, 1e12)], edge: 0.01)
    var met: [Int] = []
    grid.forEachPoint(near: SIMD3(1e12, -1e12, 1e12), within: 1) { met.append($0) }
    #expect(met.contains(1))
  }
}
