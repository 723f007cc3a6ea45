import Testing

@testable import PathCase

struct DrawingStubTests {
  private static var graph: ReactionGraph {
    var graph = SampleGraphs.chain(3)
    for name in ["ATP", "ADP"] {
      graph.nodes.append(GraphNode(id: Identifier(name), label: name, kind: .pool, isCommon: true, isPrimary: false))
    }
    graph.edges += [GraphEdge(source: 3, target: 1), GraphEdge(source: 1, target: 4)]
    return graph
  }

  private static func layout(_ graph: ReactionGraph) -> GraphLayout {
    var options = LayoutOptions()
    options.common = .beside
    return LayeredLayout.layout(graph, options: options)
  }

  @Test func `common molecules are drawn beside their process, consumed ones on the left`() {
    let drawing = TextDrawing(Self.graph, Self.layout(Self.graph))
    let expected = """
             ╭────────╮
             │ node 0 │
             ╰────────╯
                  ▼
             ┌────────┐
      ATP ──▶│ node 1 │──▶ ADP
             └────────┘
                  ▼
             ╭────────╮
             │ node 2 │
             ╰────────╯

      """
    #expect(drawing.text == expected)
  }

  @Test func `compartment names beside a transport are complete if they fit`() {
    var graph = Self.graph
    graph.compartments = [
      GraphCompartment(id: "c", name: "Cytosol"), GraphCompartment(id: "m", name: "Mitochondrial matrix", parent: 0),
      GraphCompartment(id: "l", name: "Lumen of the endoplasmic reticulum", parent: 0),
    ]
    for (node, room) in [0, 0, 1, 1, 2].enumerated() { graph.nodes[node].compartment = room }
    graph.nodes[3].label = "Phosphoenolpyruvate"
    let text = TextDrawing(graph, Self.layout(graph)).text
    #expect(text.contains("Phosphoenolpyru… [Mitochondrial matrix]"))
    #expect(text.contains("ADP [Lumen of the endoplasmi…]"))
  }

  @Test func `truncated compartment names beside a transport stay distinct`() {
    var graph = Self.graph
    graph.compartments = [
      GraphCompartment(id: "s", name: "Mitochondrial intermembrane space"),
      GraphCompartment(id: "l", name: "Mitochondrial intermembrane lumen"),
    ]
    for (node, room) in [0, 0, 1, 0, 1].enumerated() { graph.nodes[node].compartment = room }
    let labels = TextDrawing(graph, Self.layout(graph)).boxes.map(\.label)
    #expect(labels.suffix(2) == ["ATP [Mitochondr…brane space] ", " ADP [Mitochondr…brane lumen]"])
  }

  @Test func `a quinone enzyme moves nothing, so the molecules beside it name no compartment`() {
    var graph = Self.graph
    graph.nodes[0].label = "ubiquinone"
    graph.compartments = [GraphCompartment(id: "m", name: "Mitochondrial matrix")]
    for node in graph.nodes.indices { graph.nodes[node].compartment = 0 }
    #expect(graph.membraneProcesses == [1])
    let labels = TextDrawing(graph, Self.layout(graph)).boxes.map(\.label)
    #expect(labels.suffix(2) == ["ATP ", " ADP"])
  }

  @Test func `molecules beside a process are not part of the layers`() {
    let layout = Self.layout(Self.graph)
    let process = layout.places[1].frame
    #expect(layout.places[3].beside == 1 && layout.places[4].beside == 1)
    #expect(layout.places[3].frame.y == process.y && layout.places[4].frame.y == process.y)
    #expect(layout.places[3].frame.x < process.x && layout.places[4].frame.x > process.x)
    #expect(layout.routes.count == 4 && layout.routes.allSatisfy { SampleGraphs.touches($0, layout) })
    #expect(SampleGraphs.overlaps(layout).isEmpty)
  }

  @Test func `a process is as tall as all molecules beside it`() {
    var graph = Self.graph
    for number in 0..<9 {
      graph.nodes.append(
        GraphNode(id: Identifier("x\(number)"), label: "x\(number)", kind: .pool, isCommon: true, isPrimary: false))
      graph.edges.append(GraphEdge(source: graph.nodes.count - 1, target: 1))
    }
    let layout = Self.layout(graph)
    #expect(SampleGraphs.overlaps(layout).isEmpty)
    for zoom in TextDrawing.Zoom.allCases {
      let drawing = TextDrawing(graph, layout, options: .init(zoom: zoom))
      #expect(DrawingProbe(drawing, layout).problems.isEmpty)
      #expect(drawing.boxes[1].window.height == 10)
    }
  }

  @Test func `labels wrap at spaces and hyphens and stay complete`() {
    var graph = SampleGraphs.chain(1)
    graph.nodes[0].label = "Glyceraldehyde-3-phosphate dehydrogenase"
    let layout = LayeredLayout.layout(graph)
    for zoom in [TextDrawing.Zoom.names, .full] {
      let box = TextDrawing(graph, layout, options: .init(zoom: zoom)).boxes[0]
      #expect(box.lines == ["Glyceraldehyde-", "3-phosphate", "dehydrogenase"])
    }
  }

  @Test func `two arrowheads of a short edge are joined`() {
    var graph = SampleGraphs.chain(3)
    for edge in graph.edges.indices { graph.edges[edge].isReversible = true }
    let layout = LayeredLayout.layout(graph)
    let apart = TextDrawing(graph, layout)
    let joined = TextDrawing(graph, layout, options: .init(joinsHeads: true))
    #expect(joined.height == apart.height - 2 && joined.text.contains("↕") && !joined.text.contains("▲"))
    #expect(DrawingProbe(joined, layout).problems.isEmpty)
  }

  @Test func `activation, inhibition and catalysis have distinct arrowheads`() {
    var graph = SampleGraphs.chain(3)
    for (name, kind) in [("a", GraphEdge.Kind.activation), ("b", .inhibition), ("c", .catalysis)] {
      graph.edges.append(GraphEdge(source: graph.nodes.count, target: 1, kind: kind))
      graph.nodes.append(GraphNode(id: Identifier(name), label: name, kind: .pool, isPrimary: false))
    }
    let text = TextDrawing(graph, LayeredLayout.layout(graph)).text
    for glyph in ["▽", "┴", "○"] { #expect(text.contains(glyph)) }
  }

  @Test func `a compartment frame is as wide as its name`() {
    var graph = SampleGraphs.chain(1)
    graph.nodes[0].compartment = 0
    graph.compartments = [GraphCompartment(id: "c", name: "a compartment with a long name", parent: nil)]
    #expect(TextDrawing(graph, LayeredLayout.layout(graph)).frames.map(\.name) == ["a compartment with a long name"])
  }
}
