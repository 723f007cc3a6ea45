import Testing

@testable import Molecules

struct AtomSelectionTests {
  @Test(arguments: [(0, 0), (0, 1), (0, 64), (63, 65), (1, 127), (64, 128), (100, 200), (0, 200)])
  func `a range of atoms is selected`(start: Int, end: Int) {
    let selection = AtomSelection(atomCount: 200, range: start..<end)
    #expect(selection.atoms == Array(start..<end))
    #expect(selection.count == end - start)
    #expect(selection == AtomSelection(atomCount: 200, range: 0..<200) { (start..<end).contains($0) })
    #expect(selection.count(in: 60..<70) == Array(start..<end).filter { (60..<70).contains($0) }.count)
    #expect(selection.intersects(60..<70) == (start < 70 && end > 60 && start < end))
    #expect(selection.first == (start < end ? start : nil))
  }

  @Test func `sets are united, intersected and subtracted`() {
    var set = AtomSelection(atomCount: 100, range: 10..<80)
    set.subtract(AtomSelection(atomCount: 100, range: 20..<70))
    #expect(set.count == 20)
    set.formUnion(AtomSelection(atomCount: 100, range: 90..<100))
    set.formIntersection(AtomSelection(atomCount: 100, range: 75..<95))
    #expect(set.atoms == Array(75..<80) + Array(90..<95))
    #expect(!set[-1] && !set[100] && set[75] && !set[74])
  }

  @Test func `a tree of points finds what a search of all points finds`() {
    var state: UInt64 = 7
    func number() -> Double {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Double(state >> 40) / Double(1 << 24) * 40
    }
    var table = AtomTable()
    table.x = (0..<700).map { _ in number() } + [Double](repeating: 5, count: 100) + [.nan, .infinity]
    table.y = (0..<700).map { _ in number() } + [Double](repeating: 5, count: 100) + [0, 0]
    table.z = (0..<700).map { _ in number() } + [Double](repeating: 5, count: 100) + [0, 0]
    let tree = ProximityTree(table, Array(stride(from: 0, to: table.count, by: 3)))
    var wrong = 0
    for atom in 0..<table.count {
      for radius in [0, 0.5, 2, 10, 100] {
        let place = table.position(atom)
        let expected = stride(from: 0, to: table.count, by: 3).contains { other in
          let step = table.position(other) - place
          return (step * step).sum() <= radius * radius
        }
        if tree.hasPoint(near: place, radius: radius) != expected { wrong += 1 }
      }
    }
    #expect(wrong == 0)
    var worst = 0.0
    for atom in 0..<800 {
      let place = table.position(atom)
      let expected = stride(from: 0, to: table.count, by: 3).map { other -> Double in
        let step = table.position(other) - place
        return (step * step).sum()
      }.filter { $0 < .infinity }.min()
      let found = tree.nearest(to: place, within: .infinity)?.square
      worst = max(worst, abs((found ?? -1) - (expected ?? -2)))
    }
    #expect(worst == 0)
    #expect(tree.nearest(to: SIMD3(1000, 0, 0), within: 100) == nil)
    #expect(!ProximityTree(table, []).hasPoint(near: .zero, radius: 100))
  }
}
