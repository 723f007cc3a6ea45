import Testing

@testable import PathCase

@Suite struct SBMLWriterTests {
  /// Returns a model that was written and read back.
  private func again(_ model: ReactionModel) throws -> ReactionModel {
    try SBMLReader.model(SBMLWriter.bytes(model)).model
  }

  @Test(
    .enabled(if: SBMLTruth.folder != nil, "the shared data are absent"),
    arguments: ["annotation.xml", "e_coli_core.xml", "fbc_ex1.xml", "fbc_ex2.xml", "iJO1366.xml.gz", "textbook.xml.gz"])
  func `a real model is written and read back unchanged`(_ name: String) throws {
    let model = try SBMLReader.model(try #require(SBMLTruth.bytes("sbml/" + name))).model
    let copy = try again(model)
    for (one, other) in zip(copy.species, model.species) where one != other { Issue.record("\(one) \(other)") }
    for (one, other) in zip(copy.reactions, model.reactions) where one != other { Issue.record("\(one) \(other)") }
    #expect(copy.genes == model.genes)
    // Bounds without a parameter have one now.
    var rest = copy
    rest.parameters = Array(copy.parameters.prefix(model.parameters.count))
    // They are too long to print if they differ.
    let isSame = rest == model
    #expect(isSame)
    #expect(try SBMLValidator.problems(SBMLWriter.bytes(model)).isEmpty)
  }

  @Test(.enabled(if: SBMLTruth.folder != nil, "the shared data are absent"))
  func `layouts are written and read back unchanged`() throws {
    for (name, bytes) in SBMLTruth.archive("sbml/layout-pass.tar.gz") where name.hasSuffix(".xml") {
      let model = try SBMLReader.model(bytes).model
      let copy = try again(model)
      #expect(copy.layouts.map(\.size) == model.layouts.map(\.size), "\(name)")
      let pairs = zip(copy.layouts, model.layouts)
      for (one, other) in pairs { #expect(Set(one.glyphs.map(\.id)) == Set(other.glyphs.map(\.id)), "\(name)") }
      // Once in the order of the lists, nothing changes any more.
      #expect(try again(copy) == copy, "\(name)")
    }
  }

  @Test func `all parts of a model are written`() throws {
    let copy = try again(Self.full)
    #expect(copy.species == Self.full.species)
    #expect(copy.reactions == Self.full.reactions)
    #expect(copy.layouts == Self.full.layouts)
    #expect(copy.parameters.prefix(1) == Self.full.parameters.prefix(1))
    var rest = copy
    rest.parameters = Self.full.parameters
    #expect(rest == Self.full)
    #expect(try again(copy) == copy)
  }

  @Test func `genes are written with names and labels`() throws {
    let text = String(decoding: try SBMLWriter.bytes(Self.full), as: UTF8.self)
    #expect(text.contains(#"<fbc:geneProduct fbc:id="g4" fbc:name="adhE" fbc:label="b1241"/>"#))
    #expect(text.contains(#"<fbc:geneProduct fbc:id="g1" fbc:label="one"/>"#))
    #expect(text.contains(#"<fbc:geneProduct fbc:id="g6" fbc:label="g6"/>"#))
  }

  @Test func `roles of modifiers are written as SBO terms`() throws {
    let text = String(decoding: try SBMLWriter.bytes(Self.full), as: UTF8.self)
    #expect(text.contains(#"<modifierSpeciesReference sboTerm="SBO:0000020" species="e"/>"#))
    #expect(text.contains(#"<modifierSpeciesReference species="b"/>"#))
    let kinds = [(13, ReactionModifier.Kind.catalyst), (462, .activator), (639, .inhibitor), (19, .unknown)]
    for (term, kind) in kinds { #expect(ReactionModifier(species: 0, term: term).kind == kind) }
    for kind in ReactionModifier.Kind.allCases { #expect(ReactionModifier(species: 0, kind).kind == kind) }
  }

  @Test func `ids that SBML forbids are refused, not changed`() {
    var model = Self.full
    model.species[0].id = "10-a"
    #expect(throws: SBMLWriteError.unusableID("10-a")) { try SBMLWriter.bytes(model) }
    model = Self.full
    model.reactions[0].lowerBound = .nan
    #expect(throws: SBMLWriteError.unusableNumber("r")) { try SBMLWriter.bytes(model) }
  }

  /// A model with some of everything.
  private static let full: ReactionModel = {
    var model = ReactionModel(id: "m", name: "one <two> & \"three\"\n'four'")
    model.compartments = [ModelCompartment(id: "c", name: "cell", size: 0.1)]
    model.species = [
      ModelSpecies(
        id: "a", name: "α", compartment: 0, formula: "C6H12O6", charge: -2,
        metadata: ModelMetadata(
          references: ["https://identifiers.org/x?a&b", "urn:b", "urn:c", "urn:d"],
          qualifiers: ["urn:b": "isVersionOf", "urn:c": "isVersionOf"])),
      ModelSpecies(id: "b", compartment: 0, isBoundary: true), ModelSpecies(id: "e", compartment: 0),
    ]
    model.genes = [
      ModelGene(id: "g1", name: "one"), ModelGene(id: "g2", name: "two"), ModelGene(id: "g3", name: "three"),
      ModelGene(id: "g4", name: "adhE", label: "b1241"), ModelGene(id: "g5", name: "four", label: "g5"),
      ModelGene(id: "g6"),
    ]
    model.parameters = [ModelParameter(id: "p", value: 1e-300), ModelParameter(id: "q", isConstant: false)]
    model.reactions = [
      ModelReaction(
        id: "r", name: "first", isReversible: true,
        stoichiometry: [SpeciesAmount(species: 0, amount: -0.1), SpeciesAmount(species: 1, amount: 1.0 / 3)],
        modifiers: [
          ReactionModifier(species: 2, .inhibitor), ReactionModifier(species: 0, term: 460),
          ReactionModifier(species: 1, .unknown),
        ], lowerBound: -.infinity, upperBound: 1e-300,
        geneRule: .any([.gene(1), .all([.gene(0), .any([.gene(2), .gene(1)])])]), subsystem: "A & B",
        metadata: ModelMetadata(
          references: ["urn:miriam:kegg:R1"], qualifiers: ["urn:miriam:kegg:R1": "hasPart"]))
    ]
    model.objectives = [
      FluxObjective(id: "o1", isMaximized: false, terms: [.init(reaction: 0, weight: -2.5)]), FluxObjective(id: "o2"),
    ]
    model.activeObjective = 1
    model.groups = [ModelGroup(id: "s", name: "group", kind: "partonomy", members: ["r", "a"])]
    var glyph = LayoutGlyph(kind: .species, id: "ga", object: "a")
    (glyph.corner, glyph.size) = (LayoutPoint(x: -1.5, y: 2), LayoutSize(width: 3, height: 4))
    var step = LayoutGlyph(kind: .reaction, id: "gr", object: "r")
    step.segments = [
      LayoutSegment(
        start: LayoutPoint(x: 0, y: 0), end: LayoutPoint(x: 1, y: 1), first: LayoutPoint(x: 2, y: 2),
        second: LayoutPoint(x: 3, y: 3))
    ]
    let line = LayoutGlyph(kind: .speciesReference, id: "gl", target: "ga", owner: 1, role: "substrate")
    let text = LayoutGlyph(kind: .text, id: "gt", object: "a", target: "ga", text: "A")
    model.layouts = [
      ModelLayout(id: "l", size: LayoutSize(width: 10, height: 20), glyphs: [glyph, step, line, text])
    ]
    return model
  }()
}
