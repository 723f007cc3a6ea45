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
    Field("network", \.network.name, "Name of the network")
    Field("mode", \.found.mode, "Requested mode")
    Field(
      "countedMode", \.found.countedMode,
      "Mode of the counts, shares and constant states; necessary if there are too many scenarios to examine"
    )
    Field("count", \.found.count.description, "Number of scenarios, in decimal digits; it may have any size")
    Field("pools", \.network.pools.count, "Number of pools of the network")
    Field("processes", \.network.processes.count, "Number of processes of the network")
    Field("labels", \.labels, "Letters of the levels, such as UAC")
    Field("observed", \.observed, "Observations")
    Field("mustActive", \.mustActive, "Processes that run in all scenarios")
    Field("mustForward", \.mustForward, "Processes that run forward in all scenarios")
    Field("mustBackward", \.mustBackward, "Processes that run backward in all scenarios")
    Field(
      "neverActive", \.neverActive, "Processes that run in no scenario; all if there is no scenario")
    Field(
      "page", { $0.selection.sample == nil ? $0.selection.number : nil },
      "Number of the page, from 1; null for scenarios drawn at random")
    Field("pageSize", \.selection.length, "Scenarios per page")
    Field("looked", \.page.looked, "Number of scenarios examined for this page")
    Field(
      "scenarioNumbers", \.scenarioNumbers, "Number of each scenario of the page, from 1, in decimal digits")
    Field("scenarios", \.scenarios, "State of every process in each scenario")
    Field("notes", \.notes, "Notes on the result")
    Field(
      "missingRegulation", \.missingRegulation,
      "In strict mode without scenarios: processes that need an unlisted inhibitor")
    Field("conflicts", \.conflicts, "Reasons why there is no scenario; empty if there are scenarios")
    Field("marginals", \.shares, "With --marginals: number of scenarios in which each process runs")
    Field("poolLevels", \.poolLevels, "With --marginals: levels of each pool, separated by '|'")
  }

  let found: ScenarioSet
  let selection: Selection
  let page: ScenarioSet.Page
  /// The possible states of each process.
  private let states: [ProcessStates]
  let notes: [String]
  let missingRegulation: [String]
  let conflicts: [Conflict]
  private(set) var shares: [Share]?
  private(set) var poolLevels: NamedValues<String>?

  var network: ScenarioNetwork { found.analysis.network }

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
      .note, code: "pathcase.no-such-page", "the page is beyond the last scenario; \(found.count) fit",
      advice: "show the first ones with '--page 1'")
  }

  var labels: String { LevelSet.lowest(network.rules.levels).letters }
  var mustActive: [String] { processes { !$0.isEmpty && !$0.contains(ProcessStates.idle) } }
  var mustForward: [String] { processes { $0 == .forward } }
  var mustBackward: [String] { processes { $0 == .backward } }
  var neverActive: [String] { processes { $0.isDisjoint(with: .active) } }
  /// The number of each scenario of the page, from 1.
  var scenarioNumbers: [String] { page.entries.map { ($0.number + .one).description } }

  var observed: [Observation] {
    network.pools.compactMap { pool in pool.observed.map { Observation(pool: pool.id.text, label: $0.marks) } }
  }

  private func processes(_ isChosen: (ProcessStates) -> Bool) -> [String] {
    states.indices.filter { isChosen(states[$0]) }.map { network.processes[$0].id.text }
  }

  /// The states of all processes in each scenario of the page.
  var scenarios: [NamedValues<ProcessState>] {
    let names = network.processes.map(\.id.text)
    return page.entries.map { NamedValues(zip(names, $0.scenario.states)) }
  }

  struct Observation: Model {
    var pool: String
    var label: String

    static let typeName = "pathcase.observation"
    static let fields = Fields<Self> {
      Field("pool", \.pool, "Id of the pool")
      Field("label", \.label, "Levels, separated by '|'")
    }
  }

  struct Conflict: Model {
    var conflict: ScenarioConflict
    var network: ScenarioNetwork

    static let typeName = "pathcase.scenario-conflict"
    static let fields = Fields<Self> {
      Field("summary", \.summary, "Contradiction, in a sentence")
      Field("observations", \.observations, "Pools whose observations contribute")
      Field("processes", \.processes, "Processes whose restrictions contribute")
      Field("groups", \.conflict.groupNames, "Pathways that were required to run and contribute")
      Field("limitsActive", \.conflict.limitsActive, "True if the maximum number of active processes contributes")
      Field("isMinimal", \.conflict.isMinimal, "True if it is proven that nothing can be left out")
      Field("chain", \.chain, "Chain of rules, line by line")
    }

    init(_ conflict: ScenarioConflict, _ network: ScenarioNetwork) {
      (self.conflict, self.network) = (conflict, network)
    }

    var summary: String { conflict.summary(in: network) }
    var chain: [String] { conflict.lines(in: network) }
    private var observations: [String] { conflict.observations.map { network.pools[$0].id.text } }
    private var processes: [String] { conflict.restrictions.map { network.processes[$0].id.text } }
  }

  struct Share: Model {
    var process: String
    var marginal: ProcessMarginal

    static let typeName = "pathcase.process-share"
    static let fields = Fields<Self> {
      Field("process", \.process, "Id of the process")
      Field(
        "forward", \.marginal.forward.description, "Number of scenarios in which it runs forward, in decimal digits")
      Field("backward", \.marginal.backward.description, "Number of scenarios in which it runs backward")
      Field("idle", \.marginal.idle.description, "Number of scenarios in which it is idle")
      Field("activeShare", \.activeShare, "Share of scenarios in which it runs, 0 to 1")
    }

    var activeShare: Double { marginal.total.isZero ? 0 : marginal.activeShare }
  }
}

extension ScenarioMode: ReadableField, ParameterValue {}

extension ProcessState: ReadableField {
  static var schema: ValueSchema { .choice(["+", "-", "0"]) }
  var fieldValue: Value { .text(String(character)) }

  static func read(_ value: Value) -> ProcessState? {
    value.text.flatMap { $0.count == 1 ? $0.first : nil }.flatMap { ProcessState(character: $0) }
  }
}

/// A rule set in the form of its file, with the text of each rule.
extension ScenarioRules: Model {
  static let typeName = "pathcase.rules"
  static let fields = Fields<Self> {
    Field(
      "labels", { LevelSet.lowest($0.levels).letters.map { String($0) } }, "Letters of the levels, lowest first")
    Field("rules", { rules in named { rules[$0] } }, "True for each rule that applies")
    Field("triggers", { Triggers(rules: $0) }, "Levels for networks that set none of their own")
    Field("statements", { _ in named(\.statement) }, "Text of each rule")
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
      Field("input", { String($0.rules.inputTrigger.letter) }, "Level from which inputs act")
      Field("activator", { String($0.rules.activatorTrigger.letter) }, "Level from which activators act")
      Field("inhibitor", { String($0.rules.inhibitorTrigger.letter) }, "Level from which inhibitors act")
    }
  }
}
