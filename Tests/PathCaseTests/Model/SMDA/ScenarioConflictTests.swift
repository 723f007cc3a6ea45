import PluginAPI
import Testing

@testable import PathCase

/// The explanations of missing scenarios.
struct ScenarioConflictTests {
  /// Returns `a -> b -> c` with boundaries outside.
  private func chain(_ observed: [LevelSet?]) -> ScenarioNetwork {
    var network = ScenarioNetwork()
    network.pools = zip(["a", "b", "c"], observed).map {
      ScenarioPool(id: Identifier($0), isBoundary: $0 != "b", observed: $1)
    }
    network.processes = [
      ScenarioProcess(id: "make", inputs: [.init(pool: 0, trigger: .available)], outputs: [1]),
      ScenarioProcess(id: "take", inputs: [.init(pool: 1, trigger: .available)], outputs: [2]),
    ]
    return network
  }

  @Test func `a conflict is explained step by step, with each rule and its causes`() throws {
    let network = chain([.accumulated, .accumulated, .unavailable])
    let conflict = try #require(try ScenarioAnalysis(network).conflict())
    #expect(conflict.observations == [1, 2])
    #expect(conflict.summary(in: network) == "there is no scenario with b = C and c = U together")
    #expect(
      conflict.lines(in: network) == [
        "1. pool b is accumulated: a pool has its observed level",
        "2. pool c is unavailable: a pool has its observed level",
        "3. process take is idle: a produced pool is present (c) (from 2)",
        "4. process make is idle: a pool inside the network is produced if and only if it is consumed (b) (from 3)",
        "5. pool b can have no level: an accumulated pool inside the network is produced (from 1, 4)",
      ])
  }

  @Test func `a restriction can be part of a conflict`() throws {
    let network = chain([nil, .accumulated, nil])
    let analysis = try ScenarioAnalysis(network, restriction: ScenarioRestriction(states: [1: .idle]))
    let conflict = try #require(try analysis.conflict())
    #expect(conflict.observations == [1] && conflict.restrictions == [1] && !conflict.limitsActive)
    #expect(conflict.summary(in: network) == "there is no scenario with b = C and the restriction of take together")
    let group = ScenarioRestriction(anyActive: [[1], [0, 1]])
    let empty = try #require(try ScenarioAnalysis(chain([nil, nil, .unavailable]), restriction: group).conflict())
    #expect(empty.observations == [2] && empty.groups == [1])
    #expect(empty.summary(in: network).hasSuffix(" and one active process of group 2 together"))
    var named = group
    named.groupNames = [[1]: "the first", [0, 1]: "glycolysis"]
    let told = try #require(try ScenarioAnalysis(chain([nil, nil, .unavailable]), restriction: named).conflict())
    #expect(told.summary(in: network).hasSuffix("one active process of glycolysis together"))
    #expect(group.and(named).groupNames == named.groupNames)
    #expect(
      empty.lines(in: network).last
        == "4. process take can have no state: one process of a required group is active (from 2, 3)")
  }

  @Test func `the limit of active processes is explained too`() throws {
    let network = chain([nil, .accumulated, nil])
    let limited = try ScenarioAnalysis(network, restriction: ScenarioRestriction(maximumActive: 1))
    let limit = try #require(try limited.conflict())
    #expect(limit.observations == [1] && limit.restrictions.isEmpty && limit.limitsActive && limit.fewestActive == 2)
    #expect(
      limit.lines(in: network) == [
        "1. pool b is accumulated: a pool has its observed level",
        "2. process make runs forward: an accumulated pool inside the network is produced (b) (from 1)",
        "3. process take runs forward: a pool inside the network is produced if and only if it is consumed (b) (from 1)",
        "4. process take can have no state: no more processes are active than the given limit (from 2, 3)",
      ])
  }

  @Test func `each of several conflicts is reported and minimal`() throws {
    // b needs both sides; each of them is prevented from running by its own end.
    let network = chain([.unavailable, .accumulated, .unavailable])
    let conflicts = try ScenarioAnalysis(network).conflicts()
    #expect(Set(conflicts.map(\.observations)) == [[0, 1], [1, 2]])
    #expect(conflicts.allSatisfy { $0.isMinimal && !$0.chain.isEmpty })
    #expect(try ScenarioAnalysis(chain([nil, nil, nil])).conflicts().isEmpty)
    #expect(try ScenarioAnalysis(network).conflicts(limit: 1).count == 1)
  }

  @Test func `a network with scenarios has no conflict`() throws {
    #expect(try ScenarioAnalysis(chain([nil, nil, nil])).conflict() == nil)
  }

  @Test func `a process that must run is explained`() throws {
    let network = chain([nil, .accumulated, nil])
    let analysis = try ScenarioAnalysis(network)
    let reasons = analysis.reasons(for: 1)
    #expect(reasons.map { $0.statement(in: network) } == ["pool b is accumulated", "process take runs forward"])
    #expect(reasons.last?.rule == .steadyState && reasons.last?.causes == [0])
    #expect(try ScenarioAnalysis(chain([nil, nil, nil])).reasons(for: 1).isEmpty)
  }

  @Test func `each level implied by an active process has its rule`() throws {
    var network = ScenarioNetwork()
    network.rules.levels = 4
    network.pools = ["in", "out", "stop", "go"].map { ScenarioPool(id: $0, isBoundary: true) }
    network.processes = [
      ScenarioProcess(
        id: "r", inputs: [.init(pool: 0, trigger: .accumulated)], outputs: [1],
        inhibitors: [.init(pool: 2, trigger: .accumulated)], activators: [.init(pool: 3, trigger: .available)])
    ]
    let known = try ScenarioAnalysis(network, restriction: ScenarioRestriction(states: [0: .active])).known
    let told = known.facts.map { "\($0.rule) \($0.statement(in: network))" }
    #expect(
      told == [
        "restriction process r runs forward", "inputs pool in is accumulated or severely accumulated",
        "product pool out is available or accumulated or severely accumulated",
        "outputs pool out is available or accumulated", "inhibitors pool stop is unavailable or available",
        "activators pool go is available or accumulated or severely accumulated",
      ])
    #expect(known.facts.dropFirst().allSatisfy { $0.causes == [0] })
    #expect(ScenarioRule.allCases.allSatisfy { !$0.statement.isEmpty && !$0.statement.hasSuffix(".") })
  }

  @Test func `a process active in an unknown direction implies the levels that both directions share`() throws {
    var network = chain([nil, nil, nil])
    network.processes[0].isReversible = true
    let known = try ScenarioAnalysis(network, restriction: ScenarioRestriction(states: [0: .active])).known
    // Backward it would need a producer of 'b', and there is none.
    #expect(known.states[0] == .forward && known.states[1] == .forward)
    network.pools[1].isBoundary = true
    let free = try ScenarioAnalysis(network, restriction: ScenarioRestriction(states: [0: .active])).known
    #expect(free.states[0] == .active)
    #expect(free.levels.map(\.letters) == ["AC", "AC", "UAC"])
  }

  @Test func `a process that lacks regulation is named`() throws {
    // 'make' could run, and only something outside the network prevents it.
    let network = chain([.available, .unavailable, nil])
    let strict = try ScenarioAnalysis(network, mode: .strict)
    #expect(strict.count.isZero)
    #expect(try strict.missingRegulation() == [0])
    #expect(try ScenarioAnalysis(network).missingRegulation() == [])
    let impossible = try ScenarioAnalysis(chain([nil, .accumulated, .unavailable]), mode: .strict)
    #expect(try impossible.missingRegulation() == nil)
  }

  @Test(.enabled(if: !ScenarioTruth.names.isEmpty, "the shared data is missing"), arguments: ScenarioTruth.names)
  func `the smallest conflicts match the known ones`(name: String) throws {
    let example = try ScenarioTruth.example(name)
    let conflict = try ScenarioAnalysis(example.network).conflict()
    let known = example.expected["minimal_conflicts"]?.list?.first?.list?.compactMap(\.text)
    let found = conflict?.observations.map { example.network.pools[$0].id.text }
    #expect(found?.sorted() == known?.sorted())
    #expect(conflict?.chain.last?.isContradiction ?? true)
  }

  @Test(.enabled(if: !ScenarioTruth.names.isEmpty, "the shared data is missing"))
  func `the gluconeogenesis example lacks the regulation of one process`() throws {
    let example = try ScenarioTruth.example("t07_glycolysis_gng.json")
    let missing = try ScenarioAnalysis(example.network, mode: .strict).missingRegulation()
    #expect(missing?.map { example.network.processes[$0].id } == ["PDH"])
  }
}
