import Testing

@testable import PathCase

struct PlainIdentifiersTests {
  @Test func `ids used by several kinds of items are made unique, and references follow`() throws {
    var model = ReactionModel(id: "x")
    model.compartments = [ModelCompartment(id: "c")]
    model.species = [ModelSpecies(id: "x", compartment: 0), ModelSpecies(id: "1-a", compartment: 0)]
    model.reactions = [
      ModelReaction(id: "x", stoichiometry: [SpeciesAmount(species: 0, amount: -1)], geneRule: .gene(0)),
      ModelReaction(id: "1-a"), ModelReaction(id: "R_x"),
    ]
    model.genes = [ModelGene(id: "x")]
    model.parameters = [ModelParameter(id: "c", value: 1)]
    model.objectives = [FluxObjective(id: "x", terms: [.init(reaction: 0, weight: 1)])]
    model.activeObjective = 0
    model.groups = [ModelGroup(id: "g", kind: "collection", members: ["1-a", "c"])]
    var layout = ModelLayout(id: "l")
    layout.glyphs = [
      LayoutGlyph(kind: .species, id: "l1", object: "x"), LayoutGlyph(kind: .reaction, id: "l2", object: "x"),
    ]
    model.layouts = [layout]
    let (plain, changed) = model.withPlainIdentifiers()
    #expect(plain.species.map(\.id) == ["x", "M_1_a"])
    #expect(plain.reactions.map(\.id) == ["R_x_2", "R_1_a", "R_x"])
    #expect(plain.genes == [ModelGene(id: "G_x", name: "x")] && plain.objectives.map(\.id) == ["O_x"])
    #expect(plain.parameters.map(\.id) == ["P_c"] && plain.id == "N_x" && changed == 7)
    #expect(plain.groups[0].members == ["R_1_a", "c"])
    #expect(plain.layouts[0].glyphs.map(\.object) == ["x", "R_x_2"])
    // SBML has one namespace for all ids: without renaming, this could not be read back.
    let bytes = try SBMLWriter.bytes(plain)
    #expect(try SBMLValidator.problems(bytes).isEmpty)
    #expect(try SBMLReader.model(bytes).model.reactions == plain.reactions)
  }

  @Test func `a model with usable ids is unchanged`() {
    var model = ReactionModel(id: "m")
    model.species = [ModelSpecies(id: "a"), ModelSpecies(id: "b")]
    model.reactions = [ModelReaction(id: "r")]
    let (plain, changed) = model.withPlainIdentifiers()
    #expect(plain == model && changed == 0)
  }
}
