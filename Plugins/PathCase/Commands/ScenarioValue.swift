import PluginAPI

/// An analysis of scenarios as `smda` gives it.
enum ScenarioValue {
  /// The counts, what all scenarios have in common, some of them, and why there is none.
  ///
  /// - Throws: `CancellationError`, ``ScenarioError``.
  static func value(_ analysis: ScenarioAnalysis, _ page: [Scenario]) throws -> Value {
    let network = analysis.network
    func names(_ processes: [Int]) -> Value { .list(processes.map { .text(network.processes[$0].id.text) }) }
    let conflict = try analysis.conflict()
    return [
      "mode": .text(analysis.mode.rawValue), "pools": .integer(network.pools.count),
      "processes": .integer(network.processes.count), "count": .text(analysis.count.description),
      "mustActive": names(analysis.mustActive), "neverActive": names(analysis.neverActive),
      "scenarios": .list(page.map { scenario($0, network) }),
      "conflicts": .list(try conflict.map { [try value($0, network)] } ?? []),
    ]
  }

  private static func scenario(_ scenario: Scenario, _ network: ScenarioNetwork) -> Value {
    .record(
      Record(
        zip(network.processes, scenario.states).map { process, state in
          Record.Field(process.id.text, .text(String(state.character)))
        }))
  }

  private static func value(_ conflict: ScenarioConflict, _ network: ScenarioNetwork) throws -> Value {
    [
      "summary": .text(conflict.summary(in: network)),
      "observations": .list(conflict.observations.map { .text(network.pools[$0].id.text) }),
      "processes": .list(conflict.restrictions.map { .text(network.processes[$0].id.text) }),
      "chain": .list(conflict.lines(in: network).map(Value.text)),
    ]
  }
}
