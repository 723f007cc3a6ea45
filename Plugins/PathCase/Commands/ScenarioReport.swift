import PluginAPI

/// An analysis of scenarios in the form returned by `smda`.
///
/// It has the counts, the common properties of all scenarios, some scenarios, and the reasons if there are none.
struct ScenarioReport: Model {
  /// The selection of results to show.
  struct Selection: Sendable {
    /// The page number, from 1.
    var number: Int
    var length: Int
    /// The number of scenarios to draw at random instead; nil for a page.
    var sample: Int?
    var seed: UInt64
    /// A Boolean value indicating whether the fraction of scenarios in which each process runs is included.
    var withShares: Bool

    /// The number of the first scenario of the page, from 0.
    fileprivate var first: BigUnsigned { BigUnsigned(number - 1) * BigUnsigned(length) }
  }

  static let typeName = PathCaseValueType.scenarios
  static let fields = Fields<Self> {
    Field("network", \.network.name, "what the network is called")
    Field("mode", \.found.mode, "the mode that was asked for")
    Field(
      "countedMode", \.found.countedMode,
      "which scenarios the count, the shares and what must be are about: necessary ones where too many are to be looked at"
    )
    Field("count", \.found.count.description, "how many there are, in decimal digits: it may be of any size")
    Field("pools", \.network.pools.count, "how many pools the network has")
    Field("processes", \.network.processes.count, "how many processes the network has")
    Field("labels", { LevelSet.lowest($0.network.rules.levels).letters }, "the letters of the levels, such as UAC")
    Field("observed", \.observed, "what was observed")
    Field(
      "mustActive", { $0.processes { !$0.isEmpty && !$0.contains(ProcessStates.idle) } },
      "the processes that run in all")
    Field("mustForward", { $0.processes { $0 == .forward } }, "those that run forwards in all")
    Field("mustBackward", { $0.processes { $0 == .backward } }, "those that run backwards in all")
    Field(
      "neverActive", { $0.processes { $0.isDisjoint(with: .active) } },
      "the processes that run in none; all where there is no scenario")
    Field(
      "page", { $0.selection.sample == nil ? $0.selection.number : nil },
      "the number of the page, from 1; null for scenarios drawn at random")
    Field("pageSize", \.selection.length, "how many scenarios a page has at most")
    Field("looked", \.page.looked, "how many scenarios were looked at for this page")
    Field(
      "scenarioNumbers", { $0.page.entries.map { ($0.number + .one).description } },
      "the number of each scenario of the page, from 1, in decimal digits")
    Field("scenarios", \.scenarios, "for each the state of every process")
    Field("notes", \.notes, "what should be known about the answer")
    Field(
      "missingRegulation", \.missingRegulation,
      "in strict mode without scenarios: the processes that something unlisted must keep from running")
    Field("conflicts", \.conflicts, "why there is no scenario; none where there are some")
    Field("marginals", \.shares, "with --marginals: in how many scenarios each process runs")
    Field("poolLevels", \.poolLevels, "with --marginals: the levels of each pool, apart by '|'")
  }

  private let found: ScenarioSet
  private let selection: Selection
  private let page: ScenarioSet.Page
  /// The possible states of each process.
  private let states: [ProcessStates]
  private let notes: [String]
  private let missingRegulation: [String]
  private let conflicts: [Conflict]
  private var shares: [Share]?
  private var poolLevels: NamedValues<String>?

  private var network: ScenarioNetwork { found.analysis.network }

  /// - Throws: `CancellationError`, ``ScenarioError``.
  init(_ set: ScenarioSet, _ selection: Selection) throws {
    let network = set.analysis.network
    (found, self.selection) = (set, selection)
    page =
      try selection.sample.map { try set.sample(seed: selection.seed, count: $0) }
      ?? set.page(from: selection.first, count: selection.length)
    states = set.possibleStates
    notes = try set.notes(on: page)
    missingRegulation = try set.missingRegulation().map { network.processes[$0].id.text }
    conflicts = try set.analysis.conflicts().map { Conflict($0, network) }
    guard selection.withShares else { return }
    shares = zip(network.processes, try set.marginals()).map { Share(process: $0.id.text, marginal: $1) }
    poolLevels = NamedValues(zip(network.pools, try set.levels()).lazy.map { ($0.id.text, $1.marks) })
  }

  /// A note for a page beyond the last scenario.
  var beyond: Diagnostic? {
    guard selection.sample == nil, selection.length > 0, selection.first > .zero, page.looked == 0 else { return nil }
    return Diagnostic(
      .note, code: "pathcase.no-such-page", "there is no such page of scenarios: \(found.count) fit",
      advice: "'--page 1' shows the first ones")
  }

  private var observed: [Observation] {
    network.pools.compactMap { pool in pool.observed.map { Observation(pool: pool.id.text, label: $0.marks) } }
  }

  private func processes(_ isChosen: (ProcessStates) -> Bool) -> [String] {
    states.indices.filter { isChosen(states[$0]) }.map { network.processes[$0].id.text }
  }

  private var scenarios: [NamedValues<ProcessState>] {
    let names = network.processes.map(\.id.text)
    return page.entries.map { NamedValues(zip(names, $0.scenario.states)) }
  }

  private struct Observation: Model {
    var pool: String
    var label: String

    static let typeName = "pathcase.observation"
    static let fields = Fields<Self> {
      Field("pool", \.pool, "its id")
      Field("label", \.label, "its levels, apart by '|'")
    }
  }

  private struct Conflict: Model {
    var conflict: ScenarioConflict
    var network: ScenarioNetwork

    static let typeName = "pathcase.scenario-conflict"
    static let fields = Fields<Self> {
      Field("summary", { $0.conflict.summary(in: $0.network) }, "what cannot be together, in a sentence")
      Field("observations", \.observations, "the pools whose observations take part")
      Field("processes", \.processes, "the processes of which something was asked that takes part")
      Field("groups", \.conflict.groupNames, "the pathways that were to run and take part")
      Field("limitsActive", \.conflict.limitsActive, "whether the largest number of active processes takes part")
      Field("isMinimal", \.conflict.isMinimal, "whether it is known that nothing of it can be spared")
      Field("chain", { $0.conflict.lines(in: $0.network) }, "how the rules lead there, line by line")
    }

    init(_ conflict: ScenarioConflict, _ network: ScenarioNetwork) {
      (self.conflict, self.network) = (conflict, network)
    }

    private var observations: [String] { conflict.observations.map { network.pools[$0].id.text } }
    private var processes: [String] { conflict.restrictions.map { network.processes[$0].id.text } }
  }

  private struct Share: Model {
    var process: String
    var marginal: ProcessMarginal

    static let typeName = "pathcase.process-share"
    static let fields = Fields<Self> {
      Field("process", \.process, "its id")
      Field("forward", \.marginal.forward.description, "in how many scenarios it runs forwards, in decimal digits")
      Field("backward", \.marginal.backward.description, "in how many it runs backwards")
      Field("idle", \.marginal.idle.description, "in how many it is idle")
      Field(
        "activeShare", { $0.marginal.total.isZero ? 0 : $0.marginal.activeShare }, "in which part it runs, 0 to 1")
    }
  }
}

extension ScenarioMode: FieldValue, ParameterValue {}

extension ProcessState: FieldValue {
  static var schema: ValueSchema { .choice(["+", "-", "0"]) }
  var fieldValue: Value { .text(String(character)) }
}

/// A rule set in the form of its file, with the text of each rule.
extension ScenarioRules: Model {
  static let typeName = "pathcase.rules"
  static let fields = Fields<Self> {
    Field(
      "labels", { LevelSet.lowest($0.levels).letters.map { String($0) } }, "the letters of the levels, lowest first")
    Field("rules", { rules in named { rules[$0] } }, "which rules hold")
    Field("triggers", { Triggers(rules: $0) }, "where a network says nothing else")
    Field("statements", { _ in named(\.statement) }, "what each rule says")
  }

  private static func named<Content: FieldValue>(_ content: (ScenarioRule) -> Content) -> NamedValues<Content> {
    let rules: [ScenarioRule] = [
      .observation, .inputs, .outputs, .inhibitors, .activators, .direction, .steadyState, .product, .accumulation,
    ]
    return NamedValues(rules.map { ("R\($0.rawValue)", content($0)) })
  }

  private struct Triggers: Model {
    var rules: ScenarioRules

    static let typeName = "pathcase.triggers"
    static let fields = Fields<Self> {
      Field("input", { String($0.rules.inputTrigger.letter) }, "from which level on inputs act")
      Field("activator", { String($0.rules.activatorTrigger.letter) }, "from which level on activators act")
      Field("inhibitor", { String($0.rules.inhibitorTrigger.letter) }, "from which level on inhibitors act")
    }
  }
}
