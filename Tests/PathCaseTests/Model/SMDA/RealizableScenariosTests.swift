import PluginAPI
import Testing

@testable import PathCase

/// A flux check by listed modes: a flux exists if and only if elementary modes within the scenario cover the active
/// processes.
///
/// - Source: S. Schuster et al., J. Math. Biol. 45, 153-181 (2002): every flux is a sum of modes that conform to it.
private struct ListedModes: FluxFeasibility {
  private(set) var modes: [[Int: ProcessState]] = []

  func hasFlux(_ scenario: Scenario) -> Bool {
    var covered: Set<Int> = []
    for mode in modes where mode.allSatisfy({ scenario.states[$0.key] == $0.value }) { covered.formUnion(mode.keys) }
    return scenario.active.allSatisfy(covered.contains)
  }

  /// Parses modes such as `HK PGI-rev`.
  init(_ texts: [String], _ network: ScenarioNetwork) {
    var numbers: [Identifier: Int] = [:]
    for (index, process) in network.processes.enumerated() { numbers[process.id] = index }
    for text in texts {
      var mode: [Int: ProcessState] = [:]
      for word in text.split(separator: " ") {
        let isReverse = word.hasSuffix("-rev")
        if let index = numbers[Identifier(String(isReverse ? word.dropLast(4) : word))] {
          mode[index] = isReverse ? .backward : .forward
        }
      }
      modes.append(mode)
      // A mode of reversible processes only is given in one direction.
      if mode.keys.allSatisfy({ network.processes[$0].isReversible }) {
        modes.append(mode.mapValues { $0 == .forward ? .backward : .forward })
      }
    }
  }
}

struct RealizableScenariosTests {
  @Test(.enabled(if: !ScenarioTruth.names.isEmpty, "the shared data is missing"), arguments: ScenarioTruth.names)
  func `the realizable scenarios match the known ones`(name: String) throws {
    let example = try ScenarioTruth.example(name)
    guard let modes = example.texts("elementary_mode_supports") else { return }
    let feasibility = ListedModes(modes, example.network)
    let realizable = RealizableScenarios(analysis: try ScenarioAnalysis(example.network), feasibility: feasibility)
    #expect(try realizable.count() == example.expected["scenarios_flux_realizable"]?.integer)
    let all = try realizable.page(count: 1_000)
    #expect(ScenarioTruth.digest(all.entries.map(\.scenario)) == example.expected["sha256_realizable"]?.text)
    #expect(all.next == nil)
  }

  /// A check that accepts scenarios whose first process runs forward.
  private struct FirstForward: FluxFeasibility {
    func hasFlux(_ scenario: Scenario) -> Bool { scenario.states.first == .forward }
  }

  @Test func `each page continues where the last one ended`() throws {
    let analysis = try ScenarioAnalysis(ScenarioAnalysisTests.ladder(3))
    let realizable = RealizableScenarios(analysis: analysis, feasibility: FirstForward())
    let all = try realizable.page(count: 10_000).entries
    var paged: [RealizableScenarios.Entry] = []
    var next: BigUnsigned? = .zero
    while let start = next {
      let page = try realizable.page(from: start, count: 3, looks: 5)
      paged += page.entries
      next = page.next
    }
    #expect(paged == all && all.count > 10)
    #expect(all.allSatisfy { analysis.number(of: $0.scenario) == $0.number })
    #expect(try realizable.count() == all.count)
  }

  @Test func `realizable scenarios beyond the limit are not counted`() throws {
    let analysis = try ScenarioAnalysis(ScenarioAnalysisTests.ladder(20))
    let realizable = RealizableScenarios(analysis: analysis, feasibility: FirstForward())
    #expect(throws: ScenarioError.tooMany(count: analysis.count.description, limit: 20_000)) { try realizable.count() }
    let page = try realizable.page(count: 10_000, looks: 100)
    #expect(page.next == 100)
  }
}
