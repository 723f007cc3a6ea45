import Testing

@testable import PathCase

struct ScenarioNetworkGraphTests {
  @Test func `a scenario network is drawn, also if a pool and a process share an id`() {
    var network = ScenarioNetwork(name: "n")
    network.pools = ["a", "b", "i"].map { ScenarioPool(id: $0) }
    network.processes = [
      ScenarioProcess(
        id: "r", isReversible: true, inputs: [.init(pool: 0, trigger: .available)], outputs: [1],
        inhibitors: [.init(pool: 2, trigger: .accumulated)], activators: [.init(pool: 1, trigger: .available)]),
      ScenarioProcess(id: "a", inputs: [.init(pool: 1, trigger: .available)], outputs: []),
    ]
    let graph = network.graph
    #expect(graph.nodes.map(\.kind) == [.pool, .pool, .pool, .process, .process])
    #expect(Set(graph.nodes.map(\.id)).count == 5 && graph.nodes[4].entity == "a")
    #expect(graph.edges.map(\.kind) == [.flow, .flow, .inhibition, .activation, .flow])
    #expect(graph.edges.map(\.isReversible) == [true, true, false, false, false])
    #expect(graph.edges[0].source == 0 && graph.edges[0].target == 3 && graph.edges[1].target == 1)
  }
}
