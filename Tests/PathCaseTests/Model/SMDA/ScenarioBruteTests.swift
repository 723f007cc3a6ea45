import PluginText
import TestSupport
import Testing

@testable import PathCase

/// Scenario analysis compared with an exhaustive check of the rules on random networks.
struct ScenarioBruteTests {
  private static let seeds = Array(UInt64(1)...60)

  private func network(_ seed: UInt64) -> ScenarioNetwork {
    var source = SplitMix64(seed: seed)
    return .random(using: &source)
  }

  /// Returns a network with most levels observed, so that many contradict the rules.
  private func observedNetwork(_ seed: UInt64) -> ScenarioNetwork {
    var source = SplitMix64(seed: 1000 + seed)
    var network = ScenarioNetwork.random(using: &source)
    let levels = MetaboliteLevel.allCases.prefix(network.rules.levels)
    for pool in network.pools.indices where Int.random(in: 0..<4, using: &source) > 0 {
      network.pools[pool].observed = levels.randomElement(using: &source).map { LevelSet([$0]) }
    }
    return network
  }

  private func texts(_ scenarios: [Scenario]) -> [String] { scenarios.map(\.text).sorted() }

  @Test(arguments: seeds)
  func `scenarios and their levels match an exhaustive search`(seed: UInt64) throws {
    let network = network(seed)
    let truth = BruteScenarios(network: network).all()
    let analysis = try ScenarioAnalysis(network)
    #expect(texts(analysis.page(count: 10_000)) == texts(truth.map(\.scenario)))
    #expect(analysis.count == BigUnsigned(truth.count))
    #expect(try analysis.pairs() == BigUnsigned(truth.reduce(0) { $0 + $1.labellings.count }))
    for (scenario, labellings) in truth {
      let levels = network.pools.indices.map { pool in LevelSet(labellings.map { $0[pool] }) }
      #expect(try analysis.levels(of: scenario) == levels)
    }
    let all = network.pools.indices.map { pool in LevelSet(truth.flatMap { $0.labellings.map { $0[pool] } }) }
    #expect(try analysis.levels() == all)
  }

  @Test(arguments: seeds)
  func `strict scenarios and their levels match an exhaustive search`(seed: UInt64) throws {
    let network = network(seed)
    let truth = BruteScenarios(network: network, isStrict: true).all()
    let analysis = try ScenarioAnalysis(network, mode: .strict)
    #expect(texts(analysis.page(count: 10_000)) == texts(truth.map(\.scenario)))
    #expect(analysis.count == BigUnsigned(truth.count))
    for (scenario, labellings) in truth.prefix(2) {
      let levels = network.pools.indices.map { pool in LevelSet(labellings.map { $0[pool] }) }
      #expect(try analysis.levels(of: scenario) == levels)
    }
  }

  @Test(arguments: seeds)
  func `marginals and processes that must or never run agree with the scenarios`(seed: UInt64) throws {
    let network = network(seed)
    let analysis = try ScenarioAnalysis(network)
    let all = analysis.page(count: 10_000)
    #expect(analysis.fewestActive == all.map(\.active.count).min())
    let marginals = try analysis.marginals()
    for (process, marginal) in marginals.enumerated() {
      let states = all.map { $0.states[process] }
      #expect(marginal.forward == BigUnsigned(states.count { $0 == .forward }))
      #expect(marginal.backward == BigUnsigned(states.count { $0 == .backward }))
      #expect(marginal.idle == BigUnsigned(states.count { $0 == .idle }))
      #expect(analysis.mustActive.contains(process) == (!all.isEmpty && !states.contains(.idle)))
      #expect(analysis.neverActive.contains(process) == states.allSatisfy { $0 == .idle })
    }
  }

  @Test(arguments: seeds)
  func `restrictions select the scenarios that meet them`(seed: UInt64) throws {
    var source = SplitMix64(seed: seed + 1_000)
    let network = network(seed)
    var restriction = ScenarioRestriction(maximumActive: Int.random(in: 0...network.processes.count, using: &source))
    for process in network.processes.indices where Bool.random(using: &source) {
      restriction.states[process] = ProcessStates(rawValue: UInt8.random(in: 1...7, using: &source))
    }
    for _ in 0..<Int.random(in: 0...2, using: &source) {
      restriction.anyActive.append(network.processes.indices.filter { _ in Bool.random(using: &source) })
    }
    for mode in ScenarioAnalysis.Mode.allCases {
      let analysis = try ScenarioAnalysis(network, mode: mode)
      let wanted = analysis.page(count: 10_000).filter { scenario in
        scenario.active.count <= restriction.maximumActive ?? 0
          && restriction.anyActive.allSatisfy { group in scenario.active.contains { group.contains($0) } }
          && scenario.states.enumerated().allSatisfy { restriction.allowed($0.offset).contains($0.element) }
      }
      let restricted = try analysis.restricted(restriction)
      #expect(texts(restricted.page(count: 10_000)) == texts(wanted))
      #expect(restricted.count == BigUnsigned(wanted.count))
      if mode == .necessary {
        let pairs = try wanted.map { try analysis.levels(of: $0).reduce(1) { $0 * $1.count } }.reduce(0, +)
        #expect(try restricted.pairs() == BigUnsigned(pairs))
      }
    }
  }

  @Test func `some random networks contradict their observations, and chains of rules explain why`() throws {
    let conflicts = try Self.seeds.compactMap { try ScenarioAnalysis(observedNetwork($0)).conflict() }
    #expect(conflicts.count > 10 && conflicts.count < Self.seeds.count)
    #expect(conflicts.count { !$0.chain.isEmpty } > 10 && conflicts.contains { $0.observations.count > 1 })
  }

  @Test(arguments: seeds)
  func `a conflict is real and minimal`(seed: UInt64) throws {
    let network = observedNetwork(seed)
    for mode in ScenarioAnalysis.Mode.allCases {
      let analysis = try ScenarioAnalysis(network, mode: mode)
      guard let conflict = try analysis.conflict() else {
        #expect(!analysis.count.isZero)
        continue
      }
      func count(_ observed: [Int]) throws -> BigUnsigned {
        var partial = network
        for pool in network.pools.indices where !observed.contains(pool) { partial.pools[pool].observed = nil }
        return try ScenarioAnalysis(partial, mode: mode).count
      }
      #expect(try count(conflict.observations).isZero)
      for pool in conflict.observations {
        #expect(try !count(conflict.observations.filter { $0 != pool }).isZero)
      }
      let chain = conflict.chain
      #expect(chain.isEmpty || chain.last?.isContradiction == true)
      for (place, fact) in chain.enumerated() { #expect(fact.causes.allSatisfy { $0 < place }) }
    }
  }
}
