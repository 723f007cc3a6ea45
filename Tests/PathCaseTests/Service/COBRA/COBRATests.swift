import PluginAPI
import Testing

@testable import PathCase

@Suite struct COBRATests {
  @Test(.enabled(if: SBMLTruth.folder != nil, "the shared data are absent"))
  func `infinite bounds are read, and the optimum matches that of the SBML model`() throws {
    let bytes = try #require(SBMLTruth.bytes("sbml/JSON_with_inf_bounds.json"))
    let model = try COBRAReader.model(bytes)
    #expect(model.species.count == 4)
    #expect(model.reactions.count == 8)
    #expect(model.reactions[0].upperBound == .infinity)
    #expect(model.reactions[7].lowerBound == -.infinity)
    #expect(model.compartments.map(\.id.text) == ["bioreactor"])
    let objective = try #require(try FluxAnalysis.solve(FluxProblem(model)).objective)
    #expect(abs(objective - 1.1732667449) < 1e-8)
  }

  @Test(.enabled(if: SBMLTruth.folder != nil, "the shared data are absent"))
  func `a model from SBML keeps its fluxes, gene rules and parts in JSON`() throws {
    let model = try SBMLReader.model(try #require(SBMLTruth.bytes("sbml/e_coli_core.xml"))).model
    let copy = try COBRAReader.model(COBRAWriter.bytes(model))
    #expect(copy.genes == model.genes.map(\.withSecureAddresses))
    #expect(copy.species.map(\.id) == model.species.map(\.id))
    #expect(copy.species.map(\.formula) == model.species.map(\.formula))
    #expect(copy.reactions.count == model.reactions.count)
    for (one, other) in zip(copy.reactions, model.reactions) {
      #expect(one.stoichiometry == other.stoichiometry)
      #expect(one.lowerBound == other.lowerBound && one.upperBound == other.upperBound)
      #expect(one.geneRule == other.geneRule, "\(one.id)")
    }
    #expect(try COBRAReader.model(COBRAWriter.bytes(copy)) == copy)
  }

  @Test func `bare infinities are read as numbers, and those in strings as text`() throws {
    let model = try COBRAReader.model(
      json(#""lower_bound":-Infinity,"upper_bound":Infinity,"name":"to Infinity, \"NaN\"","metabolites":{"a":-1.5}"#))
    #expect(model.reactions[0].lowerBound == -.infinity)
    #expect(model.reactions[0].upperBound == .infinity)
    #expect(model.reactions[0].name == "to Infinity, \"NaN\"")
    #expect(model.reactions[0].stoichiometry == [SpeciesAmount(species: 0, amount: -1.5)])
  }

  @Test func `a file without a model is refused with its position`() {
    #expect(throws: COBRAError.noModel(missing: "metabolites")) { try COBRAReader.model(Array("{}".utf8)) }
    #expect(throws: COBRAError.noModel(missing: "metabolites")) { try COBRAReader.model(Array("[1]".utf8)) }
    #expect(throws: COBRAError.unknown("z", reaction: "r")) { try COBRAReader.model(json(#""metabolites":{"z":1}"#)) }
    #expect(
      throws: COBRAError.placed(
        line: 2, column: 15,
        .wrong(list: "reactions", entry: 1, field: "upper_bound", reason: "is not a number"))
    ) { try COBRAReader.model(json("\"lower_bound\":-Infinity,\n\"upper_bound\":NaN")) }
    let missing = #expect(throws: COBRAError.self) {
      try COBRAReader.model(Array("{\"metabolites\":[\n{\"id\":\"a\"},\n {}],\"reactions\":[]}".utf8))
    }
    #expect(missing?.report.message == "'id' of entry 2 in 'metabolites' is missing (line 3, column 2)")
    #expect(throws: COBRAError.self) { try COBRAReader.model(Array("{\"metabolites\":[".utf8)) }
    #expect(throws: COBRAError.self) { try COBRAReader.model([UInt8](repeating: UInt8(ascii: "["), count: 200_000)) }
  }

  @Test func `unreadable rules and charges are reported, and an infinite weight is refused`() throws {
    let odd = try COBRAReader.document(json(#""gene_reaction_rule":"(b1 and""#))
    #expect(odd.warnings.map(\.id) == ["r"] && odd.model.reactions[0].geneRule == nil && odd.format == .cobra)
    #expect(try COBRAReader.document(json(#""gene_reaction_rule":"b1 and b2""#)).warnings == [])
    let charge = #"{"metabolites":[{"id":"a","charge":0.5}],"reactions":[]}"#
    #expect(try COBRAReader.document(Array(charge.utf8)).warnings.map(\.id) == ["a"])
    #expect(throws: COBRAError.self) { try COBRAReader.model(json(#""objective_coefficient":Infinity"#)) }
  }

  @Test func `data without a place in COBRA JSON is reported`() {
    var model = ReactionModel(id: "m")
    model.species = [ModelSpecies(id: "a")]
    model.reactions = [ModelReaction(id: "r", modifiers: [ReactionModifier(species: 0, .catalyst)])]
    model.groups = [ModelGroup(id: "g")]
    model.objectives = [FluxObjective(id: "o"), FluxObjective(id: "p")]
    model.activeObjective = 1
    let message = COBRAWriter.write(model).warnings.map(\.message)
    #expect(
      message == ["COBRA JSON cannot hold other objectives (1), modifiers (1), groups (1); they are left out"])
    #expect(COBRAWriter.write(ReactionModel(id: "m")).warnings.isEmpty)
  }

  @Test func `database references are grouped when written and read back`() throws {
    var model = ReactionModel(id: "m")
    let addresses = [
      "https://identifiers.org/chebi/CHEBI:1", "https://identifiers.org/chebi/CHEBI:2",
      "https://identifiers.org/kegg.compound/C1", "https://example.org/x",
    ]
    model.species = [
      ModelSpecies(id: "a", isBoundary: true, charge: -3, metadata: ModelMetadata(references: addresses))
    ]
    #expect(try COBRAReader.model(COBRAWriter.bytes(model)) == model)
  }

  @Test func `database references without TLS are grouped too`() throws {
    var model = ReactionModel(id: "m")
    let addresses = ["http://identifiers.org/chebi/CHEBI:1", "https://identifiers.org/chebi/CHEBI:2"]
    model.species = [ModelSpecies(id: "a", metadata: ModelMetadata(references: addresses))]
    let bytes = COBRAWriter.bytes(model)
    #expect(!String(decoding: bytes, as: UTF8.self).contains("\"url\""))
    let again = try COBRAReader.model(bytes).species[0].metadata.references
    #expect(again == ["https://identifiers.org/chebi/CHEBI:1", "https://identifiers.org/chebi/CHEBI:2"])
  }

  private func json(_ reaction: String) -> [UInt8] {
    Array("{\"metabolites\":[{\"id\":\"a\"}],\"reactions\":[{\"id\":\"r\",\(reaction)}],\"genes\":[]}".utf8)
  }
}

extension AnnotatedPart {
  /// The part with the addresses that it has after it was written to COBRA JSON.
  var withSecureAddresses: Self {
    let base = "http://identifiers.org/"
    func secure(_ address: String) -> String {
      address.hasPrefix(base) ? "https://identifiers.org/" + address.dropFirst(base.count) : address
    }
    var part = self
    part.metadata.references = metadata.references.map(secure)
    part.metadata.qualifiers = Dictionary(
      uniqueKeysWithValues: metadata.qualifiers.map { (secure($0.key), $0.value) })
    return part
  }
}
