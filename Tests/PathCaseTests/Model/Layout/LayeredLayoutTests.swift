import Testing

@testable import PathCase

struct LayeredLayoutTests {
  @Test func `nodes do not overlap, and edges begin and end at their borders`() {
    for graph in [SampleGraphs.ring(24), SampleGraphs.ladder(30), SampleGraphs.odd] {
      let layout = LayeredLayout.layout(graph)
      #expect(layout.places.count == graph.nodes.count)
      #expect(SampleGraphs.overlaps(layout).isEmpty)
      #expect(layout.routes.allSatisfy { SampleGraphs.touches($0, layout) })
      #expect(layout.places.allSatisfy { $0.frame.x >= $0.frame.width / 2 && $0.frame.x <= layout.width })
    }
  }

  @Test func `a cycle and a ladder are drawn without crossings`() {
    #expect(LayeredLayout.layout(SampleGraphs.ring(24)).crossings == 0)
    #expect(LayeredLayout.layout(SampleGraphs.ladder(30)).crossings == 0)
  }

  @Test func `a chain goes down the page`() {
    let layout = LayeredLayout.layout(SampleGraphs.chain(9))
    let heights = layout.places.map(\.frame.y)
    #expect(heights == heights.sorted() && Set(heights).count == 9)
    #expect(Set(layout.places.map(\.frame.x)).count == 1)
  }

  @Test func `opposite edges are one route`() {
    var graph = SampleGraphs.chain(3)
    graph.edges.append(GraphEdge(source: 1, target: 0))
    let layout = LayeredLayout.layout(graph)
    #expect(layout.routes.count == 2)
    #expect(layout.routes[0].opposite == 2)
  }

  @Test func `common molecules are hidden, or drawn beside each process`() {
    let graph = SampleGraphs.withCommon
    var options = LayoutOptions()
    options.common = .hidden
    #expect(LayeredLayout.layout(graph, options: options).places.map(\.node) == [0, 1, 2, 3, 4])
    options.common = .beside
    let layout = LayeredLayout.layout(graph, options: options)
    #expect(layout.places.filter { $0.node == 5 }.map(\.clone) == [0, 1])
    #expect(layout.routes.count == graph.edges.count)
  }

  @Test func `the layout is the same on every thread`() async {
    let graph = SampleGraphs.tangle(60)
    let first = LayeredLayout.layout(graph)
    let others = await withTaskGroup(of: GraphLayout.self) { group in
      for _ in 0..<8 { group.addTask { LayeredLayout.layout(graph) } }
      return await group.reduce(into: []) { $0.append($1) }
    }
    #expect(others.allSatisfy { $0 == first })
  }

  @Test func `a canceled or oversized layout is coarse`() {
    let layout = LayeredLayout.layout(SampleGraphs.tangle(300), shouldStop: { true })
    #expect(layout.isCoarse && layout.places.count == 300)
    var options = LayoutOptions()
    options.effort = 1000
    let isCoarse = LayeredLayout.layout(SampleGraphs.tangle(300), options: options).isCoarse
    #expect(isCoarse)
    let isSmallCoarse = LayeredLayout.layout(SampleGraphs.tangle(60)).isCoarse
    #expect(!isSmallCoarse)
  }

  @Test func `an empty graph and a single node have layouts`() {
    let empty = LayeredLayout.layout(ReactionGraph())
    #expect(empty.places.isEmpty && empty.width == 0)
    let single = LayeredLayout.layout(SampleGraphs.chain(1))
    #expect(single.places.count == 1 && single.width > 0 && single.height > 0)
  }

  @Test func `edges to missing nodes and loops are left out`() {
    var graph = SampleGraphs.chain(3)
    graph.edges += [GraphEdge(source: 0, target: 9), GraphEdge(source: 1, target: 1), GraphEdge(source: -1, target: 1)]
    #expect(LayeredLayout.layout(graph).routes.count == 2)
  }

  @Test func `a chain of 20 000 nodes needs no deep stack`() {
    let layout = LayeredLayout.layout(SampleGraphs.chain(20_000))
    #expect(layout.places.count == 20_000 && layout.crossings == 0)
  }

  @Test func `compartments have frames side by side around their nodes`() throws {
    let graph = SampleGraphs.compartments
    let layout = LayeredLayout.layout(graph)
    let frames = layout.compartments.compactMap { $0.map(LayoutBounds.init) }
    try #require(frames.count == 3)
    #expect(frames[0].left <= frames[1].left && frames[0].right >= frames[2].right)
    #expect(frames[1].right < frames[2].left || frames[2].right < frames[1].left)
    let walls = graph.membranes(CompartmentOrder.parents(graph))
    for place in layout.places {
      if let wall = walls[place.node] {
        #expect(abs(place.frame.x - frames[wall].left) < 1)
        continue
      }
      let owner = try #require(graph.nodes[place.node].compartment)
      let node = LayoutBounds(place.frame)
      for (index, frame) in frames.enumerated() {
        let isIn = node.left >= frame.left && node.right <= frame.right && node.top >= frame.top
        if index == owner || index == 0 {
          #expect(isIn)
        } else {
          #expect(node.left > frame.right || node.right < frame.left)
        }
      }
    }
  }

  @Test func `the order from left to right follows earlier positions`() {
    let graph = SampleGraphs.tangle(40)
    let first = LayeredLayout.layout(graph)
    var options = LayoutOptions()
    for place in first.places { options.earlier[graph.nodes[place.node].id] = place.frame }
    let again = LayeredLayout.layout(graph, options: options)
    let third = LayeredLayout.layout(graph, options: options)
    #expect(again == third)
    var larger = graph
    larger.nodes.append(GraphNode(id: "new", label: "new", kind: .process))
    larger.edges.append(GraphEdge(source: 3, target: 40))
    for place in again.places { options.earlier[graph.nodes[place.node].id] = place.frame }
    let grown = LayeredLayout.layout(larger, options: options)
    var kept = 0
    var all = 0
    for (index, one) in again.places.enumerated() {
      for other in again.places.indices.dropFirst(index + 1) where again.places[other].frame.y == one.frame.y {
        all += 1
        let wasLeft = one.frame.x < again.places[other].frame.x
        if wasLeft == (grown.places[index].frame.x < grown.places[other].frame.x) { kept += 1 }
      }
    }
    #expect(all > 10 && kept * 10 >= all * 8)
  }
}
