import PluginAPI
import PluginJSON
import Testing

@testable import PathCase

/// Escher maps of networks without an Escher map, as displayed by Escher.
struct EscherExportTests {
  /// Returns the boxes of the names on a map, by Escher's own font sizes.
  ///
  /// - Source: Escher's `css/src/Builder.css`: node labels of 20 px in bold, reaction labels of 30 px, text labels of
  ///   50 px in bold.
  private func boxes(_ map: Value) -> [(name: String, box: LayoutBounds)] {
    var boxes: [(String, LayoutBounds)] = []
    func add(_ entry: Value, _ key: String, _ size: Double, _ isBold: Bool, x: String, y: String) {
      guard let name = entry[key].text, let x = entry[x].number, let y = entry[y].number else { return }
      let text = PictureText(
        text: name, position: .init(x: x, y: y), size: size, color: .init(0, 0, 0), isBold: isBold)
      boxes.append((name, text.bounds))
    }
    for field in map["nodes"].record?.fields ?? [] {
      add(field.value, "bigg_id", 20, true, x: "label_x", y: "label_y")
    }
    for field in map["reactions"].record?.fields ?? [] {
      add(field.value, "bigg_id", 30, false, x: "label_x", y: "label_y")
    }
    for field in map["text_labels"].record?.fields ?? [] { add(field.value, "text", 50, true, x: "x", y: "y") }
    return boxes
  }

  private func map(_ network: OpenedNetwork) throws -> Value {
    let bytes = try NetworkExport.Format.written(network, as: "escher").bytes
    return try #require(try Value(json: bytes, sizeInBytes: 1 << 28).list?.last)
  }

  private func overlaps(_ boxes: [(name: String, box: LayoutBounds)]) -> [String] {
    var found: [String] = []
    for (index, one) in boxes.enumerated() {
      for other in boxes[(index + 1)...] {
        let width = min(one.box.right, other.box.right) - max(one.box.left, other.box.left)
        let height = min(one.box.bottom, other.box.bottom) - max(one.box.top, other.box.top)
        if width > 1, height > 1 { found.append("\(one.name) on \(other.name)") }
      }
    }
    return found
  }

  @Test func `exported bundled pathways have curved edges, labeled regulators and no overlapping names`() throws {
    let database = try BundledDatabase.linked.get()
    for pathway in database.pathways.indices {
      let map = try map(.pathway(pathway, database))
      let name = database.pathways[pathway].id
      let found = overlaps(boxes(map))
      #expect(found == [], "\(name): \(found.prefix(3))")
      let segments = (map["reactions"].record?.fields ?? []).flatMap { $0.value["segments"].record?.fields ?? [] }
      #expect(!segments.isEmpty && segments.contains { !$0.value["b1"].isNull }, "\(name)")
      let ends = Set(segments.flatMap { [$0.value["from_node_id"].text ?? "", $0.value["to_node_id"].text ?? ""] })
      let alone = (map["nodes"].record?.fields ?? []).filter {
        $0.value["node_type"].text == "metabolite" && !ends.contains($0.name)
      }
      #expect(alone.map { $0.value["bigg_id"].text } == [], "\(name)")
      let graph = database.graph(ofPathway: pathway)
      let texts = (map["text_labels"].record?.fields ?? []).compactMap { $0.value["text"].text }
      for edge in graph.edges where edge.kind == .inhibition || edge.kind == .activation {
        let regulator = graph.nodes[edge.source].label
        #expect(texts.contains { $0.contains(regulator) }, "\(name): \(regulator)")
      }
    }
  }

  @Test(.enabled(if: SBMLTruth.folder != nil, "the shared data are absent"))
  func `an exported model without a layout has no overlapping names`() throws {
    let document = try SBMLReader.model(try #require(SBMLTruth.bytes("sbml/e_coli_core.xml")))
    let map = try map(.file("m", .model(document)))
    let found = overlaps(boxes(map))
    #expect(found == [], "\(found.count): \(found.prefix(3))")
    #expect(map["reactions"].record?.fields.count == 95)
    // The ids are those of COBRApy and Escher.
    #expect((map["reactions"].record?.fields ?? []).contains { $0.value["bigg_id"].text == "PGI" })
  }

  @Test func `unnamed glyphs of a map are exported with readable names`() throws {
    let content = try NetworkFile.content(of: Array(DrawnMapTests.sbgn.utf8), name: "m")
    let map = try map(.file("m", content))
    let ids = boxes(map).map(\.name)
    #expect(ids.sorted() == ["AKT (P@T308)", "IGF:IGFR", "process 1"])
    #expect(overlaps(boxes(map)) == [])
  }
}
