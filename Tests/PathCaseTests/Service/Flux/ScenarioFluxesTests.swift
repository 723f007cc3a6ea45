import PluginAPI
import Testing

@testable import PathCase

@Suite struct ScenarioFluxesTests {
  /// A path into the pool `a`, from there to `b` or `c`, and out of both, in one step that consumes both.
  private var network: ScenarioNetwork {
    var network = ScenarioNetwork()
    network.pools = ["x", "a", "b", "c", "y"].map { ScenarioPool(id: $0, isBoundary: $0 == "x" || $0 == "y") }
    func process(_ id: Identifier, _ inputs: [Int], _ outputs: [Int]) -> ScenarioProcess {
      ScenarioProcess(
        id: id, isReversible: true, inputs: inputs.map { .init(pool: $0, trigger: .available) }, outputs: outputs)
    }
    network.processes = [
      process("in", [0], [1]), process("ab", [1], [2]), process("ac", [1], [3]), process("out", [2, 3], [4]),
    ]
    return network
  }

  private func hasFlux(_ states: String) throws -> Bool {
    try ScenarioFluxes(network).hasFlux(
      Scenario(states: states.map { $0 == "+" ? .forward : $0 == "-" ? .backward : .idle }))
  }

  @Test func `only balanced scenarios have fluxes`() throws {
    #expect(try hasFlux("++++"))
    #expect(try hasFlux("----"))
    #expect(try hasFlux("0000"))
    #expect(try !hasFlux("+++0"))
    #expect(try !hasFlux("++0+"))
    #expect(try !hasFlux("+-++"))
    #expect(try !hasFlux("+"))
  }

  @Test func `stoichiometric amounts other than 1 are respected`() throws {
    var network = network
    #expect(try ScenarioFluxes(network).hasFlux(Scenario(states: [.forward, .forward, .forward, .forward])))
    // One step has one of each pool, the next consumes two of the first for one of the other.
    network.processes[1] = ScenarioProcess(
      id: "split", inputs: [.init(pool: 1, trigger: .available)], outputs: [2, 3])
    network.processes[2] = ScenarioProcess(id: "none", inputs: [], outputs: [])
    let running = Scenario(states: [.forward, .forward, .idle, .forward])
    #expect(try ScenarioFluxes(network).hasFlux(running))
    network.processes[3].take(amounts: [2: -2, 3: -1, 4: 1])
    #expect(try !ScenarioFluxes(network).hasFlux(running))
    let cover = ModeCover(try ElementaryModes(try ModeProblem(network)), processes: 4)
    #expect(!cover.hasFlux(running))
    network.processes[1].take(amounts: [1: -1, 2: 4, 3: 2])
    #expect(try ScenarioFluxes(network).hasFlux(running))
    #expect(ModeCover(try ElementaryModes(try ModeProblem(network)), processes: 4).hasFlux(running))
  }

  @Test func `a reused linear program gives the same result as a new one`() throws {
    let fluxes = try ScenarioFluxes(network)
    let states: [ProcessState] = [.idle, .forward, .backward]
    var possible = 0
    for number in 0..<81 {
      let scenario = Scenario(states: [1, 3, 9, 27].map { states[number / $0 % 3] })
      let answer = try fluxes.hasFlux(scenario)
      #expect(try answer == ScenarioFluxes(network).hasFlux(scenario))
      if answer { possible += 1 }
    }
    // All forward, all backward, or all idle: the pools in between permit nothing else.
    #expect(possible == 3)
  }
}

@Suite(.enabled(if: !ScenarioTruth.names.isEmpty, "the shared data is missing"))
struct ScenarioFluxesTruthTests {
  @Test(arguments: ScenarioTruth.names)
  func `the number of scenarios with fluxes matches other programs`(name: String) throws {
    let example = try ScenarioTruth.example(name)
    guard let known = example.expected["scenarios_flux_realizable"]?.integer else { return }
    let analysis = try ScenarioAnalysis(example.network)
    let real = RealizableScenarios(analysis: analysis, feasibility: try ScenarioFluxes(example.network))
    let entries = try real.page(count: 20_000).entries
    #expect(entries.count == known)
    if let digest = example.expected["sha256_realizable"]?.text {
      #expect(ScenarioTruth.digest(entries.map(\.scenario)) == digest)
    }
  }
}
