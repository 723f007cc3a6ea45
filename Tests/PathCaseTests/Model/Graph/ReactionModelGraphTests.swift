import Testing

@testable import PathCase

struct ReactionModelGraphTests {
  @Test func `modifiers are drawn by their effect, and genes and references are included`() {
    var model = ReactionModel(id: "m")
    model.species = ["a", "b", "c", "d"].map {
      ModelSpecies(id: $0, metadata: ModelMetadata(references: ["urn:\($0)"]))
    }
    model.genes = [ModelGene(id: "g1", name: "one"), ModelGene(id: "g2")]
    model.reactions = [
      ModelReaction(
        id: "r", stoichiometry: [SpeciesAmount(species: 0, amount: -1)],
        modifiers: [
          ReactionModifier(species: 1, .inhibitor), ReactionModifier(species: 2, .activator),
          ReactionModifier(species: 3, .catalyst), ReactionModifier(species: 0, .unknown),
        ], geneRule: .all([.gene(0), .gene(1)]), metadata: ModelMetadata(references: ["urn:r"]))
    ]
    let graph = model.graph
    #expect(graph.edges.map(\.kind) == [.flow, .inhibition, .activation, .catalysis, .catalysis])
    #expect(graph.nodes[4].geneRule == "g1 and g2" && graph.nodes[4].genes.map(\.name) == ["one", ""])
    #expect(graph.nodes.map(\.references) == [["urn:a"], ["urn:b"], ["urn:c"], ["urn:d"], ["urn:r"]])
    // The conversion back goes through the graph.
    #expect(graph.model.reactions[0].modifiers.map(\.kind) == [.inhibitor, .activator, .catalyst, .catalyst])
  }

  @Test func `a reaction with the id of a species is a separate node in every format`() throws {
    var model = ReactionModel(id: "m")
    model.species = [ModelSpecies(id: "7"), ModelSpecies(id: "8")]
    model.reactions = [
      ModelReaction(
        id: "7", stoichiometry: [SpeciesAmount(species: 0, amount: -1), SpeciesAmount(species: 1, amount: 1)])
    ]
    var graph = model.graph
    #expect(Set(graph.nodes.map(\.id)).count == 3)
    #expect(String(decoding: DOTWriter.write(graph), as: UTF8.self).contains("\"7\" -> \"7 (reaction)\""))
    for index in graph.nodes.indices {
      graph.nodes[index].frame = GraphFrame(x: Double(index) * 50, y: 0, width: 20, height: 20)
    }
    for write in PlacedMapWriters.all {
      let written = try write(MapDocument(format: .contract, graph: graph))
      let again = try MapReader.read(written.bytes)
      #expect(again.graph.nodes.count == 3 && again.graph.edges.count == 2, "\(again.format)")
    }
  }
}
