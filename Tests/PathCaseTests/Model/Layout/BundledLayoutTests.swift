import TestSupport
import Testing

@testable import PathCase

/// The readability of the bundled pathways' layouts.
struct BundledLayoutTests {
  private struct Page {
    var graph: ReactionGraph
    var layout: GraphLayout

    /// Returns the frame of the node that represents an id.
    func place(_ id: Identifier) -> GraphFrame? {
      guard let node = graph.nodes.firstIndex(where: { $0.subject == id }) else { return nil }
      return layout.places.first { $0.node == node }?.frame
    }
  }

  /// Returns a pathway laid out for a picture.
  private func page(_ id: Identifier) throws -> Page {
    let database = try BundledDatabase.linked.get()
    let pathway = try #require(database.pathways.firstIndex { $0.id == id })
    return page(of: database.graph(ofPathway: pathway))
  }

  private func page(of graph: ReactionGraph) -> Page {
    let parts = PictureParts(graph, hidesCommon: false, isStored: false)
    return Page(
      graph: parts.graph, layout: LayeredLayout.layout(parts.graph, options: parts.options(isStored: false)))
  }

  /// Returns the pairs of disjoint compartments whose frames overlap.
  private func clashes(_ page: Page) -> [String] {
    let parents = CompartmentOrder(page.graph, nodes: []).parents
    func isAround(_ outer: Int, _ inner: Int) -> Bool {
      var next = parents[inner]
      while let one = next {
        if one == outer { return true }
        next = parents[one]
      }
      return false
    }
    let frames = page.layout.compartments.map { $0.map { LayoutBounds($0) } }
    var found: [String] = []
    for (one, first) in frames.enumerated() {
      for (other, second) in frames.enumerated().dropFirst(one + 1) {
        guard let first, let second, !isAround(one, other), !isAround(other, one) else { continue }
        let width = min(first.right, second.right) - max(first.left, second.left)
        let height = min(first.bottom, second.bottom) - max(first.top, second.top)
        if width > -1, height > -1 { found.append("\(page.graph.compartments[one].name), \(other)") }
      }
    }
    return found
  }

  @Test func `in all bundled pathways frames are disjoint or nested, and few edges cross`() throws {
    let database = try BundledDatabase.linked.get()
    var crossings = 0
    for pathway in database.pathways.indices {
      let page = page(of: database.graph(ofPathway: pathway))
      #expect(clashes(page).isEmpty, "\(page.graph.id): \(clashes(page))")
      crossings += page.layout.crossings
      if page.graph.id == "w-urea" { #expect(page.layout.crossings <= 8) }
    }
    // The crossings of all 46 pathways; there were 111 before orders were tried from several starts.
    #expect(crossings <= 80)
  }

  @Test func `frames of random nested compartments are disjoint or nested`() {
    for seed in 0..<200 {
      var graph = SampleGraphs.random(UInt64(seed))
      for node in graph.nodes.indices { graph.nodes[node].frame = nil }
      let page = Page(graph: graph, layout: LayeredLayout.layout(graph))
      #expect(clashes(page).isEmpty, "seed \(seed): \(clashes(page))")
    }
  }

  @Test func `glycolysis is one straight line from triose phosphate to lactate`() throws {
    let page = try page("w-glycolysis")
    let ids: [Identifier] = [
      "r-gapdh-liver", "p-bpg13-liver-cyt", "r-pgk-liver", "p-pg3-liver-cyt", "r-pgam-liver", "p-pg2-liver-cyt",
      "r-eno-liver", "p-pep-liver-cyt",
    ]
    let frames = try ids.map { try #require(page.place($0), "\($0)") }
    #expect(Set(frames.map(\.x)).count == 1)
    #expect(frames.map(\.y) == frames.map(\.y).sorted())
  }

  @Test func `irreversible steps of the pentose phosphate pathway go down and its exchanges lead back up`() throws {
    let page = try page("w-pentose-phosphate")
    let ids: [Identifier] = [
      "p-g6p-liver-cyt", "r-g6pd-liver", "p-pgl6-liver-cyt", "r-pgls-liver", "p-pgc6-liver-cyt", "r-pgd-liver",
      "p-ru5p-liver-cyt",
    ]
    let heights = try ids.map { try #require(page.place($0), "\($0)").y }
    #expect(heights == heights.sorted() && Set(heights).count == ids.count)
    #expect(heights[0] == page.layout.places.filter { $0.beside == nil }.map(\.frame.y).min())
  }

  @Test func `the citrate cycle is drawn as a cycle without crossings, with succinyl-CoA at the bottom`() throws {
    let page = try page("w-tca")
    func height(_ id: Identifier) throws -> Double { try #require(page.place(id), "\(id)").y }
    let down = try ["p-oaa-liver-mit", "p-cit-liver-mit", "p-icit-liver-mit", "p-akg-liver-mit"].map { try height($0) }
    #expect(down == down.sorted() && Set(down).count == 4)
    let up = try ["p-succoa-liver-mit", "p-succ-liver-mit", "p-fum-liver-mit", "p-mal-liver-mit", "p-oaa-liver-mit"]
      .map { try height($0) }
    #expect(up == up.sorted(by: >) && Set(up).count == 5)
    #expect(page.layout.crossings == 0)
  }

  @Test func `a reaction is drawn in the compartment of its substrates, not of its regulators`() throws {
    // Heme outside the mitochondrion inhibits the synthase inside.
    let page = try page("w-haem")
    let matrix = try #require(page.graph.nodes.first { $0.subject == "p-ala5-liver-mit" }?.compartment)
    let synthase = try #require(page.graph.nodes.first { $0.label == "5-Aminolevulinate synthase" })
    #expect(synthase.compartment == matrix)
  }
}
