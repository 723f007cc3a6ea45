import PluginAPI
import PluginText

/// All scenarios of a network that are consistent with the observations: their number, the scenarios themselves, and
/// their common properties.
///
/// Scenarios are counted without being listed. The rules are propagated first; the rest is searched process by process,
/// with equal states merged. All results are the same in every run.
///
/// - Source: For the question A. Cakmak et al., J. Bioinform. Comput. Biol. 10, 1240003 (2012); the rules are our own
///   exact ones, and the frontier method is described at ``FrontierSearch``.
struct ScenarioAnalysis: Sendable {
  /// The rule for processes that can run.
  enum Mode: String, Sendable, CaseIterable {
    /// A process whose conditions are met may run or not.
    case necessary
    /// A process whose conditions are met must run.
    case strict
  }

  let network: ScenarioNetwork
  let mode: Mode
  /// The restrictions in addition to the observations.
  let restriction: ScenarioRestriction
  /// The resource limits, including cancellation.
  let limits: SearchLimits
  /// The facts that follow from the rules one at a time.
  let known: RulePropagation
  /// The scenarios.
  let graph: ScenarioGraph
  /// The states that each process has in some scenario; all sets are empty if there is no scenario.
  let possibleStates: [ProcessStates]

  /// Analyzes a network, whose indices must be valid.
  ///
  /// - Throws: ``ScenarioError/tooWide(network:states:process:of:)``,
  ///   ``ScenarioError/tooManyOpenPools(network:bits:)``, `CancellationError`.
  init(
    _ network: ScenarioNetwork, mode: Mode = .necessary, restriction: ScenarioRestriction = .init(),
    limits: SearchLimits = .init()
  ) throws {
    self.network = network
    self.mode = mode
    self.restriction = restriction
    self.limits = limits
    var known = RulePropagation(network, effects: ScenarioEffects(network), restriction: restriction)
    known.run()
    self.known = known
    let kind = mode == .strict ? PoolAutomaton.Kind.strict : .scenarios
    let plan = try SearchPlan(known, kind: kind, restriction: restriction, limits: limits)
    graph = try Self.search(plan, mode, limits)
    possibleStates = graph.possibleStates()
  }

  private static func search(_ plan: SearchPlan, _ mode: Mode, _ limits: SearchLimits) throws -> ScenarioGraph {
    guard !plan.isImpossible else { return ScenarioGraph(plan) }
    switch (mode, plan.width) {
    case (.necessary, ...64): return try FrontierSearch<UInt64>(plan: plan, limits: limits).graph()
    case (.necessary, ...128): return try FrontierSearch<UInt128>(plan: plan, limits: limits).graph()
    case (.strict, ...64): return try StrictSearch<UInt64>(plan: plan, limits: limits).graph()
    case (.strict, ...128): return try StrictSearch<UInt128>(plan: plan, limits: limits).graph()
    default: throw ScenarioError.tooManyOpenPools(network: plan.network, bits: plan.width)
    }
  }
}

// MARK: - Results

extension ScenarioAnalysis {
  /// The number of scenarios.
  var count: BigUnsigned { graph.count }

  /// Returns a page of scenarios in the order of enumeration.
  ///
  /// The order is that of the processes in the search, each forward, backward, idle; it is the same in every run.
  /// - Parameters:
  ///   - first: The number of the first scenario, from 0.
  ///   - length: The maximum number of scenarios.
  func page(from first: BigUnsigned = .zero, count length: Int) -> [Scenario] {
    graph.page(from: first, count: length).map(Scenario.init)
  }

  /// Returns a scenario by its number, from 0.
  ///
  /// - Throws: ``ScenarioError/noSuchScenario(_:count:)``, which counts from 1.
  func scenario(_ number: BigUnsigned) throws(ErrorReport) -> Scenario {
    guard let scenario = page(from: number, count: 1).first else {
      throw ScenarioError.noSuchScenario((number + .one).description, count: count.description)
    }
    return scenario
  }

  /// Returns the number of a scenario, from 0; nil if it is not one of the analysis.
  func number(of scenario: Scenario) -> BigUnsigned? { graph.number(of: scenario.states) }

  /// Returns uniformly distributed random scenarios; the same seed gives the same scenarios.
  func sample(seed: UInt64, count length: Int = 1) -> [Scenario] {
    guard !count.isZero else { return [] }
    var source = SplitMix64(seed: seed)
    return (0..<length).flatMap { _ in page(from: .random(below: count, using: &source), count: 1) }
  }

  /// Returns the number of scenarios in which each process has each state.
  ///
  /// - Throws: `CancellationError`.
  func marginals() throws -> [ProcessMarginal] {
    try graph.marginals(limits).map { ProcessMarginal(forward: $0[0], backward: $0[1], idle: $0[2]) }
  }

  /// The processes that are active in every scenario, by index; empty if there is no scenario.
  var mustActive: [Int] {
    possibleStates.indices.filter { !possibleStates[$0].isEmpty && !possibleStates[$0].contains(ProcessStates.idle) }
  }

  /// The processes that are active in no scenario, by index; all if there is no scenario.
  var neverActive: [Int] { possibleStates.indices.filter { possibleStates[$0].isDisjoint(with: .active) } }

  /// Returns the processes that have a state in every scenario, by index.
  func must(_ state: ProcessState) -> [Int] {
    possibleStates.indices.filter { possibleStates[$0] == ProcessStates([state]) }
  }

  /// The number of active processes in the simplest scenarios; nil if there are none.
  ///
  /// Used as ``ScenarioRestriction/maximumActive``, it selects exactly these scenarios.
  var fewestActive: Int? { graph.fewestActive() }

  /// Returns the analysis of the same network with additional restrictions.
  ///
  /// - Throws: The errors of the analysis itself.
  func restricted(_ more: ScenarioRestriction) throws -> ScenarioAnalysis {
    try ScenarioAnalysis(network, mode: mode, restriction: restriction.and(more), limits: limits)
  }
}

// MARK: - Explanations

extension ScenarioAnalysis {
  /// Returns a set of contradictory observations and restrictions; nil if there are scenarios.
  ///
  /// - Throws: The errors of the analysis itself.
  func conflict() throws -> ScenarioConflict? {
    guard count.isZero else { return nil }
    return try ConflictFinder(network: network, mode: mode, restriction: restriction, limits: limits).conflict()
  }

  /// Returns several minimal sets of contradictory observations and restrictions; empty if there are scenarios.
  ///
  /// - Throws: The errors of the analysis itself.
  func conflicts(limit: Int = 4) throws -> [ScenarioConflict] {
    guard count.isZero else { return [] }
    return try ConflictFinder(network: network, mode: mode, restriction: restriction, limits: limits)
      .conflicts(limit: limit)
  }

  /// Returns the proof from the rules, one at a time, that a process must or cannot run; empty if there is none.
  func reasons(for process: Int) -> [ScenarioFact] { known.reasons(for: process) }

  /// Returns a minimal set of processes that, in strict mode without scenarios, must be regulated by something outside
  /// the network, by index.
  ///
  /// If these may be idle without a reason, there are scenarios. The result is empty if there are scenarios anyway, and
  /// nil if there are none even in the necessary mode.
  /// - Throws: The errors of the analysis itself.
  func missingRegulation() throws -> [Int]? {
    guard mode == .strict, count.isZero else { return [] }
    func hasScenario(_ excused: [Int]) throws -> Bool {
      try !restricted(ScenarioRestriction(excused: Set(excused))).count.isZero
    }
    var kept = Array(network.processes.indices)
    guard try hasScenario(kept) else { return nil }
    // Halves are tried first, since most processes do not matter.
    var size = kept.count / 2
    while size > 0 {
      var start = 0
      while start < kept.count {
        let remaining = Array(kept[..<start] + kept[min(start + size, kept.count)...])
        if try hasScenario(remaining) { kept = remaining } else { start += size }
      }
      size /= 2
    }
    return kept
  }
}

// MARK: - Levels

extension ScenarioAnalysis {
  /// Returns the levels that each pool may have in a scenario; in strict mode those of some labeling of all pools.
  ///
  /// - Throws: In strict mode, the errors of the analysis itself.
  func levels(of scenario: Scenario) throws -> [LevelSet] {
    let bounds = network.pools.indices.map { pool in
      let pieces = known.effects.processes[pool].reduce(RawPool?(RawPool(levels: known.effects.levels[pool]))) {
        guard let touch = known.effects.touch(of: $1, on: pool) else { return $0 }
        return $0?.after(touch[scenario.states[$1]])
      }
      return pieces.map(PoolEnd(network.pools[pool], network.rules).levels(of:)) ?? []
    }
    guard mode == .strict else { return bounds }
    let states = scenario.states.enumerated().map { ($0.offset, ProcessStates([$0.element])) }
    let fixed = ScenarioRestriction(states: Dictionary(uniqueKeysWithValues: states))
    return try strictLevels(bounds, fixed)
  }

  /// Returns the levels that each pool has in some scenario.
  ///
  /// - Throws: `CancellationError`; in strict mode also the errors of the analysis itself.
  func levels() throws -> [LevelSet] {
    guard mode == .strict else { return try graph.levels(effects: known.effects, limits) }
    return try strictLevels(known.levels, restriction)
  }

  /// Returns the levels for which there is a scenario, tried one at a time, because the levels of pools depend on each
  /// other.
  private func strictLevels(_ bounds: [LevelSet], _ restriction: ScenarioRestriction) throws -> [LevelSet] {
    try bounds.enumerated().map { pool, levels in
      var possible = LevelSet()
      for level in levels.levels {
        var narrowed = network
        narrowed.pools[pool].observed = LevelSet([level])
        let count = try ScenarioAnalysis(narrowed, mode: .strict, restriction: restriction, limits: limits).count
        if !count.isZero { possible.formUnion(LevelSet([level])) }
      }
      return possible
    }
  }

  /// Returns the number of pairs of a scenario and levels for all pools, by the rules of the necessary mode.
  ///
  /// - Throws: The errors of the analysis itself.
  func pairs() throws -> BigUnsigned {
    let plan = try SearchPlan(known, kind: .pairs, restriction: restriction, limits: limits)
    switch plan.width {
    case _ where plan.isImpossible: return .zero
    case ...64: return try FrontierSearch<UInt64>(plan: plan, limits: limits).pairs()
    case ...128: return try FrontierSearch<UInt128>(plan: plan, limits: limits).pairs()
    default: throw ScenarioError.tooManyOpenPools(network: plan.network, bits: plan.width)
    }
  }
}

/// The user's restrictions on the scenarios that are counted and shown.
struct ScenarioRestriction: Sendable, Hashable {
  /// The permitted states of processes, by index; other processes may be in any state.
  var states: [Int: ProcessStates] = [:]
  /// The maximum number of active processes; nil for no maximum.
  var maximumActive: Int?
  /// Groups of processes, such as pathways, in each of which at least one is active.
  var anyActive: [[Int]] = []
  /// The names of groups, keyed by their members; groups without a name have a number.
  var groupNames: [[Int]: String] = [:]
  /// The processes that may be idle without a reason in strict mode, by index.
  var excused: Set<Int> = []

  /// Returns the permitted states of a process.
  func allowed(_ process: Int) -> ProcessStates { states[process] ?? .every }

  /// Returns the name of a group, by its index.
  func name(ofGroup group: Int) -> String { groupNames[anyActive[group]] ?? "group \(group + 1)" }

  /// Returns the combination of both restrictions.
  func and(_ other: ScenarioRestriction) -> ScenarioRestriction {
    var both = self
    both.states.merge(other.states) { $0.intersection($1) }
    both.maximumActive = [maximumActive, other.maximumActive].compactMap { $0 }.min()
    both.anyActive += other.anyActive
    both.groupNames.merge(other.groupNames) { first, _ in first }
    both.excused.formUnion(other.excused)
    return both
  }
}

/// The resource limits of a search, including cancellation.
struct SearchLimits: Sendable {
  /// The maximum number of states stored at once, over all processes.
  var states = 6_000_000
  /// The maximum size of the links and counts of all states, in bytes.
  var sizeInBytes = 1 << 30
  /// Returns true if the search was canceled; called every few thousand states.
  var isCancelled: @Sendable () -> Bool = { false }

  /// Checks for cancellation.
  ///
  /// - Throws: `CancellationError`.
  func check() throws {
    if isCancelled() { throw CancellationError() }
  }

  /// Checks for cancellation, and the number of states at a step of a plan.
  ///
  /// - Throws: ``ScenarioError/tooWide(network:states:process:of:)``, `CancellationError`.
  func check(states count: Int, at step: Int, of plan: SearchPlan) throws {
    try check()
    guard count <= states else {
      throw ScenarioError.tooWide(network: plan.network, states: states, process: step + 1, of: plan.steps.count)
    }
  }
}

/// The errors of computing scenarios.
enum ScenarioError {
  static let all: [DeclaredError] = [tooWide, noSuchScenario, tooMany]

  static let tooWide = DeclaredError(
    "pathcase.smda-too-wide", .failure, "scenario analysis would exceed its memory limit")
  private static let narrowing = "make common molecules boundaries, analyze fewer pathways, or observe more pools"

  /// Returns the error of an analysis that would exceed the limits.
  static func tooWide(network: String, states: Int, process: Int, of count: Int) -> ErrorReport {
    tooWide(
      "the network '\(network)' is too wide: more than \(states) states at process \(process) of \(count)",
      advice: narrowing,
      details: [
        "network": .text(network), "states": .integer(states), "process": .integer(process),
        "processes": .integer(count),
      ]
    ).short
  }

  /// Returns the error of pools open at the same time whose states have more bits than the key type.
  static func tooManyOpenPools(network: String, bits: Int) -> ErrorReport {
    tooWide(
      "the network '\(network)' is too wide: a state would need \(bits) bits; the limit is 128", advice: narrowing,
      details: ["network": .text(network), "bits": .integer(bits)]
    ).short
  }

  static let noSuchScenario = DeclaredError(
    "pathcase.smda-no-such-scenario", .notFound, "the number is beyond the last scenario")

  static func noSuchScenario(_ number: String, count: String) -> ErrorReport {
    noSuchScenario(
      "there is no scenario \(number)",
      advice: count == "0" ? "no scenario fits; see the reasons" : "choose a number from 1 to \(count)",
      details: ["scenario": .text(number), "scenarios": .text(count)]
    ).short
  }

  static let tooMany = DeclaredError(
    "pathcase.smda-too-many", .failure, "there are too many scenarios to check each of them")

  static func tooMany(count: String, limit: Int) -> ErrorReport {
    tooMany(
      "\(count) scenarios are too many to check each one",
      advice: "restrict them; at most \(limit) are checked",
      details: ["scenarios": .text(count), "limit": .integer(limit)]
    ).short
  }
}
