import PluginAPI
import Testing

@testable import PathCase

/// Scenario analysis compared with results of other programs.
@Suite(.enabled(if: !ScenarioTruth.names.isEmpty, "the shared data is missing"))
struct ScenarioTruthTests {
  @Test(arguments: ScenarioTruth.names)
  func `the number of scenarios matches the known one`(name: String) throws {
    let example = try ScenarioTruth.example(name)
    let analysis = try ScenarioAnalysis(example.network)
    let known = example.expected["scenarios"]
    #expect(analysis.count.description == known?.text ?? known?.integer.map(String.init))
  }

  @Test(arguments: ScenarioTruth.names)
  func `the scenarios match the known ones and are distinct`(name: String) throws {
    let example = try ScenarioTruth.example(name)
    guard let digest = example.expected["sha256"]?.text else { return }
    let analysis = try ScenarioAnalysis(example.network)
    let all = analysis.page(count: 1_000)
    #expect(Set(all).count == analysis.count.small)
    #expect(ScenarioTruth.digest(all) == digest)
  }

  @Test(arguments: ScenarioTruth.names)
  func `processes that must or never run match the known ones`(name: String) throws {
    let example = try ScenarioTruth.example(name)
    let analysis = try ScenarioAnalysis(example.network)
    func ids(_ processes: [Int]) -> [String] { processes.map { example.network.processes[$0].id.text } }
    if let known = example.texts("must_active") { #expect(ids(analysis.mustActive) == known) }
    if let known = example.texts("must_forward") { #expect(ids(analysis.must(.forward)) == known) }
    if let known = example.texts("never_active") { #expect(ids(analysis.neverActive) == known) }
  }

  @Test(arguments: ScenarioTruth.names)
  func `the levels of pools over all scenarios match the known ones`(name: String) throws {
    let example = try ScenarioTruth.example(name)
    guard let known = example.expected["pool_labels"]?.record else { return }
    let levels = try ScenarioAnalysis(example.network).levels()
    #expect(levels.count == example.network.pools.count)
    for (pool, levels) in zip(example.network.pools, levels) {
      #expect(levels.letters == known[pool.id.text]?.text, "\(pool.id)")
    }
  }

  @Test(arguments: ScenarioTruth.names)
  func `the number of pairs of scenarios and levels matches the known one`(name: String) throws {
    let example = try ScenarioTruth.example(name)
    guard let known = example.expected["label_completions"]?.integer else { return }
    let analysis = try ScenarioAnalysis(example.network)
    #expect(try analysis.pairs() == BigUnsigned(known))
    let single = try analysis.page(count: 1_000).map { try analysis.levels(of: $0).reduce(1) { $0 * $1.count } }
    #expect(single.reduce(0, +) == known)
  }

  @Test(arguments: ScenarioTruth.names)
  func `the strict scenarios match the known ones`(name: String) throws {
    let example = try ScenarioTruth.example(name)
    guard let digest = example.expected["sha256_strict"]?.text else { return }
    let analysis = try ScenarioAnalysis(example.network, mode: .strict)
    #expect(analysis.count.small == example.expected["scenarios_strict_activation"]?.integer)
    #expect(ScenarioTruth.digest(analysis.page(count: 1_000)) == digest)
  }
}
