import PluginAPI

/// An analysis of scenarios in the form returned by `smda`.
enum ScenarioValue {
  /// The selection of results to show.
  struct Wish: Sendable {
    /// The page number, from 1.
    var number = 1
    var length = 20
    /// The number of scenarios to draw at random instead; nil for a page.
    var sample: Int?
    var seed: UInt64 = 1
    /// A Boolean value indicating whether the fraction of scenarios in which each process runs is included.
    var withShares = false

    /// The number of the first scenario of the page, from 0.
    var first: BigUnsigned { BigUnsigned(number - 1) * BigUnsigned(length) }
  }

  /// Returns the counts, the common properties of all scenarios, some scenarios, and the reasons if there are none.
  ///
  /// - Throws: `CancellationError`, ``ScenarioError``.
  static func value(_ set: ScenarioSet, _ wish: Wish) throws -> Value {
    let network = set.analysis.network
    let page =
      try wish.sample.map { try set.sample(seed: wish.seed, count: $0) }
      ?? set.page(from: wish.first, count: wish.length)
    let states = set.possibleStates
    func names(_ isChosen: (ProcessStates) -> Bool) -> Value {
      .list(states.indices.filter { isChosen(states[$0]) }.map { .text(network.processes[$0].id.text) })
    }
    var record = Record([
      .init("network", .text(network.name)), .init("mode", .text(set.mode.rawValue)),
      .init("countedMode", .text(set.countedMode.rawValue)), .init("count", .text(set.count.description)),
      .init("pools", .integer(network.pools.count)), .init("processes", .integer(network.processes.count)),
      .init("labels", .text(LevelSet.lowest(network.rules.levels).letters)),
      .init("observed", .list(observed(network))),
      .init("mustActive", names { !$0.isEmpty && !$0.contains(ProcessStates.idle) }),
      .init("mustForward", names { $0 == .forward }), .init("mustBackward", names { $0 == .backward }),
      .init("neverActive", names { $0.isDisjoint(with: .active) }),
      .init("page", wish.sample == nil ? .integer(wish.number) : .null), .init("pageSize", .integer(wish.length)),
      .init("looked", .integer(page.looked)),
      .init("scenarioNumbers", .list(page.entries.map { .text(($0.number + .one).description) })),
      .init("scenarios", .list(page.entries.map { scenario($0.scenario, network) })),
      .init("notes", .list(try set.notes(on: page).map(Value.text))),
      .init("missingRegulation", .list(try set.missingRegulation().map { .text(network.processes[$0].id.text) })),
      .init("conflicts", .list(try set.analysis.conflicts().map { value($0, network) })),
      .init("marginals", .null), .init("poolLevels", .null),
    ])
    if wish.withShares { try addShares(set, to: &record) }
    return .record(record)
  }

  private static func observed(_ network: ScenarioNetwork) -> [Value] {
    network.pools.compactMap { pool in
      pool.observed.map { ["pool": .text(pool.id.text), "label": .text($0.marks)] }
    }
  }

  private static func addShares(_ set: ScenarioSet, to record: inout Record) throws {
    let network = set.analysis.network
    record["marginals"] = .list(
      zip(network.processes, try set.marginals()).map { process, share in
        [
          "process": .text(process.id.text), "forward": .text(share.forward.description),
          "backward": .text(share.backward.description), "idle": .text(share.idle.description),
          "activeShare": .number(share.total.isZero ? 0 : share.activeShare),
        ]
      })
    record["poolLevels"] = .record(
      Record(zip(network.pools, try set.levels()).map { Record.Field($0.id.text, .text($1.marks)) }))
  }

  private static func scenario(_ scenario: Scenario, _ network: ScenarioNetwork) -> Value {
    .record(
      Record(
        zip(network.processes, scenario.states).map { process, state in
          Record.Field(process.id.text, .text(String(state.character)))
        }))
  }

  private static func value(_ conflict: ScenarioConflict, _ network: ScenarioNetwork) -> Value {
    [
      "summary": .text(conflict.summary(in: network)),
      "observations": .list(conflict.observations.map { .text(network.pools[$0].id.text) }),
      "processes": .list(conflict.restrictions.map { .text(network.processes[$0].id.text) }),
      "groups": .list(conflict.groupNames.map(Value.text)), "limitsActive": .bool(conflict.limitsActive),
      "isMinimal": .bool(conflict.isMinimal),
      "chain": .list(conflict.lines(in: network).map(Value.text)),
    ]
  }

  /// Returns a rule set in the form of its file, with the text of each rule.
  static func value(_ rules: ScenarioRules) -> Value {
    let always: [ScenarioRule] = [.observation, .inputs, .outputs, .inhibitors, .activators, .direction, .steadyState]
    let told = always + [.product, .accumulation]
    return [
      "labels": .list(LevelSet.lowest(rules.levels).letters.map { .text(String($0)) }),
      "rules": .record(Record(told.map { Record.Field("R\($0.rawValue)", .bool(rules[$0])) })),
      "triggers": [
        "input": .text(String(rules.inputTrigger.letter)), "activator": .text(String(rules.activatorTrigger.letter)),
        "inhibitor": .text(String(rules.inhibitorTrigger.letter)),
      ],
      "statements": .record(Record(told.map { Record.Field("R\($0.rawValue)", .text($0.statement)) })),
    ]
  }
}
