import PluginAPI
import TestSupport
import Testing

@testable import PathCase

@Suite struct CarrierMoleculesTests {
  private static let chebi = "https://identifiers.org/chebi/CHEBI:"
  private static let kegg = "https://identifiers.org/kegg.compound/"

  @Test(
    arguments: [
      "M_atp_c", "atp_c", "atp[c]", "atp", "M_h_e", "h_p", "h[m]", "M_pi", "M_atp_LSQBKT_c_RSQBKT_", "C00002",
      "cpd:C00002", "M_q8h2_c", "M_fdxo_2_2_c", "o2_c0", "M_ACP_c",
    ])
  func `ids of models identify carriers`(id: String) {
    #expect(CarrierMolecules.contains(ModelSpecies(id: Identifier(id), name: "something")))
  }

  @Test(
    arguments: [
      "h", "k", "pi", "M_pyr_c", "M_glu__L_c", "M_accoa_c", "k_max", "h_1", "h_total", "atpase_c", "C00022", "", "_",
      "M_", "[c]", "_c", "]", "cpd:", "M_h2_c", "_LSQBKT_", "x_RSQBKT_",
    ])
  func `similar ids of other molecules do not identify carriers`(id: String) {
    #expect(!CarrierMolecules.contains(ModelSpecies(id: Identifier(id), name: "something")))
  }

  @Test(
    arguments: [
      "ATP", "ATP C10H12N5O13P3", "H2O H2O", "H₂O", "NAD⁺", "NAD+", "NAD(+)", "ATP(4-)", "ATP [cytoplasm]", "H+",
      "CO2 CO2 [c]", "Nicotinamide adenine dinucleotide - reduced", "coenzyme A", "Phosphate", "Pi", "Ubiquinol-8",
    ])
  func `names identify carriers`(name: String) {
    #expect(CarrierMolecules.contains(ModelSpecies(id: "s_0001", name: name)))
    #expect(CarrierMolecules.contains(GraphNode(id: "s_0001", label: name, kind: .pool)))
    #expect(!CarrierMolecules.contains(GraphNode(id: "s_0001", label: name, kind: .process)))
  }

  @Test(
    arguments: ["H", "K", "Pyruvate C3H3O3", "ATP synthase", "Acetyl-CoA", "", " ", "[c]", "(+)", "C10H12N5O13P3"])
  func `similar names of other molecules do not identify carriers`(name: String) {
    #expect(!CarrierMolecules.contains(ModelSpecies(id: "s_0001", name: name)))
  }

  @Test func `ids serve as names where names are missing`() {
    #expect(CarrierMolecules.contains(ModelSpecies(id: "NADH")) && CarrierMolecules.contains(ModelSpecies(id: "Pi")))
    #expect(!CarrierMolecules.contains(ModelSpecies(id: "K")) && !CarrierMolecules.contains(ModelSpecies(id: "H")))
  }

  @Test func `formulas identify otherwise unknown carriers, and overrule ids and names`() {
    func tells(_ id: Identifier, _ name: String, _ formula: String) -> Bool {
      CarrierMolecules.contains(ModelSpecies(id: id, name: name, formula: formula))
    }
    #expect(tells("s1", "", "H2O") && tells("s1", "", "H4N") && tells("s1", "", "O4P") && tells("s1", "", "Na"))
    // dGTP has the same atoms as ATP, and formate those of carbon dioxide except for hydrogen.
    #expect(!tells("s1", "", "C10H12N5O13P3") && !tells("s1", "", "CHO2") && !tells("s1", "", "H2"))
    #expect(tells("M_atp_c", "ATP", "C10H16N5O13P3") && tells("M_h_c", "H+", "H"))
    #expect(!tells("M_k_c", "k", "C3H3O3") && !tells("M_h_c", "H+", "H2") && !tells("x", "ATP", "C6H12O6"))
    // A text that is not a formula is ignored.
    for odd in ["", "?", "c6h12", "C6H12O6*", "9", "C99999999999999999999999"] {
      #expect(tells("M_h2o_c", "", odd) && !tells("s1", "", odd), "\(odd)")
    }
  }

  @Test func `references identify carriers if all of them agree`() {
    func tells(_ references: [String]) -> Bool {
      CarrierMolecules.contains(ModelSpecies(id: "s1", metadata: ModelMetadata(references: references)))
    }
    #expect(
      tells([Self.chebi + "30616"]) && tells([Self.kegg + "C00001"]) && tells(["urn:miriam:obo.chebi:CHEBI%3A15377"]))
    #expect(tells([Self.chebi + "15422", Self.kegg + "C00002", "https://identifiers.org/hmdb/HMDB0000538"]))
    #expect(!tells([Self.chebi + "30616", Self.chebi + "17234"]) && !tells([]) && !tells(["", "/", ":%"]))
    // The number of another database.
    #expect(!tells(["https://identifiers.org/pubchem.compound/30616"]) && !tells([Self.kegg]))
  }

  @Test func `each carrier's id, names and references are listed once`() {
    let ids = CarrierMolecule.all.map(\.id)
    #expect(Set(ids).count == ids.count)
    let references = CarrierMolecule.all.flatMap(\.references)
    #expect(Set(references).count == references.count)
    let names = CarrierMolecule.all.flatMap { $0.names + [$0.id.lowercased()] }
    #expect(Set(names).count == names.count)
  }
}

@Suite struct CommonSpeciesTests {
  private func model(_ species: [Identifier], _ reactions: [[Int]]) -> ReactionModel {
    var model = ReactionModel(id: "m")
    model.species = species.map { ModelSpecies(id: $0) }
    model.reactions = reactions.enumerated().map { number, parts in
      var reaction = ModelReaction(id: Identifier("r\(number)"))
      reaction.stoichiometry = parts.enumerated().map { SpeciesAmount(species: $1, amount: $0 == 0 ? -1 : 1) }
      return reaction
    }
    return model
  }

  @Test func `carriers are common however rarely they are used, and other species are not`() {
    let busy = model(["hub", "ATP"] + (0..<20).map { Identifier("s\($0)") }, (0..<20).map { [0, $0 + 2] } + [[1, 2]])
    #expect(busy.commonSpecies == [1])
    #expect(busy.graph.nodes.indices.filter { busy.graph.nodes[$0].isCommon } == [1])
    #expect(busy.scenarioNetwork.pools.contains { $0.id == "hub" })
    #expect(!busy.scenarioNetwork.pools.contains { $0.id == "ATP" })
  }

  @Test func `a species of very many reactions is common if no carrier is known`() {
    let opaque = model(["hub"] + (0..<20).map { Identifier("s\($0)") }, (0..<15).map { [0, $0 + 1] })
    #expect(opaque.commonSpecies == [0])
    let less = model(["hub"] + (0..<20).map { Identifier("s\($0)") }, (0..<14).map { [0, $0 + 1] })
    #expect(less.commonSpecies.isEmpty)
  }

  @Test func `amounts are included in a model's network, with the signs of reversed reactions`() {
    var turned = model(["a", "b", "c"], [[0, 1], [1, 2]])
    turned.reactions[0].stoichiometry[1].amount = 2
    (turned.reactions[0].lowerBound, turned.reactions[0].upperBound) = (-10, 0)
    let processes = turned.scenarioNetwork.processes
    #expect(processes[0].inputs.map(\.pool) == [1] && processes[0].amounts == [0: 1, 1: -2])
    #expect(processes[1].amounts == nil && processes[1].changes == [1: -1, 2: 1])
  }

  @Test func `a reaction of several substrates without products is a process, one of a single species an exchange`() {
    var growing = model(["a", "b", "c"], [[0, 1], [1, 2], [2]])
    growing.reactions.append(
      ModelReaction(
        id: "growth", stoichiometry: [.init(species: 1, amount: -1), .init(species: 2, amount: -1)], lowerBound: 0))
    let network = growing.scenarioNetwork
    #expect(network.processes.map(\.id) == ["r0", "r1", "growth"])
    #expect(network.pools.map(\.isBoundary) == [false, false, true], "only c is exchanged")
  }

  @Test func `a model that contains only carriers keeps them`() {
    let energy = model(["ATP", "ADP"], [[0, 1]])
    #expect(energy.commonSpecies.isEmpty && energy.scenarioNetwork.processes.count == 1)
  }

  @Test(.enabled(if: SBMLTruth.folder != nil, "the shared data is absent"))
  func `the core model has the scenarios of its network without currency metabolites`() throws {
    let network = try SBMLReader.model(try #require(SBMLTruth.bytes("sbml/e_coli_core.xml"))).model.scenarioNetwork
    let truth = try ScenarioTruth.example("e1_e_coli_core_free.json")
    #expect(Set(network.pools.map(\.id)) == Set(truth.network.pools.map(\.id)))
    let growth = try #require(network.processes.firstIndex { $0.id == "R_BIOMASS_Ecoli_core_w_GAM" })
    #expect(
      Set(network.processes.map(\.id)).subtracting(["R_BIOMASS_Ecoli_core_w_GAM"])
        == Set(truth.network.processes.map(\.id)))
    // The network of the ground truth does not grow.
    let idle = ScenarioRestriction(states: [growth: .idle])
    let analysis = try ScenarioAnalysis(network, restriction: idle)
    #expect(analysis.count.description == truth.expected["scenarios"]?.text)
  }

  @Test(.enabled(if: SBMLTruth.folder != nil, "the shared data is absent"))
  func `a large model keeps the molecules of its main chains`() throws {
    let bytes = try #require(SBMLTruth.bytes("sbml/iJO1366.xml.gz"))
    let model = try SBMLReader.model(bytes).model
    let common = Set(model.commonSpecies.map { model.species[$0].id })
    #expect(common.isSuperset(of: ["M_atp_c", "M_h_p", "M_nadph_c", "M_coa_c", "M_q8_c", "M_pi_e"]))
    #expect(
      common.isDisjoint(with: ["M_pyr_c", "M_glu__L_c", "M_accoa_c", "M_pep_c", "M_succ_c", "M_glc__D_c", "M_for_c"]))
    #expect((70...100).contains(common.count), "\(common.count)")
  }
}
