import Testing

@testable import PathCase

struct CrossingCountTests {
  private typealias Point = FrozenPath.Point

  @Test func `edges that touch or share an end do not cross`() {
    let cross = [[Point(x: 0, y: 0), Point(x: 2, y: 2)], [Point(x: 2, y: 0), Point(x: 0, y: 2)]]
    #expect(CrossingCount.pairs(cross, ends: [(0, 1), (2, 3)]).count == 1)
    #expect(CrossingCount.pairs(cross, ends: [(0, 1), (2, 1)]).count == 0)
    let touch = [[Point(x: 0, y: 0), Point(x: 2, y: 0)], [Point(x: 1, y: 0), Point(x: 1, y: 2)]]
    #expect(CrossingCount.pairs(touch, ends: [(0, 1), (2, 3)]).count == 0)
  }

  @Test func `edges that cross twice count once`() {
    let lines = [
      [Point(x: 0, y: 1), Point(x: 9, y: 1)],
      [Point(x: 1, y: 0), Point(x: 2, y: 2), Point(x: 3, y: 0)],
    ]
    #expect(CrossingCount.pairs(lines, ends: [(0, 1), (2, 3)]).count == 1)
  }

  @Test func `the count equals a comparison of all pairs`() {
    var state: UInt64 = 7
    func next() -> Double {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Double(state >> 40) / 1000
    }
    let lines = (0..<60).map { _ in (0..<4).map { _ in Point(x: next(), y: next()) } }
    let ends = (0..<60).map { (2 * $0, 2 * $0 + 1) }
    var expected = 0
    for first in lines.indices {
      for second in first + 1..<lines.count {
        expected += CrossingCount.pairs([lines[first], lines[second]], ends: [(0, 1), (2, 3)]).count
      }
    }
    #expect(CrossingCount.pairs(lines, ends: ends).count == expected && expected > 100)
  }

  @Test func `a layout counts the crossings of its routes`() {
    for graph in [SampleGraphs.tangle(80), SampleGraphs.odd, SampleGraphs.scattered(30)] {
      let layout = LayeredLayout.layout(graph)
      let again = CrossingCount.pairs(layout.routes.map(\.points), ends: layout.routes.map { ($0.source, $0.target) })
        .count
      #expect(layout.crossings == again)
    }
  }

  @Test func `edges that all cross each other are counted up to a limit`() {
    // Forty lines from top to bottom with their ends in opposite order: each crosses each.
    let lines = (0..<40).map { [FrozenPath.Point(x: Double($0), y: 0), FrozenPath.Point(x: Double(40 - $0), y: 100)] }
    let ends = (0..<40).map { (2 * $0, 2 * $0 + 1) }
    let whole = CrossingCount.pairs(lines, ends: ends)
    #expect(whole.isWhole && whole.count == 780)
    for most in [(found: 100, looks: 100_000), (found: 100_000, looks: 100)] {
      let cut = CrossingCount.pairs(lines, ends: ends, most: most)
      #expect(!cut.isWhole && cut.count >= 50 && cut.count < 200)
    }
  }
}
