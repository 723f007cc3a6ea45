import FoundationEssentials
import TestSupport
import Testing

@testable import PathCase

@Suite struct ShownNamesTests {
  /// Returns the visible parts of names in a space of a number of characters.
  private func shown(_ names: [String], _ room: Int) -> [String] {
    let texts = ShownNames.distinct(names, ids: names.indices.map { "id\($0)" }) { $1.prefix(room) }
    return texts.map { String($0.prefix(room)) }
  }

  @Test func `different names stay distinct at any truncation`() {
    let names = [
      "Nicotinamide adenine dinucleotide phosphate", "Nicotinamide adenine dinucleotide phosphate - reduced",
      "Nicotinamide adenine dinucleotide", "Pyruvate", "Pyruvate", "Nicotinamide adenine dinucleotide phosphate",
    ]
    for room in [60, 40, 30, 20, 14, 6] {
      let texts = shown(names, room)
      let named = Dictionary(zip(texts, names).map { ($0, [$1]) }) { $0 + $1 }
      #expect(named.values.allSatisfy { Set($0).count == 1 }, "\(texts)")
      // An id that replaces a name is the name's own.
      #expect(texts[3] == texts[4] && (texts[0] == texts[5] || room < 12))
    }
    #expect(shown(names, 60) == names)
  }

  @Test func `names that differ only in a truncated part get ids or numbers`() {
    let long = String(repeating: "a", count: 80)
    #expect(shown([long + "x" + long, long + "y" + long], 10) == ["id0", "id1"])
    let texts = ShownNames.distinct([long + "x" + long, long + "y" + long], ids: [long, long]) { $1.prefix(8) }
    #expect(Set(texts.map { $0.prefix(8) }).count == 2)
  }

  @Test(
    arguments: [
      ("ATP C10H12N5O13P3", "ATP"), ("CO2 CO2", "CO2"), ("O2 O2", "O2"), ("CO2 CO2 [c]", "CO2 [c]"), ("CO2", "CO2"),
      ("Vitamin B12", "Vitamin B12"), ("Coenzyme F420", "Coenzyme F420"), ("Thromboxane B2", "Thromboxane B2"),
      ("Coenzyme Q10", "Coenzyme Q10"), ("D-Fructose 1,6-bisphosphate", "D-Fructose 1,6-bisphosphate"), ("", ""),
      ("Ammonium H4N", "Ammonium"), ("PC (16:0/18:1)", "PC (16:0/18:1)"), ("NADH/NAD", "NADH/NAD"),
    ])
  func `formulas are removed from names, and other words are not`(name: String, shown: String) {
    #expect(SpeciesName.withoutFormula(name) == shown)
    #expect(ModelSpecies(id: "s", name: name).shownName == (shown.isEmpty ? "s" : shown))
  }

  @Test func `the formula stated in the file is always removed`() {
    #expect(SpeciesName.withoutFormula("Sodium Na", formula: "Na") == "Sodium")
    #expect(SpeciesName.withoutFormula("Sodium Na") == "Sodium Na")
  }

  @Test func `carriers are drawn by their short names, others by their own`() {
    func name(_ label: String, id: Identifier = "s1") -> String {
      ShownNames.name(GraphNode(id: id, label: label, kind: .pool))
    }
    #expect(name("Nicotinamide adenine dinucleotide phosphate - reduced", id: "M_nadph_c") == "NADPH")
    #expect(name("ATP C10H12N5O13P3") == "ATP" && name("Coenzyme A") == "CoA" && name("H2O") == "H₂O")
    #expect(name("Pyruvate") == "Pyruvate" && name("Ubiquinone-8", id: "M_q8_c") == "Ubiquinone-8")
    #expect(ShownNames.name(GraphNode(id: "r", label: "ATP", kind: .process)) == "ATP")
    var chebi = GraphNode(id: "s", label: "x", kind: .pool)
    chebi.references = ["https://identifiers.org/chebi/CHEBI:30616", "https://identifiers.org/kegg.compound/C00002"]
    #expect(ShownNames.name(chebi) == "ATP")
    chebi.references.append("https://identifiers.org/chebi/CHEBI:456216")
    #expect(ShownNames.name(chebi) == "x")
  }

  @Test(.enabled(if: SharedData.folder != nil, "the shared data is missing"))
  func `no two metabolites of E. coli's core look equal in the picture or the text`() throws {
    let path = try #require(SharedData.folder).path + "/pathcase/sbml/e_coli_core.xml"
    guard case .model(let document) = try NetworkFile.read(path) else { return }
    let graph = document.model.graph
    let parts = PictureParts(graph, hidesCommon: false, isStored: false)
    let drawing = LayeredLayout.layout(graph)
    let lines = NodeLabel.lines(drawing, graph, TextDrawing.Options())
    for (texts, nodes) in [
      (parts.labels.map(\.lines), Array(graph.nodes.indices)), (lines, drawing.places.map(\.node)),
    ] {
      var labels: [[String]: Set<String>] = [:]
      for (text, node) in zip(texts, nodes) { labels[text, default: []].insert(ShownNames.name(graph.nodes[node])) }
      #expect(labels.filter { $0.value.count > 1 }.isEmpty)
    }
    let shown = Set(parts.labels.map { $0.lines.joined(separator: " ") })
    #expect(shown.isSuperset(of: ["NADP⁺", "NADPH", "ATP", "CoA", "CO₂"]))
  }
}
