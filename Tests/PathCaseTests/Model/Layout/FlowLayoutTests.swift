import Testing

@testable import PathCase

struct FlowLayoutTests {
  @Test func `a cycle is drawn as a ring with its entry at the top`() {
    let graph = SampleGraphs.cycle(8, entering: true)
    let layout = LayeredLayout.layout(graph)
    let heights = layout.places.map(\.frame.y)
    #expect(layout.crossings == 0)
    #expect(heights[16] == heights.min() && heights[9] == heights[0..<16].min())
    // Each row has two vertices of the ring, except for its top and bottom.
    let rows = Dictionary(grouping: heights[0..<16], by: { $0 }).values.map(\.count).sorted()
    #expect(rows == [1, 1] + [Int](repeating: 2, count: 7))
  }

  @Test func `half of a cycle goes down and the other up`() {
    let lines = LayoutNet(SampleGraphs.cycle(6, entering: false), options: LayoutOptions()).lines
    let rings = RingFinder(count: 12, lines: lines)
    #expect(rings.isTurned.count { $0 } == 6 && rings.isOnRing == [Bool](repeating: true, count: 12))
    let small = LayoutNet(SampleGraphs.ring(4), options: LayoutOptions()).lines
    #expect(!RingFinder(count: 4, lines: small).isTurned.contains(true))
  }

  @Test func `layers minimize the lengths of edges`() {
    // A chain of five, and a vertex that only the last of them needs.
    let lines = [(0, 1), (1, 2), (2, 3), (3, 4), (5, 4)].map { LayerSimplex.Line(upper: $0.0, lower: $0.1, weight: 1) }
    var simplex = LayerSimplex(layer: [0, 1, 2, 3, 4, 0], lines: lines)
    simplex.run(exchanges: 100)
    #expect(simplex.layer[4] - simplex.layer[5] == 1 && simplex.layer[4] - simplex.layer[0] == 4)
  }

  @Test func `the sum of edge lengths is minimal`() {
    for seed in 0..<30 {
      var lines: [LayerSimplex.Line] = []
      for upper in 0..<7 {
        for lower in upper + 1..<8 {
          let isChosen = (upper * 31 + lower * 17 + seed * 7) % 5 < 2
          guard isChosen || lower == upper + 1 else { continue }
          lines.append(LayerSimplex.Line(upper: upper, lower: lower, weight: 1 + (upper + lower + seed) % 3))
        }
      }
      var simplex = LayerSimplex(layer: Array(0..<8), lines: lines)
      simplex.run(exchanges: 1000)
      let layer = simplex.layer
      #expect(lines.allSatisfy { layer[$0.lower] > layer[$0.upper] })
      // At the minimum, moving no set of vertices down by one reduces the sum.
      for mask in 1..<255 {
        let moved = layer.indices.map { layer[$0] + (mask >> $0 & 1) }
        if lines.contains(where: { moved[$0.lower] <= moved[$0.upper] }) { continue }
        #expect(sum(lines, moved) >= sum(lines, layer), "seed \(seed), \(mask)")
      }
    }
  }

  private func sum(_ lines: [LayerSimplex.Line], _ layer: [Int]) -> Int {
    lines.reduce(0) { $0 + $1.weight * (layer[$1.lower] - layer[$1.upper]) }
  }

  @Test func `a side molecule of several processes is drawn beside each`() {
    var graph = SampleGraphs.chain(7)
    graph.nodes.append(GraphNode(id: "side", label: "side", kind: .pool, isPrimary: false))
    graph.edges += [1, 3, 5].map { GraphEdge(source: 7, target: $0) }
    let layout = LayeredLayout.layout(graph)
    #expect(layout.places.filter { $0.node == 7 }.map(\.clone) == [0, 1, 2])
    #expect(layout.routes.count == graph.edges.count)
    var options = LayoutOptions()
    options.clonesSideMolecules = false
    #expect(LayeredLayout.layout(graph, options: options).places.count == 8)
  }

  @Test func `a regulator is drawn beside its process and stays in the main chain`() {
    var graph = SampleGraphs.chain(9)
    graph.edges.append(GraphEdge(source: 8, target: 1, kind: .inhibition))
    let layout = LayeredLayout.layout(graph)
    #expect(layout.places.filter { $0.node == 8 }.map(\.clone) == [0, 1])
    let heights = (0..<9).compactMap { node in layout.places.first { $0.node == node }?.frame.y }
    #expect(heights == heights.sorted())
  }

  @Test func `a transport is placed on the wall between the compartments it joins`() throws {
    var graph = SampleGraphs.chain(3)
    graph.compartments = [
      GraphCompartment(id: "a", name: "a", parent: nil), GraphCompartment(id: "b", name: "b", parent: nil),
    ]
    graph.nodes[0].compartment = 0
    graph.nodes[2].compartment = 1
    let layout = LayeredLayout.layout(graph)
    let first = LayoutBounds(try #require(layout.compartments[0]))
    let second = LayoutBounds(try #require(layout.compartments[1]))
    let transport = LayoutBounds(layout.places[1].frame)
    #expect(transport.left > first.right && abs(layout.places[1].frame.x - second.left) < 1)
    #expect(layout.places[2].frame.x - layout.places[2].frame.width / 2 > transport.right)
  }

  @Test func `a link to another pathway is drawn in the compartment of its pool`() throws {
    var graph = SampleGraphs.compartments
    graph.nodes.append(GraphNode(id: "w", label: "another", kind: .pathway, isPrimary: false))
    graph.edges.append(GraphEdge(source: 6, target: 12, kind: .association))
    let layout = LayeredLayout.layout(graph)
    let frame = LayoutBounds(try #require(layout.compartments[1]))
    let place = LayoutBounds(layout.places[12].frame)
    #expect(place.left > frame.left && place.right < frame.right && place.bottom < frame.bottom)
  }

  @Test func `large tangles are laid out without overlaps and with all edges`() {
    let graph = SampleGraphs.tangle(150)
    let layout = LayeredLayout.layout(graph)
    #expect(SampleGraphs.overlaps(layout).isEmpty)
    #expect(layout.routes.allSatisfy { SampleGraphs.touches($0, layout) })
    #expect(layout.places.allSatisfy { $0.frame.x >= $0.frame.width / 2 && $0.frame.x <= layout.width })
    #expect(DrawingProbe(TextDrawing(graph, layout), layout).problems.isEmpty)
  }

  @Test func `an added node leaves the others in their rows`() {
    for graph in [SampleGraphs.tangle(40), SampleGraphs.ladder(20), SampleGraphs.cycle(8, entering: true)] {
      let first = LayeredLayout.layout(graph)
      var options = LayoutOptions()
      for place in first.places { options.earlier[graph.nodes[place.node].id] = place.frame }
      var larger = graph
      larger.nodes.append(GraphNode(id: "new", label: "new", kind: .process))
      larger.edges.append(GraphEdge(source: 3, target: graph.nodes.count))
      let grown = LayeredLayout.layout(larger, options: options)
      #expect(SampleGraphs.overlaps(grown).isEmpty)
      let rows = Set(first.places.map(\.frame.y)).sorted()
      let newRows = Set(grown.places.dropLast().map(\.frame.y)).sorted()
      #expect(rows.count == newRows.count && grown.places.count == first.places.count + 1)
      for (old, new) in zip(first.places, grown.places) {
        #expect(rows.firstIndex(of: old.frame.y) == newRows.firstIndex(of: new.frame.y))
      }
    }
  }
}

extension FlowLayoutTests {
  @Test func `reversible steps follow the direction of irreversible ones`() {
    // The middle of the chain is written against the flow, as in a pathway that runs another's steps backward.
    var graph = SampleGraphs.chain(11)
    for edge in 2..<8 {
      let old = graph.edges[edge]
      graph.edges[edge] = GraphEdge(source: old.target, target: old.source, isReversible: true)
    }
    let heights = LayeredLayout.layout(graph).places.map(\.frame.y)
    #expect(heights == heights.sorted() && Set(heights).count == 11)
    let lines = LayoutNet(graph, options: LayoutOptions()).lines
    #expect(FlowPotential(count: 11, lines: lines).isTurned == (0..<10).map { (2..<8).contains($0) })
  }

  @Test func `without irreversible steps, reversible steps keep their stated direction`() {
    var graph = SampleGraphs.chain(6)
    for edge in graph.edges.indices { graph.edges[edge].isReversible = true }
    let lines = LayoutNet(graph, options: LayoutOptions()).lines
    #expect(!FlowPotential(count: 6, lines: lines).isTurned.contains(true))
  }

  @Test func `the top of a cycle is where its irreversible edges start`() {
    // A ring of eight pools, of which three steps in sequence are irreversible.
    var graph = SampleGraphs.ring(16)
    for edge in graph.edges.indices { graph.edges[edge].isReversible = !(6..<12).contains(edge) }
    let lines = LayoutNet(graph, options: LayoutOptions()).lines
    let turned = RingFinder(count: 16, lines: lines).isTurned
    #expect(turned.count { $0 } == 8)
    #expect(lines.indices.allSatisfy { lines[$0].isReversible || !turned[$0] })
    #expect(!RingFinder(count: 16, lines: lines, top: .none).isTurned.contains(true))
  }

  @Test func `a parallel path beside the rising half of a cycle rises too`() {
    var graph = SampleGraphs.cycle(8, entering: true)
    let rings = RingFinder(count: 17, lines: LayoutNet(graph, options: LayoutOptions()).lines)
    let rising = graph.edges.indices.first { rings.isTurned[$0] && graph.nodes[graph.edges[$0].source].kind == .pool }
    guard let rising else {
      Issue.record("no half of the ring rises")
      return
    }
    let (from, to) = (graph.edges[rising].source, (graph.edges[rising].target + 1) % 16)
    graph.nodes.append(GraphNode(id: "twin", label: "twin", kind: .process))
    graph.edges += [GraphEdge(source: from, target: 17), GraphEdge(source: 17, target: to)]
    let turned = RingFinder(count: 18, lines: LayoutNet(graph, options: LayoutOptions()).lines).isTurned
    #expect(turned.suffix(2) == [true, true])
    let layout = LayeredLayout.layout(graph)
    #expect(layout.places[17].frame.y == layout.places[graph.edges[rising].target].frame.y)
  }

  @Test func `a chain stays straight beside its branches`() {
    // Each pool of a chain of eight steps is also used by a process that leads nowhere else.
    var graph = SampleGraphs.chain(17)
    for pool in stride(from: 0, to: 16, by: 2) {
      let node = graph.nodes.count
      graph.nodes += [
        GraphNode(id: Identifier("p\(pool)"), label: "branch", kind: .process),
        GraphNode(id: Identifier("m\(pool)"), label: "a molecule with a long name", kind: .pool),
      ]
      graph.edges += [GraphEdge(source: pool, target: node), GraphEdge(source: node, target: node + 1)]
    }
    let layout = LayeredLayout.layout(graph)
    #expect(Set(layout.places.prefix(17).map(\.frame.x)).count == 1)
    #expect(SampleGraphs.overlaps(layout).isEmpty)
  }
}
