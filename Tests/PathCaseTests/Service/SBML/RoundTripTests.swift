import Testing

@testable import PathCase

/// Round trips of models and maps: everything read is preserved by writing and reading it again.
@Suite(.enabled(if: SBMLTruth.folder != nil, "the shared data are absent"))
struct RoundTripTests {
  /// Returns the model without the parameters that the writer creates for bounds, and with the species of each reaction
  /// sorted.
  private func compared(_ model: ReactionModel, parameters: Int) -> ReactionModel {
    var model = model
    model.parameters = Array(model.parameters.prefix(parameters))
    for index in model.reactions.indices {
      model.reactions[index].stoichiometry.sort { ($0.species, $0.amount) < ($1.species, $1.amount) }
    }
    return model
  }

  private func check(_ bytes: [UInt8], _ name: String) throws {
    // The ids are made valid as in an export: some old models have gene ids that newer SBML does not permit.
    let model = try SBMLReader.model(bytes).model.withPlainIdentifiers().model
    let count = model.parameters.count
    let copy = compared(try SBMLReader.model(SBMLWriter.bytes(model)).model, parameters: count)
    var one = copy
    var other = compared(model, parameters: count)
    // Glyphs are in the order of the format's lists.
    (one.layouts, other.layouts) = ([], [])
    #expect(one.parameters == other.parameters && one.objectives == other.objectives, "\(name)")
    #expect(one.species == other.species && one.compartments == other.compartments, "\(name)")
    #expect(one.reactions == other.reactions && one.genes == other.genes, "\(name)")
    let isSame = one == other
    #expect(isSame, "\(name)")
    #expect(copy.layouts.map { Set($0.glyphs.map(\.id)) } == model.layouts.map { Set($0.glyphs.map(\.id)) }, "\(name)")
  }

  @Test func `every model of the folder is written and read back unchanged`() throws {
    for file in MapTruth.files("sbml", ending: [".xml", ".xml.gz"]) where !file.contains("invalid") {
      try check(try #require(SBMLTruth.bytes(file)), file)
    }
  }

  @Test(arguments: ["sbml/sbml-test-suite-fbc.tar.gz", "sbml/layout-pass.tar.gz"])
  func `every model of an archive is written and read back unchanged`(_ archive: String) throws {
    let files = SBMLTruth.archive(archive).filter { $0.key.hasSuffix(".xml") }
    #expect(files.count > 10)
    for (name, bytes) in files { try check(bytes, name) }
  }

  @Test func `every Escher map is written and read back with equal nodes and edges`() throws {
    for file in MapTruth.files("escher", ending: [".json"]) where !file.contains("flux") && !file.contains("data") {
      let document = try MapReader.read(try #require(MapTruth.bytes(file)))
      let again = try MapReader.read(try EscherWriter.write(document).bytes)
      #expect(again.counts == document.counts, "\(file)")
      #expect(again.graph.nodes == document.graph.nodes, "\(file)")
      #expect(again.graph.edges == document.graph.edges, "\(file)")
      #expect(again.graph.figures == document.graph.figures, "\(file)")
      #expect(again.graph.canvas == document.graph.canvas && again.title == document.title, "\(file)")
    }
  }

  @Test func `models in COBRA JSON are written and read back unchanged`() throws {
    for file in ["sbml/textbook.xml.gz", "sbml/e_coli_core.xml"] {
      let model = try SBMLReader.model(try #require(SBMLTruth.bytes(file))).model
      let again = try COBRAReader.model(COBRAWriter.bytes(model))
      #expect(again.species == model.species.map(\.withSecureAddresses), "\(file)")
      var reactions = model.reactions.map(\.withSecureAddresses)
      // Groups are read back as the subsystems of their reactions.
      for (index, subsystem) in model.subsystems.enumerated() { reactions[index].subsystem = subsystem }
      #expect(again.reactions == reactions, "\(file)")
      #expect(again.genes.map(\.id) == model.genes.map(\.id), "\(file)")
      #expect(again.genes.map(\.name) == model.genes.map(\.name), "\(file)")
    }
  }
}
