import Foundation
import PluginAPI
import Testing

@testable import PathCase

struct SBGNWriterTests {
  @Test(arguments: MapTruth.files("sbgn", ending: [".sbgn"]).filter { !$0.contains("AF_") })
  func `a written map is read back unchanged`(file: String) throws {
    let document = try MapReader.read(try #require(MapTruth.bytes(file)))
    let again = try MapReader.read(try SBGNWriter.write(document).bytes)
    #expect(again.graph == document.graph)
    #expect(again.submaps == document.submaps)
    for name in ["glyph", "arc", "port", "map"] { #expect(again.counts[name] == document.counts[name], "\(name)") }
  }

  @Test(arguments: MapTruth.files("gpml", ending: [".gpml"]) + EscherReaderTests.maps)
  func `maps of other formats are written as readable SBGN`(file: String) throws {
    let document = try MapReader.read(try #require(MapTruth.bytes(file)))
    let again = try MapReader.read(try SBGNWriter.write(document).bytes)
    let split = document.graph.splittingDirectFlows()
    // Parts are written within their wholes, so the order may change.
    let labels = split.nodes.map { MapText.oneLine($0.label) }.sorted()
    #expect(again.graph.nodes.map(\.label).sorted() == labels)
    #expect(again.graph.edges.count == split.edges.count)
  }

  @Test func `nodes that share an id get unique ids, and arcs lead to each`() throws {
    func node(_ id: Identifier, _ kind: GraphNode.Kind, _ x: Double) -> GraphNode {
      GraphNode(id: id, label: id.text, kind: kind, frame: GraphFrame(x: x, y: 2, width: 3, height: 4))
    }
    let graph = ReactionGraph(
      nodes: [node("a", .pool, 0), node("w", .pathway, 9), node("b", .pool, 20), node("w", .pathway, 30)],
      edges: [
        GraphEdge(source: 0, target: 1, kind: .association), GraphEdge(source: 2, target: 3, kind: .association),
      ])
    let document = MapDocument(format: .contract, graph: graph, title: "")
    let again = try MapReader.read(try SBGNWriter.write(document).bytes).graph
    #expect(again.nodes.count == 4 && again.edges.map { [$0.source, $0.target] } == [[0, 1], [2, 3]])
  }

  @Test func `every bundled pathway is exported as readable SBGN-ML`() throws {
    let database = try BundledDatabase.linked.get()
    for pathway in database.pathways.indices {
      var graph = database.graph(ofPathway: pathway)
      graph = graph.placed(by: LayeredLayout.layout(graph))
      let document = MapDocument(format: .contract, graph: graph, title: graph.name)
      let bytes = try SBGNWriter.write(document).bytes
      #expect(throws: Never.self, "\(database.pathways[pathway].id)") { try MapReader.read(bytes) }
    }
  }

  @Test func `a node without a position is named in the error`() {
    let graph = ReactionGraph(nodes: [GraphNode(id: "glc", label: "glucose", kind: .pool)])
    #expect(throws: MapError.notPlaced(node: "glc", format: .sbgn)) {
      try SBGNWriter.write(MapDocument(format: .escher, graph: graph))
    }
    let frame = GraphFrame(x: 1, y: 2, width: 3, height: 4)
    let reaction = ReactionGraph(
      nodes: [
        GraphNode(id: "a", label: "A", kind: .pool, frame: frame), GraphNode(id: "r", label: "R", kind: .process),
      ],
      edges: [GraphEdge(source: 0, target: 1)])
    #expect(throws: MapError.notPlaced(node: "r", format: .escher)) {
      try EscherWriter.write(MapDocument(format: .sbgn, graph: reaction))
    }
  }

  @Test func `ids that XML forbids are replaced, and special characters in texts are escaped`() throws {
    let frame = GraphFrame(x: 1, y: 2, width: 3, height: 4)
    let graph = ReactionGraph(
      nodes: [
        GraphNode(id: "1", label: "a<b>\"&\u{1}", kind: .pool, frame: frame),
        GraphNode(id: "id_1", label: "", kind: .pool, frame: frame),
        GraphNode(id: "x y", label: "r", kind: .process, frame: frame),
      ], edges: [GraphEdge(source: 0, target: 2, stoichiometry: 2)])
    let again = try MapReader.read(try SBGNWriter.write(MapDocument(format: .escher, graph: graph)).bytes).graph
    #expect(again.nodes.map(\.id) == ["id_1", "id_1_2", "id_x_y"])
    #expect(again.nodes.map(\.label) == ["a<b>\"&\u{FFFD}", "", "r"])
    #expect(again.edges.map(\.stoichiometry) == [2])
    #expect(again.edges.map(\.category) == ["consumption"])
  }

  @Test func `a flow between two pools gets a process`() throws {
    let graph = ReactionGraph(
      nodes: [
        GraphNode(id: "a", label: "A", kind: .pool, frame: GraphFrame(x: 0, y: 0, width: 3, height: 4)),
        GraphNode(id: "b", label: "B", kind: .pool, frame: GraphFrame(x: 10, y: 20, width: 3, height: 4)),
      ], edges: [GraphEdge(source: 0, target: 1, isReversible: true)])
    let split = graph.splittingDirectFlows()
    #expect(split.nodes.map(\.kind) == [.pool, .pool, .process])
    #expect(split.nodes[2].frame == GraphFrame(x: 5, y: 10, width: 0, height: 0))
    #expect(split.edges.map { [$0.source, $0.target] } == [[0, 2], [2, 1]])
    let again = try MapReader.read(try SBGNWriter.write(MapDocument(format: .gpml, graph: graph)).bytes).graph
    #expect(again.edges.map(\.category) == ["consumption", "production"])
    let escher = try MapReader.read(try EscherWriter.write(MapDocument(format: .gpml, graph: graph)).bytes)
    #expect(escher.counts["reactions"] == 1 && escher.counts["metabolite_refs"] == 2)
    #expect(escher.graph.edges.map(\.isReversible) == [true, true])
  }

  @Test func `content that Escher cannot hold is reported`() throws {
    let frame = GraphFrame(x: 1, y: 2, width: 3, height: 4)
    let graph = ReactionGraph(
      nodes: [
        GraphNode(id: "1", label: "A", kind: .pool, frame: frame),
        GraphNode(id: "2", label: "r", kind: .process, frame: frame),
        GraphNode(id: "3", label: "E", kind: .macromolecule, frame: frame),
      ], edges: [GraphEdge(source: 0, target: 1), GraphEdge(source: 2, target: 1, kind: .catalysis)])
    let written = try EscherWriter.write(MapDocument(format: .sbgn, graph: graph))
    #expect(written.warnings.map(\.code) == ["pathcase.map-simplified"])
    #expect(written.warnings[0].message.hasPrefix("2 nodes and edges"))
    #expect(try MapReader.read(written.bytes).counts["node_types.metabolite"] == 1)
  }
}
