import Testing

@testable import PathCase

/// Transports and complexes on the walls of compartments.
struct MembraneTests {
  private func graph(_ id: Identifier) throws -> ReactionGraph {
    let database = try BundledDatabase.linked.get()
    let pathway = try #require(database.pathways.firstIndex { $0.id == id })
    return database.graph(ofPathway: pathway)
  }

  private func laidOut(_ graph: ReactionGraph) -> (parts: PictureParts, layout: GraphLayout) {
    let parts = PictureParts(graph, hidesCommon: false, isStored: false)
    return (parts, LayeredLayout.layout(parts.graph, options: parts.options(isStored: false)))
  }

  @Test func `in all pathways transports are placed on the wall of the innermost compartment they join`() throws {
    let database = try BundledDatabase.linked.get()
    var count = 0
    for pathway in database.pathways.indices {
      let (parts, layout) = laidOut(database.graph(ofPathway: pathway))
      let walls = parts.graph.membranes(CompartmentOrder.parents(parts.graph))
      for place in layout.places {
        guard let inner = walls[place.node], let frame = layout.compartments[inner] else { continue }
        let (name, box) = (parts.graph.nodes[place.node].label, LayoutBounds(frame))
        #expect(abs(place.frame.x - box.left) < 1, "\(name) in \(parts.graph.id)")
        #expect(place.frame.y > box.top && place.frame.y < box.bottom, "\(name) in \(parts.graph.id)")
        count += 1
      }
    }
    #expect(count > 50)
  }

  @Test func `the complexes of the respiratory chain span the inner membrane`() throws {
    let graph = try graph("w-respiration")
    let walls = graph.membranes(CompartmentOrder.parents(graph))
    func wall(_ prefix: String) throws -> String? {
      let node = try #require(graph.nodes.firstIndex { $0.kind == .process && $0.label.hasPrefix(prefix) })
      return walls[node].map { graph.compartments[$0].name }
    }
    for name in [
      "Complex I ", "Succinate dehydrogenase (complex II)", "Complex III", "Complex IV", "Complex V",
      "ETF dehydrogenase", "Proton leak", "ADP/ATP carrier",
    ] {
      #expect(try wall(name) == "Mitochondrial matrix", "\(name)")
    }
    #expect(try wall("Glycerol-3-phosphate dehydrogenase, cytosolic") == nil)
  }

  @Test func `complex II is drawn on the inner membrane as a square with its molecules inside`() throws {
    let database = try BundledDatabase.linked.get()
    var count = 0
    for pathway in database.pathways.indices {
      let (parts, layout) = laidOut(database.graph(ofPathway: pathway))
      let walls = parts.graph.membranes(CompartmentOrder.parents(parts.graph))
      for place in layout.places where parts.graph.nodes[place.node].label.contains("(complex II)") {
        let matrix = try #require(walls[place.node])
        let frame = try #require(layout.compartments[matrix])
        #expect(parts.graph.compartments[matrix].name == "Mitochondrial matrix", "\(parts.graph.id)")
        #expect(abs(place.frame.x - LayoutBounds(frame).left) < 1, "\(parts.graph.id)")
        #expect(!parts.transports.contains(place.node), "\(parts.graph.id)")
        let sides = parts.sides[place.node] ?? PictureParts.Sides()
        let areInside = (sides.used + sides.made).allSatisfy(\.isInside)
        #expect(areInside, "\(parts.graph.id)")
        count += 1
      }
    }
    #expect(count >= 5)
  }

  @Test(arguments: [
    ("ubiquinone", "x", true), ("Menaquinol 8", "x", true), ("Q8", "M_q8_c", true), ("Ferricytochrome c", "x", false),
  ])
  func `an enzyme that reduces or oxidizes a quinone is in the membrane`(name: String, id: String, isInMembrane: Bool) {
    var graph = SampleGraphs.chain(3)
    graph.compartments = [GraphCompartment(id: "m", name: "m")]
    for node in graph.nodes.indices { graph.nodes[node].compartment = 0 }
    graph.nodes.append(
      GraphNode(id: Identifier(id), label: name, kind: .pool, compartment: 0, isPrimary: false))
    for kind in [GraphEdge.Kind.inhibition, .flow] {
      graph.edges.append(GraphEdge(source: 3, target: 1, kind: kind))
      #expect(graph.membranes([nil]) == (kind == .flow && isInMembrane ? [1: 0] : [:]))
    }
  }

  @Test func `side molecules of a transport are drawn on their side of the wall, or name their compartment`() throws {
    let (parts, _) = laidOut(try graph("w-respiration"))
    func sides(_ prefix: String) throws -> PictureParts.Sides {
      let node = try #require(parts.graph.nodes.firstIndex { $0.kind == .process && $0.label.hasPrefix(prefix) })
      return try #require(parts.sides[node])
    }
    let leak = try sides("Proton leak")
    #expect(leak.used.map(\.isInside) == [false] && leak.made.map(\.isInside) == [true])
    for side in try sides("ADP/ATP carrier").all {
      let room = try #require(parts.graph.nodes[side.node].compartment)
      let name = parts.graph.compartments[room].name
      let text = side.label.lines.joined(separator: " ")
      #expect(side.isInside == (name == "Mitochondrial matrix"))
      #expect(text.hasSuffix("[\(name)]") == !side.isInside, "\(text)")
    }
    // A process within one compartment does not need such names; in the membrane, its molecules are inside.
    for (name, isInside) in [("ETF", true), ("Glycerol-3-phosphate dehydrogenase, cytosolic", false)] {
      let all = try sides(name).all
      #expect(all.allSatisfy { !$0.label.lines.joined().contains("[") && $0.isInside == isInside })
    }
  }

  @Test func `processes on one wall share a column`() {
    for seed in 0..<60 {
      var graph = SampleGraphs.random(UInt64(seed))
      for node in graph.nodes.indices { graph.nodes[node].frame = nil }
      let layout = LayeredLayout.layout(graph)
      let walls = graph.membranes(CompartmentOrder.parents(graph))
      var columns: [Int: [Double]] = [:]
      for place in layout.places where place.beside == nil && place.clone == 0 {
        if let wall = walls[place.node] { columns[wall, default: []].append(place.frame.x) }
      }
      for (wall, places) in columns {
        #expect((places.max() ?? 0) - (places.min() ?? 0) < 1, "seed \(seed), compartment \(wall)")
      }
    }
  }

  @Test func `a wall with very many transports is ignored`() {
    var graph = ReactionGraph()
    graph.compartments = [GraphCompartment(id: "e", name: "e"), GraphCompartment(id: "c", name: "c")]
    for number in 0..<30 {
      let first = graph.nodes.count
      graph.nodes += [
        GraphNode(id: Identifier("a\(number)"), label: "a", kind: .pool, compartment: 0),
        GraphNode(id: Identifier("t\(number)"), label: "t", kind: .process),
        GraphNode(id: Identifier("b\(number)"), label: "b", kind: .pool, compartment: 1),
      ]
      graph.edges += [GraphEdge(source: first, target: first + 1), GraphEdge(source: first + 1, target: first + 2)]
      let walls = graph.membranes([nil, nil])
      #expect(walls.isEmpty == (number >= 20) && (walls.isEmpty || walls.values.allSatisfy { $0 == 1 }))
    }
  }
}
