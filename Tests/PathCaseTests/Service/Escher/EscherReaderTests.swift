import Foundation
import PluginAPI
import Testing

@testable import PathCase

struct EscherReaderTests {
  static let maps = MapTruth.files("escher", ending: [".json"]).filter { !$0.contains("flux") && !$0.contains("data_") }

  @Test(arguments: maps)
  func `real maps have the known counts`(file: String) throws {
    let document = try MapReader.read(try #require(MapTruth.bytes(file)))
    let truth = try MapTruth.truth(of: file)
    #expect(document.format == .escher)
    #expect(document.title == truth["name"] as? String)
    #expect(document.version == truth["schema"] as? String)
    #expect(document.counts == MapTruth.counts(truth))
    let canvas = try #require(truth["canvas"] as? [String: Double])
    let frame = try #require(document.graph.canvas)
    #expect(abs(frame.x - frame.width / 2 - (canvas["x"] ?? .nan)) < 1e-6)
    #expect(frame.width == canvas["width"] && frame.height == canvas["height"])
    let flows = document.graph.edges.filter { $0.kind == .flow }
    #expect(flows.count == document.counts["metabolite_refs"])
    #expect(document.warnings.isEmpty)
  }

  @Test(arguments: maps)
  func `a written map is read back unchanged`(file: String) throws {
    let document = try MapReader.read(try #require(MapTruth.bytes(file)))
    let written = try EscherWriter.write(document)
    #expect(written.warnings.isEmpty)
    let again = try MapReader.read(written.bytes)
    #expect(again == document)
  }

  @Test func `metabolites become clones, coefficients determine the sides, and curves are kept`() throws {
    let document = try EscherReader.read(Array(Self.small.utf8))
    let graph = document.graph
    #expect(graph.nodes.map(\.id) == ["1", "2", "3", "4", "9"])
    #expect(graph.nodes.map(\.subject) == ["a_c", "b_c", "a_c", "R1", "9"])
    #expect(graph.nodes.map(\.isClone) == [true, false, true, false, false])
    #expect(graph.nodes.map(\.isPrimary) == [true, true, false, true, false])
    #expect(graph.nodes[3].genes == [GraphGene(id: "g1", name: "one")] && graph.nodes[3].geneRule == "g1")
    let edges = graph.edges.map { "\(graph.nodes[$0.source].id)-\(graph.nodes[$0.target].id) \($0.stoichiometry)" }
    #expect(edges == ["1-4 2.0", "4-2 1.0", "4-9 1.0"])
    #expect(graph.edges.map(\.isReversible) == [true, true, false])
    #expect(graph.edges[0].bends == [FrozenPath.Point(x: 10, y: 0)])
    #expect(
      graph.edges[0].curves == [
        GraphCurve(first: FrozenPath.Point(x: 1, y: 1), second: FrozenPath.Point(x: 2, y: 2)), GraphCurve(),
      ])
    #expect(graph.edges[2].kind == .association && graph.nodes[4].category == "free end")
    #expect(graph.figures.map(\.text) == ["Glycolysis"])
    #expect(document.counts["segments"] == 4 && document.counts["primary"] == 2)
    #expect(try MapReader.read(try EscherWriter.write(document).bytes) == document)
  }

  @Test func `a metabolite without a node is kept, and an unlisted one is drawn`() throws {
    let text = Self.small.replacing("\"bigg_id\":\"b_c\",\"coefficient\"", with: "\"bigg_id\":\"h_c\",\"coefficient\"")
    let document = try EscherReader.read(Array(text.utf8))
    let graph = document.graph
    #expect(graph.nodes.map(\.subject) == ["a_c", "b_c", "a_c", "R1", "h_c", "9"])
    #expect(graph.nodes[4].frame == nil)
    #expect(graph.edges.map(\.kind) == [.flow, .flow, .association, .association])
    #expect(document.warnings.count == 1)
  }

  @Test(.enabled(if: MapTruth.folder != nil, "the shared data are absent"))
  func `a segment with a missing node and deeply nested lists are refused`() throws {
    let segment = try #require(MapTruth.bytes("bad/58-escher-segment-missing-node.json"))
    let error = #expect(throws: ErrorReport.self) { try MapReader.read(segment) }
    let inner = MapError.dangling(from: "the segment '1' of the reaction '1'", to: "the node '1'")
    #expect(error?.isPlaced == true && error?.code == inner.code && error?.message.hasPrefix(inner.message) == true)
    let deep = try #require(MapTruth.bytes("bad/59-json-deep.json"))
    #expect(mapErrorCode { _ = try MapReader.read(deep) } == "pathcase.xml-004")
    #expect(mapErrorCode { _ = try EscherReader.read(deep) } == "pathcase.xml-004")
  }

  @Test func `an error states the position where its object begins`() {
    func place(_ text: String, _ part: String) -> [Int] {
      let error = #expect(throws: ErrorReport.self) { try EscherReader.read(Array(text.utf8)) }
      guard let line = error?.details["line"]?.integer, let column = error?.details["column"]?.integer else {
        return []
      }
      let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
      #expect(lines[line - 1].utf8.dropFirst(column - 1).starts(with: part.utf8), "\(lines[line - 1])")
      return [line, column]
    }
    let small = Self.small
    #expect(
      place(small.replacing("\"x\":90", with: "\"x\":\"\""), "{\"node_type\":\"metabolite\",\"x\":\"\"") == [13, 5])
    #expect(
      place(small.replacing("\"to_node_id\":\"2\"", with: "\"to_node_id\":\"0\""), "{\"from_node_id\"") == [8, 5])
    #expect(place(small.replacing("\"x\":2,", with: "\"x\":null,"), "{\"from_node_id\"").first == 6)
    #expect(place(small.replacing("\"coefficient\":1}", with: "\"coefficient\":true}"), "{\"name\"").first == 3)
    #expect(place(small.replacing("\"x\":3", with: "\"x\":[]"), "{\"text\"").first == 16)
    #expect(place(small.replacing("\"width\":100", with: "\"width\":\"w\""), "{\"x\":0,\"y\":0,\"width\"").first == 16)
    // Counted in bytes rather than letters, after the byte order mark of UTF-8.
    let bytes = [0xEF, 0xBB, 0xBF] + Array("[ 1,\n{\"\\\"é\": [\"}\", {}], \"b\": [0, {\"c\" : 7}]}]".utf8)
    let found = JSONPosition.find([.index(1), .key("b"), .index(1), .key("c")], in: bytes)
    #expect(found?.line == 2 && found?.column == 37)
    #expect(JSONPosition.find([.index(1), .key("b"), .index(2)], in: bytes) == nil)
    #expect(JSONPosition.find([.key("b")], in: bytes) == nil && JSONPosition.find([.index(0)], in: []) == nil)
  }

  @Test func `JSON without the structure of a map is refused`() {
    func code(_ text: String) -> String? { mapErrorCode { _ = try EscherReader.read(Array(text.utf8)) } }
    #expect(code("{}") == "pathcase.str-001")
    #expect(code("[{},{\"reactions\":{}}]") == "pathcase.str-001")
    #expect(
      code("[{},{\"nodes\":{\"1\":{\"node_type\":\"metabolite\",\"x\":1}},\"reactions\":{}}]") == "pathcase.typ-001")
    #expect(code("[{},{\"nodes\":{},\"reactions\":{}}") == "pathcase.xml-001")
    #expect(code("[{},{\"nodes\":{\"1\":{\"x\":1e999,\"y\":1}},\"reactions\":{}}]") == "pathcase.typ-001")
  }

  @Test(.enabled(if: MapTruth.folder != nil, "the shared data are absent"))
  func `data files for maps are read`() throws {
    for file in ["escher/flux_iJO1366_anaerobic.json", "escher/metabolite_data_iJO1366.json"] {
      let bytes = try #require(MapTruth.bytes(file))
      #expect(try FormatDetector.detect(plain: bytes).format == .overlay)
      #expect(try OverlayReader.read(bytes).entries.count == MapTruth.truth(of: file)["keys"] as? Int)
      #expect(throws: MapError.noMap(.overlay)) { try MapReader.read(bytes) }
    }
  }

  @Test func `values may be null but not text`() throws {
    let data = try OverlayReader.read(Array("{\"b\": 1.5, \"a\": null, \"c\": -2}".utf8))
    #expect(data.entries.map(\.id) == ["b", "a", "c"] && data.entries.map(\.value) == [1.5, nil, -2])
    #expect(mapErrorCode { _ = try OverlayReader.read(Array("{\"b\": \"x\"}".utf8)) } == "pathcase.typ-001")
    #expect(mapErrorCode { _ = try OverlayReader.read(Array("[1]".utf8)) } == "pathcase.str-001")
  }

  private static let small = """
    [{"map_name":"small","map_id":"m","map_description":"d","homepage":"h",
    "schema":"https://escher.github.io/escher/jsonschema/1-0-0#"},
    {"reactions":{"7":{"name":"","bigg_id":"R1","reversibility":true,"label_x":5,"label_y":6,"gene_reaction_rule":"g1",
    "genes":[{"bigg_id":"g1","name":"one"}],
    "metabolites":[{"bigg_id":"a_c","coefficient":-2},{"bigg_id":"b_c","coefficient":1}],
    "segments":{"1":{"from_node_id":"5","to_node_id":"1","b1":{"x":2,"y":2},"b2":{"x":1,"y":1}},
    "2":{"from_node_id":"5","to_node_id":"4","b1":null,"b2":null},
    "3":{"from_node_id":"4","to_node_id":"2","b1":null,"b2":null},
    "4":{"from_node_id":"4","to_node_id":"9","b1":null,"b2":null}}}},
    "nodes":{
    "1":{"node_type":"metabolite","x":0,"y":0,"bigg_id":"a_c","name":"A","label_x":1,"label_y":1,"node_is_primary":true},
    "2":{"node_type":"metabolite","x":40,"y":0,"bigg_id":"b_c","name":"B","label_x":1,"label_y":1,"node_is_primary":true},
    "3":{"node_type":"metabolite","x":90,"y":0,"bigg_id":"a_c","name":"A","label_x":1,"label_y":1,"node_is_primary":false},
    "4":{"node_type":"midmarker","x":20,"y":0},"5":{"node_type":"multimarker","x":10,"y":0},
    "9":{"node_type":"multimarker","x":20,"y":30}},
    "text_labels":{"1":{"text":"Glycolysis","x":3,"y":4}},"canvas":{"x":0,"y":0,"width":100,"height":50}}]
    """
}
