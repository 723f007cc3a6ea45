import PluginAPI
import PluginJSON
import Testing

@testable import PathCase

struct GraphWriterTests {
  private static let graph = ReactionGraph(
    id: "g", name: "say \"hi\"",
    nodes: [
      GraphNode(
        id: "a", label: "A\nB", kind: .pool, compartment: 1, frame: GraphFrame(x: 1, y: 2.5, width: 3, height: 4)),
      GraphNode(id: "r", label: "R\\\u{1B}[31m", kind: .process, compartment: 0),
      GraphNode(id: "e", label: "E", kind: .macromolecule, isPrimary: false, references: ["x:1"]),
    ],
    edges: [
      GraphEdge(source: 0, target: 1, isReversible: true, stoichiometry: 2, bends: [FrozenPath.Point(x: 5, y: 6)]),
      GraphEdge(source: 2, target: 1, kind: .inhibition, id: "i"),
    ],
    compartments: [
      GraphCompartment(id: "c", name: "cell", parent: nil), GraphCompartment(id: "m", name: "mito", parent: 0),
    ])

  @Test func `compartments are nested clusters, and texts are quoted`() {
    let text = String(decoding: DOTWriter.write(Self.graph), as: UTF8.self)
    #expect(
      text == #"""
        digraph "say \"hi\"" {
          compound=true;
          subgraph "cluster_0" {
            label="cell";
            "r" [label="R\\ [31m", shape=box];
            subgraph "cluster_1" {
              label="mito";
              "a" [label="A\nB", shape=ellipse, pos="1.0,-2.5!"];
            }
          }
          "e" [label="E", shape=component];
          "a" -> "r" [dir=both, label="2.0"];
          "e" -> "r" [arrowhead=tee];
        }

        """#)
  }

  @Test func `JSON identifies edge ends and compartments by ids`() throws {
    let value = try Value(json: GraphJSONWriter.write(Self.graph))
    #expect(value["name"].text == "say \"hi\"")
    let nodes = try #require(value["nodes"].list)
    #expect(nodes.map { $0["id"].text } == ["a", "r", "e"])
    #expect(nodes[0]["compartment"].text == "m" && nodes[0]["y"].number == 2.5)
    #expect(nodes[1]["x"].isNull)
    #expect(nodes[2]["secondary"].bool == true && nodes[2]["references"].list?.count == 1)
    let edges = try #require(value["edges"].list)
    #expect(edges[0]["source"].text == "a" && edges[0]["reversible"].bool == true)
    #expect(edges[0]["bends"].list?.count == 1 && edges[0]["stoichiometry"].number == 2)
    #expect(edges[1]["kind"].text == "inhibition" && edges[1]["id"].text == "i" && edges[0]["id"].isNull)
    #expect(value["compartments"].list?[1]["parent"].text == "c")
  }

  @Test func `deeply nested compartments are written iteratively`() {
    var graph = ReactionGraph()
    for index in 0..<20_000 {
      graph.compartments.append(
        GraphCompartment(id: Identifier("c\(index)"), name: "", parent: index == 0 ? nil : index - 1))
    }
    let text = DOTWriter.write(graph)
    #expect(text.split(separator: UInt8(ascii: "{")).count == 20_002)
  }

  @Test func `written JSON is read back unchanged`() throws {
    let bytes = GraphJSONWriter.write(Self.graph, indentation: 2)
    guard case .map(let document) = try NetworkFile.content(of: bytes, name: "g.json") else {
      Issue.record("it is not read as a map")
      return
    }
    #expect(document.graph == Self.graph)
    #expect(document.warnings.isEmpty)
  }

  @Test(
    arguments: MapTruth.files("sbgn", ending: [".sbgn"]).filter { !$0.contains("AF_") }
      + MapTruth.files("gpml", ending: [".gpml"]) + EscherReaderTests.maps + MapTruth.files("biopax", ending: [".owl"]))
  func `JSON of a real map is read back unchanged`(file: String) throws {
    let document = try MapReader.read(try #require(MapTruth.bytes(file)))
    let again = try MapReader.read(GraphJSONWriter.write(document.graph, indentation: 2))
    #expect(again.graph == document.graph)
  }

  @Test func `exported JSON of every bundled pathway is read back unchanged`() throws {
    let database = try BundledDatabase.linked.get()
    for pathway in database.pathways.indices {
      let network = OpenedNetwork.pathway(pathway, database)
      let bytes = try NetworkExport.Format.written(network, as: "json").bytes
      let again = try MapReader.read(bytes)
      let graph = database.graph(ofPathway: pathway)
      #expect(Set(again.graph.nodes.map(\.label)) == Set(graph.nodes.map(\.label)))
      #expect(again.graph.edges.count == graph.edges.count)
      #expect(try MapReader.read(GraphJSONWriter.write(again.graph)).graph == again.graph)
    }
  }

  @Test func `JSON with missing edge ends, duplicate ids or bad values is refused with a position`() {
    let bad = [
      (#"{"nodes":[{"id":"a"}],"edges":[{"source":"a","target":"z"}]}"#, "pathcase.ref-001", "'z'"),
      (#"{"nodes":[{"id":"a"},{"id":"a"}],"edges":[]}"#, "pathcase.id-001", "'a'"),
      (#"{"nodes":[{"id":"a","x":"left","y":1,"width":1,"height":1}],"edges":[]}"#, "pathcase.typ-001", "'left'"),
      (#"{"nodes":[{"id":"a","kind":"planet"}],"edges":[]}"#, "pathcase.typ-003", "'planet'"),
      (#"{"nodes":[{"id":"a","parent":"a"}],"edges":[]}"#, "pathcase.sem-001", "a"),
      (#"{"nodes":[{}],"edges":[]}"#, "pathcase.id-003", "node"),
      (#"{"nodes":[7],"edges":[]}"#, "pathcase.str-001", "nodes"),
    ]
    for (text, code, word) in bad {
      do {
        _ = try MapReader.read(Array(text.utf8))
        Issue.record("\(text) was read")
      } catch {
        #expect(error.report.code == code, "\(text)")
        #expect(error.report.message.contains(word), "\(error.report.message)")
        #expect(error.report.message.contains("line 1"), "\(error.report.message)")
      }
    }
  }
}
