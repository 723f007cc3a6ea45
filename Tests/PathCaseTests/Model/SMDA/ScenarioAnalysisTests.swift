import PluginAPI
import PluginText
import Synchronization
import TestSupport
import Testing

@testable import PathCase

/// Pages, samples and limits of scenario analysis.
struct ScenarioAnalysisTests {
  /// Returns a ladder: two rails of pools, with reversible steps along and between them; every scenario is a flow
  /// through it.
  static func ladder(_ length: Int) -> ScenarioNetwork {
    var network = ScenarioNetwork(name: "ladder")
    for index in 0..<2 * length {
      let isEnd = index < 2 || index >= 2 * length - 2
      network.pools.append(ScenarioPool(id: Identifier("p\(index)"), isBoundary: isEnd))
    }
    func add(_ from: Int, _ to: Int) {
      network.processes.append(
        ScenarioProcess(
          id: Identifier("\(from)-\(to)"), isReversible: true, inputs: [.init(pool: from, trigger: .available)],
          outputs: [to]))
    }
    for step in 0..<length {
      add(2 * step, 2 * step + 1)
      if step + 1 < length {
        add(2 * step, 2 * step + 2)
        add(2 * step + 1, 2 * step + 3)
      }
    }
    return network
  }

  /// Returns a network in which each pool is connected to each other.
  static func tangle(_ size: Int) -> ScenarioNetwork {
    var network = ScenarioNetwork(name: "tangle")
    network.pools = (0..<size).map { ScenarioPool(id: Identifier("p\($0)")) }
    for from in 0..<size {
      for to in 0..<from {
        network.processes.append(
          ScenarioProcess(
            id: Identifier("\(from)-\(to)"), isReversible: true, inputs: [.init(pool: from, trigger: .available)],
            outputs: [to]))
      }
    }
    return network
  }

  @Test func `pages contain the same scenarios in the same order as the whole list`() throws {
    let analysis = try ScenarioAnalysis(Self.ladder(4))
    let total = try #require(analysis.count.small)
    let all = analysis.page(count: total + 10)
    #expect(all.count == total && total > 100)
    let pages = stride(from: 0, to: total, by: 7).flatMap { analysis.page(from: BigUnsigned($0), count: 7) }
    #expect(pages == all)
    for (number, scenario) in all.enumerated() { #expect(analysis.number(of: scenario) == BigUnsigned(number)) }
    #expect(Set(all).count == total)
    #expect(analysis.page(from: analysis.count, count: 5).isEmpty && analysis.page(count: 0).isEmpty)
  }

  @Test func `a scenario far into an enormous list is found, and maps back to its number`() throws {
    let analysis = try ScenarioAnalysis(Self.ladder(60))
    #expect(analysis.count > BigUnsigned(words: [0, 0, 1]))
    var source = SplitMix64(seed: 4)
    for _ in 0..<20 {
      let number = BigUnsigned.random(below: analysis.count, using: &source)
      #expect(analysis.number(of: try analysis.scenario(number)) == number)
    }
    let last = analysis.page(from: analysis.count - .one, count: 3)
    #expect(last.count == 1)
  }

  @Test func `an impossible scenario has no number`() throws {
    let analysis = try ScenarioAnalysis(Self.ladder(3))
    var states = Array(repeating: ProcessState.idle, count: analysis.network.processes.count)
    #expect(analysis.number(of: Scenario(states: states)) != nil)
    // An internal pool is produced but never consumed.
    states[1] = .forward
    #expect(analysis.number(of: Scenario(states: states)) == nil)
  }

  @Test func `a number after the last scenario is an error`() throws {
    let analysis = try ScenarioAnalysis(Self.ladder(2))
    let count = analysis.count
    #expect(throws: ScenarioError.noSuchScenario((count + .one).description, count: count.description)) {
      try analysis.scenario(count)
    }
  }

  @Test func `samples are the same for the same seed, and about uniform`() throws {
    let analysis = try ScenarioAnalysis(Self.ladder(3))
    let samples = analysis.sample(seed: 5, count: 2_000)
    #expect(samples == analysis.sample(seed: 5, count: 2_000))
    #expect(samples != analysis.sample(seed: 6, count: 2_000))
    let marginals = try analysis.marginals()
    for (process, marginal) in marginals.enumerated() {
      let share = Double(samples.count { $0.states[process] != .idle }) / 2_000
      // Three standard deviations of a fraction in 2 000 draws are at most 0.034.
      #expect(abs(share - marginal.activeShare) < 0.034)
      #expect(marginal.total == analysis.count)
    }
  }

  @Test func `the counts of unconnected components multiply`() throws {
    let one = try ScenarioAnalysis(Self.ladder(3)).count
    var twice = Self.ladder(3)
    let offset = twice.pools.count
    let copy = Self.ladder(3)
    twice.pools += copy.pools
    twice.processes += copy.processes.map { process in
      var moved = process
      moved.inputs = process.inputs.map { .init(pool: $0.pool + offset, trigger: $0.trigger) }
      moved.outputs = process.outputs.map { $0 + offset }
      return moved
    }
    #expect(try ScenarioAnalysis(twice).count == one * one)
    // Limits on all processes together couple the components.
    let limited = try ScenarioAnalysis(twice, restriction: ScenarioRestriction(maximumActive: 2))
    #expect(limited.page(count: 10_000).allSatisfy { $0.active.count <= 2 } && limited.count > .one)
  }

  @Test func `states of more than 64 bits give the same result`() throws {
    let analysis = try ScenarioAnalysis(Self.ladder(5))
    let wide = try FrontierSearch<UInt128>(plan: analysis.graph.plan, limits: SearchLimits()).graph()
    #expect(wide.count == analysis.count && wide.widths == analysis.graph.widths)
    let strict = try ScenarioAnalysis(Self.ladder(5), mode: .strict)
    let wideStrict = try StrictSearch<UInt128>(plan: strict.graph.plan, limits: SearchLimits()).graph()
    #expect(wideStrict.count == strict.count && wideStrict.widths == strict.graph.widths)
  }

  @Test func `a strict search with too many open pools is refused early`() {
    var network = ScenarioNetwork()
    network.pools = (0..<40).map { ScenarioPool(id: Identifier("p\($0)")) }
    network.processes = ["r", "s"].map {
      ScenarioProcess(id: $0, isReversible: true, inputs: (0..<40).map { .init(pool: $0, trigger: .available) })
    }
    let error = #expect(throws: ErrorReport.self) {
      try ScenarioAnalysis(network, mode: .strict, limits: SearchLimits(states: 10_000))
    }
    #expect(error?.report.code == "pathcase.smda-too-wide")
  }

  @Test func `a network that is too wide is refused before it uses up memory`() {
    let limits = SearchLimits(states: 5_000)
    for mode in ScenarioAnalysis.Mode.allCases {
      let error = #expect(throws: ErrorReport.self) {
        try ScenarioAnalysis(Self.tangle(12), mode: mode, limits: limits)
      }
      #expect(error?.report.code == "pathcase.smda-too-wide")
    }
    let error = #expect(throws: ErrorReport.self) {
      try ScenarioAnalysis(Self.ladder(20), limits: SearchLimits(sizeInBytes: 5_000))
    }
    #expect(error?.report.code == "pathcase.smda-too-wide")
  }

  @Test func `a conflict in a network that is too wide is reported`() throws {
    // Balanced at each pool except one, which is full and has no producer.
    var network = Self.tangle(12)
    network.pools.append(ScenarioPool(id: "full", observed: .accumulated))
    network.pools[0].observed = .accumulated
    network.processes.append(
      ScenarioProcess(id: "out", inputs: [.init(pool: 12, trigger: .available)], outputs: [0]))
    let analysis = try ScenarioAnalysis(network, limits: SearchLimits(states: 100))
    let conflict = try #require(try analysis.conflict())
    #expect(conflict.observations == [12] && conflict.chain.last?.isContradiction == true)
  }

  @Test func `a canceled search ends`() {
    let asked = Atomic(0)
    let limits = SearchLimits(isCancelled: { asked.wrappingAdd(1, ordering: .relaxed).newValue > 3 })
    #expect(throws: CancellationError.self) { try ScenarioAnalysis(Self.ladder(8), limits: limits) }
    #expect(asked.load(ordering: .relaxed) == 4)
    // The search for the order of a large network can be canceled too.
    let before = Atomic(0)
    let early = SearchLimits(isCancelled: { before.wrappingAdd(1, ordering: .relaxed).newValue > 1 })
    #expect(throws: CancellationError.self) {
      try EliminationOrder(pools: (0..<200).map { [$0, $0 + 1] }, bits: Array(repeating: 2, count: 201), limits: early)
        .best()
    }
  }

  @Test func `a network without processes has one scenario`() throws {
    #expect(try ScenarioAnalysis(ScenarioNetwork()).count == .one)
    #expect(try ScenarioAnalysis(ScenarioNetwork()).page(count: 2) == [Scenario(states: [])])
    var lone = ScenarioNetwork()
    lone.pools = [ScenarioPool(id: "a", observed: .accumulated)]
    #expect(try ScenarioAnalysis(lone).count.isZero)
    // A process that moves nothing is left out.
    lone.pools[0].observed = nil
    lone.processes = [ScenarioProcess(id: "r", isReversible: true)]
    #expect(try ScenarioAnalysis(lone, mode: .strict).page(count: 2).map(\.text) == ["0"])
  }
}
