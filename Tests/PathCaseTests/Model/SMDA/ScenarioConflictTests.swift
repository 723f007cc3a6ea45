import PluginAPI
import Testing

@testable import PathCase

/// Why there is no scenario.
struct ScenarioConflictTests {
  /// `a -> b -> c` with boundaries outside.
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

  @Test func `a conflict is told step by step, with the rule and what it follows from`() throws {
    let network = chain([.accumulated, .accumulated, .unavailable])
    let conflict = try #require(try ScenarioAnalysis(network).conflict())
    #expect(conflict.observations == [1, 2])
    #expect(conflict.summary(in: network) == "there is no scenario with b = C and c = U together")
    #expect(
      conflict.lines(in: network) == [
        "1. pool b is accumulated: a pool has a level that was observed",
        "2. pool c is unavailable: a pool has a level that was observed",
        "3. process take is idle: what is produced is there (c) (from 2)",
        "4. process make is idle: a pool inside the network is produced if and only if it is consumed (b) (from 3)",
        "5. pool b can have no level: an accumulated pool inside the network is produced (from 1, 4)",
      ])
  }

  @Test func `what is asked for can be to blame`() throws {
    let network = chain([nil, .accumulated, nil])
    let analysis = try ScenarioAnalysis(network, restriction: ScenarioRestriction(states: [1: .idle]))
    let conflict = try #require(try analysis.conflict())
    #expect(conflict.observations == [1] && conflict.restrictions == [1] && !conflict.limitsActive)
    #expect(conflict.summary(in: network) == "there is no scenario with b = C and what is asked of take together")
    let limited = try ScenarioAnalysis(network, restriction: ScenarioRestriction(maximumActive: 1))
    let limit = try #require(try limited.conflict())
    #expect(limit.observations == [1] && limit.restrictions.isEmpty && limit.limitsActive && limit.chain.isEmpty)
    #expect(limit.lines(in: network) == ["no combination of the processes meets all rules; each was looked at"])
  }

  @Test func `where there are scenarios there is no conflict`() throws {
    #expect(try ScenarioAnalysis(chain([nil, nil, nil])).conflict() == nil)
  }

  @Test func `what must be is explained`() throws {
    let network = chain([nil, .accumulated, nil])
    let analysis = try ScenarioAnalysis(network)
    let reasons = analysis.reasons(for: 1)
    #expect(reasons.map { $0.statement(in: network) } == ["pool b is accumulated", "process take runs forwards"])
    #expect(reasons.last?.rule == .steadyState && reasons.last?.causes == [0])
    #expect(try ScenarioAnalysis(chain([nil, nil, nil])).reasons(for: 1).isEmpty)
  }

  @Test func `a process that lacks a regulation is named`() throws {
    // 'make' could run, and nothing but what is not told keeps it from it.
    let network = chain([.available, .unavailable, nil])
    let strict = try ScenarioAnalysis(network, mode: .strict)
    #expect(strict.count.isZero)
    #expect(try strict.missingRegulation() == [0])
    #expect(try ScenarioAnalysis(network).missingRegulation() == [])
    let impossible = try ScenarioAnalysis(chain([nil, .accumulated, .unavailable]), mode: .strict)
    #expect(try impossible.missingRegulation() == nil)
  }

  @Test(.enabled(if: !ScenarioTruth.names.isEmpty, "the shared data is not there"), arguments: ScenarioTruth.names)
  func `the smallest conflicts are the known ones`(name: String) throws {
    let example = try ScenarioTruth.example(name)
    let conflict = try ScenarioAnalysis(example.network).conflict()
    let known = example.expected["minimal_conflicts"]?.list?.first?.list?.compactMap(\.text)
    let found = conflict?.observations.map { example.network.pools[$0].id.text }
    #expect(found?.sorted() == known?.sorted())
    #expect(conflict?.chain.last?.isContradiction ?? true)
  }

  @Test(.enabled(if: !ScenarioTruth.names.isEmpty, "the shared data is not there"))
  func `the gluconeogenesis example lacks the regulation of one process`() throws {
    let example = try ScenarioTruth.example("t07_glycolysis_gng.json")
    let missing = try ScenarioAnalysis(example.network, mode: .strict).missingRegulation()
    #expect(missing?.map { example.network.processes[$0].id } == ["PDH"])
  }
}
