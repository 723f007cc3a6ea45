import Testing

@testable import PathCase

struct PathwayViewsTests {
  private func database(_ change: (inout DatabaseRecords) -> Void = { _ in }) throws -> MetabolicDatabase {
    var records = MawSamples.small
    change(&records)
    return try DatabaseLinker.link(records)
  }

  @Test func `a pathway becomes a graph`() throws {
    let graph = try database().graph(ofPathway: 0)
    #expect(graph.id == "w" && graph.nodes.map(\.id) == ["a-c", "b-c", "a-m", "r", "t-a", "v"])
    #expect(graph.nodes.map(\.kind) == [.pool, .pool, .pool, .process, .process, .pathway])
    #expect(graph.nodes.map(\.isPrimary) == [true, false, true, true, true, false])
    #expect(graph.nodes[1].isCommon && graph.nodes[0].label == "α \"A\" <1>")
    // The matrix is in the cytosol, which encloses the transport between them.
    #expect(graph.compartments.map(\.id) == ["c", "m"] && graph.compartments.map(\.parent) == [nil, 0])
    #expect(graph.nodes.map(\.compartment) == [0, 0, 1, 0, 0, nil])
    #expect(graph.edges.map(\.source) == [0, 3, 2, 0, 4, 2] && graph.edges.map(\.target) == [3, 1, 3, 4, 2, 5])
    #expect(graph.edges.map(\.kind) == [.flow, .flow, .inhibition, .flow, .flow, .association])
    #expect(graph.edges.map(\.isReversible) == [true, true, false, false, false, false])
    #expect(graph.nodes.allSatisfy { $0.frame == nil })
  }

  @Test func `a stored layout places nodes and bends edges`() throws {
    let graph = try database { records in
      records.layouts[0].nodes.append(FrozenNode(ref: "a-c", clone: "2", x: 2, y: 0))
      records.layouts[0].paths[0].points.append(FrozenPath.Point(x: 9, y: 9))
    }.graph(ofPathway: 1)
    #expect(graph.nodes.map(\.id) == ["a-c", "a-c", "a-m", "t-a"])
    #expect(graph.nodes[1].frame == GraphFrame(x: 2, y: 0, width: 80, height: 30))
    // The edge goes to the nearer place, and its bends start at the pool.
    #expect(graph.edges[0].source == 1 && graph.edges[0].bends.map(\.x) == [9, 0.5])
  }

  @Test func `an empty pathway is an empty graph`() throws {
    let graph = try database { $0.pathways.append(MetabolicPathway(id: "e", name: "Empty")) }.graph(ofPathway: 2)
    #expect(graph.nodes.isEmpty && graph.edges.isEmpty && graph.name == "Empty")
  }

  @Test func `a pathway becomes a scenario network`() throws {
    let network = try database { $0.processes[0].participants[1].pool = "a-m" }
      .scenarioNetwork(ofPathways: [0], observed: ["a-c": LevelSet([.accumulated]), "ghost": []])
    #expect(network.pools.map(\.id) == ["a-c", "a-m"] && network.pools.map(\.isBoundary) == [false, true])
    #expect(network.pools[0].observed == LevelSet([.accumulated]) && network.pools[1].observed == nil)
    // The pathway's condition overrides the default trigger.
    #expect(network.processes[0].inputs == [.init(pool: 0, trigger: .accumulated)])
    #expect(network.processes[0].outputs == [1])
    #expect(network.processes[0].inhibitors == [.init(pool: 1, trigger: .severelyAccumulated)])
    #expect(network.processes[1].inputs == [.init(pool: 0, trigger: .available, isUsual: true)])
  }

  @Test func `pools that other pathways change are boundaries, and common molecules are left out`() throws {
    let network = try database().scenarioNetwork(ofPathways: [1])
    #expect(network.processes.map(\.id) == ["t-a"] && network.pools.map(\.isBoundary) == [true, true])
    let both = try database().scenarioNetwork(ofPathways: [0, 1])
    #expect(both.processes.map(\.id) == ["r", "t-a"] && both.processes[0].outputs.isEmpty)
    #expect(!both.pools.contains { $0.id == "b-c" })
  }

  @Test func `a pool on both sides of a process becomes a condition only`() throws {
    let network = try database { records in
      records.processes[0].participants = [
        Participant(pool: "a-c", role: .substrate), Participant(pool: "a-c", role: .product),
        Participant(pool: "a-m", role: .product),
      ]
      records.activations = []
    }.scenarioNetwork(ofPathways: [0])
    #expect(network.processes[0].inputs.isEmpty && network.processes[0].outputs == [1])
    #expect(network.processes[0].activators == [.init(pool: 0, trigger: .available, isUsual: true)])
  }

  @Test func `a condition applies to the named role where a pool has several`() throws {
    func network(_ conditions: [(Identifier, Participant.Role, MetaboliteLevel)]) throws -> ScenarioNetwork {
      try database { records in
        records.processes[0].participants = [
          Participant(pool: "a-c", role: .substrate), Participant(pool: "a-m", role: .product),
          Participant(pool: "a-m", role: .inhibitor),
        ]
        records.activations = [
          PathwayActivation(
            pathway: "w",
            conditions: conditions.map { ActivationCondition(process: "r", pool: $0, role: $1, trigger: $2) })
        ]
      }.scenarioNetwork(ofPathways: [0])
    }
    let later = try network([("a-m", .inhibitor, .severelyAccumulated)]).processes[0]
    #expect(later.inhibitors == [.init(pool: 1, trigger: .severelyAccumulated)] && later.outputs == [1])
    // A substrate may prevent its own process from running if there is too much of it.
    let both = try network([("a-c", .inhibitor, .accumulated), ("a-c", .substrate, .accumulated)]).processes[0]
    #expect(both.inputs == [.init(pool: 0, trigger: .accumulated)])
    #expect(both.inhibitors.contains(.init(pool: 0, trigger: .accumulated)))
    // Neither products nor catalysts have to be present.
    let others = try network([("a-c", .product, .available), ("a-m", .catalyst, .accumulated)]).processes[0]
    #expect(others.activators.isEmpty && others.inhibitors.map(\.trigger) == [.accumulated])
  }

  @Test func `stoichiometric amounts other than 1 are included in a pathway's network`() throws {
    let network = try database { records in
      records.processes[0].participants = [
        Participant(pool: "a-c", role: .substrate, stoichiometry: 2), Participant(pool: "a-m", role: .product),
        Participant(pool: "a-m", role: .cofactorIn, stoichiometry: 3),
      ]
      records.activations = []
    }.scenarioNetwork(ofPathways: [0, 1])
    #expect(network.processes[0].amounts == [0: -2, 1: -2] && network.processes[1].amounts == nil)
    #expect(network.processes[1].changes == [0: -1, 1: 1])
  }

  @Test(arguments: [
    (1.0, MetaboliteLevel.unavailable), (2, .available), (3, .available), (3.5, .accumulated), (4, .accumulated),
    (4.5, .severelyAccumulated),
  ])
  func `concentrations become levels`(_ concentration: Double, _ level: MetaboliteLevel) {
    let range = BiofluidRange(pool: "p", unavailableBelow: 2, accumulatedAbove: 3, severeAbove: 4)
    #expect(LevelThresholds(range).level(of: concentration) == level)
  }
}
