import PluginAPI
import Testing

@testable import PathCase

/// The number of files that have each figure: tests that compare a figure pass trivially if no file has it.
@Suite(.enabled(if: !ScenarioTruth.names.isEmpty, "the shared data are absent"))
struct ComparedTruthTests {
  @Test(arguments: [
    ("scenarios", 19), ("must_active", 17), ("never_active", 17), ("must_forward", 14), ("pool_labels", 14),
    ("label_completions", 14), ("sha256", 14), ("scenarios_strict_activation", 14), ("sha256_strict", 14),
    ("scenarios_flux_realizable", 14), ("sha256_realizable", 14), ("elementary_modes", 14),
    ("elementary_mode_supports", 14), ("minimal_conflicts", 2),
  ])
  func `each expected figure is stated for at least as many networks as before`(_ field: String, _ count: Int) throws {
    let examples = try ScenarioTruth.names.map { try ScenarioTruth.example($0) }
    let known = examples.filter { $0.expected[field] != nil }
    #expect(known.count >= count)
    // If a list of words is expected, there is one.
    #expect(known.allSatisfy { $0.expected[field]?.list == nil || $0.texts(field) != nil })
  }

  @Test func `modes and linear programs are compared on most networks`() throws {
    var limits = ElementaryModes.Limits()
    limits.rays = 1_000
    let compared = try ScenarioTruth.names.filter { name in
      let network = try ScenarioTruth.example(name).network
      return (try? ElementaryModes(ModeProblem(network), limits: limits)) != nil
    }
    #expect(compared.count >= 14)
  }
}
