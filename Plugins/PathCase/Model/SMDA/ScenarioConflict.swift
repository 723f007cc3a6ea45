import PluginAPI

/// The reason why there are no scenarios: contradictory observations and restrictions, and the proof by the rules.
struct ScenarioConflict: Sendable, Hashable {
  /// The observed pools in the conflict, by index; if it is minimal, there are scenarios without any one of them.
  var observations: [Int]
  /// The restricted processes in the conflict, by index.
  var restrictions: [Int]
  /// The groups in the conflict, by index; each requires an active process.
  var groups: [Int]
  /// The names of these groups.
  var groupNames: [String] = []
  /// A Boolean value indicating whether the maximum number of active processes is part of the conflict.
  var limitsActive: Bool
  /// The number of active processes in the simplest scenario without that maximum, if the maximum is part of the
  /// conflict; otherwise nil.
  var fewestActive: Int?
  /// A Boolean value indicating whether each member is known to be needed; false if the network is too wide to search.
  var isMinimal: Bool
  /// The steps of the proof, of which the last is the contradiction; causes are indices in this list.
  ///
  /// It is empty if no chain of rules proves the conflict, but an exhaustive search found no scenario.
  var chain: [ScenarioFact]
  /// The mode in which there are no scenarios.
  var mode: ScenarioAnalysis.Mode
}

extension ScenarioConflict {
  /// Returns the chain as text: one line per step, with the numbers of the lines it follows from.
  func lines(in network: ScenarioNetwork) -> [String] {
    guard !chain.isEmpty else { return [exhaustion] }
    return chain.enumerated().map { $0.element.line(number: $0.offset + 1, in: network) }
  }

  private var exhaustion: String {
    if let fewestActive {
      return "no scenario without that limit has fewer than \(fewestActive) active processes; all were checked"
    }
    switch mode {
    case .necessary: return "no combination of process states meets all rules; every combination was checked"
    case .strict:
      return "every combination leaves a process idle whose conditions are met; all were checked"
    }
  }

  /// Returns the conflict as a sentence without a final stop.
  func summary(in network: ScenarioNetwork) -> String {
    let pools = observations.map { pool in
      let letters = (network.pools[pool].observed ?? []).letters.map(String.init).joined(separator: " or ")
      return "\(network.pools[pool].id) = \(letters)"
    }
    let processes = restrictions.map { "the restriction of \(network.processes[$0].id)" }
    let groups = groupNames.map { "one active process of \($0)" }
    let parts = pools + processes + groups + (limitsActive ? ["the maximum number of active processes"] : [])
    switch parts.count {
    case 0: return "the network has no scenario, even without observations"
    case 1: return "there is no scenario with \(parts[0])"
    default:
      return
        "there is no scenario with \(parts.dropLast().joined(separator: ", ")) and \(parts[parts.count - 1]) together"
    }
  }
}

/// Finds a minimal set of observations and restrictions that excludes every scenario, by removing them one at a time.
struct ConflictFinder {
  /// An observation or a restriction that may be part of the conflict.
  private enum Suspect: Hashable {
    case observation(Int)
    case restriction(Int)
    case group(Int)
    case activeLimit
  }

  let network: ScenarioNetwork
  let mode: ScenarioAnalysis.Mode
  let restriction: ScenarioRestriction
  let limits: SearchLimits

  /// The maximum number of cases that a proof may try.
  private static let caseLimit = 4_000

  /// The maximum number of feasibility checks before the search for further conflicts ends.
  private static let checkLimit = 48

  /// Returns a conflict of a network without scenarios.
  ///
  /// - Throws: The errors of the analysis.
  func conflict() throws -> ScenarioConflict {
    let (kept, isMinimal) = try smallest(among: suspects())
    return try conflict(of: kept, isMinimal: isMinimal)
  }

  /// Returns several conflicts, none a subset of another; all of them if there are fewer than the limit and the search
  /// is short.
  ///
  /// Each member of a conflict is removed in turn, in all combinations, and the remaining suspects are searched.
  ///
  /// - Source: R. Reiter, Artif. Intell. 32, 57 (1987), the hitting set tree.
  /// - Throws: The errors of the analysis.
  func conflicts(limit: Int) throws -> [ScenarioConflict] {
    let all = suspects()
    var found = [try smallest(among: all)]
    var open = found[0].kept.map { Set([$0]) }
    var seen = Set(open)
    var checks = 0
    while !open.isEmpty, found.count < limit, checks < Self.checkLimit {
      let left = open.removeFirst()
      var next = found.first { left.isDisjoint(with: $0.kept) }?.kept
      if next == nil {
        checks += 1
        let remaining = all.filter { !left.contains($0) }
        guard try hasScenario(remaining) == false else { continue }
        found.append(try smallest(among: remaining))
        next = found[found.count - 1].kept
      }
      for suspect in next ?? [] where seen.insert(left.union([suspect])).inserted { open.append(left.union([suspect])) }
    }
    return try found.map { try conflict(of: $0.kept, isMinimal: $0.isMinimal) }
  }

  /// Returns a minimal subset of suspects that excludes every scenario.
  private func smallest(among suspects: [Suspect]) throws -> (kept: [Suspect], isMinimal: Bool) {
    var kept = suspects
    if let proof = proof(kept) { kept = blamed(by: proof, among: kept) }
    var isMinimal = true
    for suspect in kept {
      let remaining = kept.filter { $0 != suspect }
      switch try hasScenario(remaining) {
      case true?: break
      case false?: kept = remaining
      case nil: isMinimal = false
      }
    }
    return (kept, isMinimal)
  }

  private func conflict(of kept: [Suspect], isMinimal: Bool) throws -> ScenarioConflict {
    var conflict = ScenarioConflict(
      observations: [], restrictions: [], groups: [], limitsActive: false, isMinimal: isMinimal, chain: [], mode: mode)
    for suspect in kept {
      switch suspect {
      case .observation(let pool): conflict.observations.append(pool)
      case .restriction(let process): conflict.restrictions.append(process)
      case .group(let group):
        conflict.groups.append(group)
        conflict.groupNames.append(restriction.name(ofGroup: group))
      case .activeLimit: conflict.limitsActive = true
      }
    }
    conflict.chain = proof(kept).map(Self.chain) ?? []
    if conflict.limitsActive { conflict.fewestActive = try fewestActive(kept.filter { $0 != .activeLimit }) }
    return conflict
  }

  /// Returns the number of active processes in the simplest scenario with some suspects; nil if the search is too
  /// large.
  private func fewestActive(_ kept: [Suspect]) throws -> Int? {
    let (network, restriction) = question(kept)
    do {
      return try ScenarioAnalysis(network, mode: mode, restriction: restriction, limits: limits).fewestActive
    } catch ScenarioError.tooWide {
      return nil
    }
  }

  private func suspects() -> [Suspect] {
    let known = LevelSet.lowest(network.rules.levels)
    let pools = network.pools.indices.filter { pool in
      network.pools[pool].observed.map { !known.isSubset(of: $0) } ?? false
    }
    let processes = restriction.states.keys.sorted().filter { restriction.allowed($0) != .every }
    return pools.map(Suspect.observation) + processes.map(Suspect.restriction)
      + restriction.anyActive.indices.map(Suspect.group) + (restriction.maximumActive == nil ? [] : [.activeLimit])
  }

  /// Returns the network and its restriction with only some of the suspects.
  private func question(_ kept: [Suspect]) -> (ScenarioNetwork, ScenarioRestriction) {
    let kept = Set(kept)
    var network = network
    for pool in network.pools.indices where !kept.contains(.observation(pool)) { network.pools[pool].observed = nil }
    var restriction = restriction
    restriction.states = restriction.states.filter { kept.contains(.restriction($0.key)) }
    restriction.anyActive = restriction.anyActive.indices.filter { kept.contains(.group($0)) }
      .map { self.restriction.anyActive[$0] }
    if !kept.contains(.activeLimit) { restriction.maximumActive = nil }
    return (network, restriction)
  }

  /// Returns whether there is a scenario with some of the suspects; nil if the network is too wide to decide.
  private func hasScenario(_ kept: [Suspect]) throws -> Bool? {
    let (network, restriction) = question(kept)
    if mode == .necessary, let result = try ScenarioProbe(network, restriction, limits).hasScenario() { return result }
    do {
      return try !ScenarioAnalysis(network, mode: mode, restriction: restriction, limits: limits).count.isZero
    } catch ScenarioError.tooWide {
      return nil
    }
  }

  /// Returns the rules propagated to a contradiction; nil if they reach none.
  private func proof(_ kept: [Suspect]) -> RulePropagation? {
    let (network, restriction) = question(kept)
    var known = RulePropagation(network, effects: ScenarioEffects(network), restriction: restriction)
    known.run()
    if known.contradiction == nil { known.proveByCases(limit: Self.caseLimit) }
    return known.contradiction == nil ? nil : known
  }

  /// Returns the suspects with which a proof begins.
  private func blamed(by proof: RulePropagation, among kept: [Suspect]) -> [Suspect] {
    var blamed: Set<Suspect> = []
    for fact in Self.chain(proof) {
      switch fact.rule {
      case .observation: if case .pool(let pool, _) = fact.subject { blamed.insert(.observation(pool)) }
      case .restriction: if case .process(let process, _) = fact.subject { blamed.insert(.restriction(process)) }
      case .activeLimit: blamed.insert(.activeLimit)
      // The fact does not name the group, so all are kept; unneeded groups are removed later.
      case .group: blamed.formUnion(restriction.anyActive.indices.map(Suspect.group))
      case .inputs, .outputs, .inhibitors, .activators, .direction, .steadyState, .product, .accumulation, .activation,
        .cases:
        break
      }
    }
    return kept.filter(blamed.contains)
  }

  /// Returns the facts that lead to the contradiction, with causes as indices in this list.
  private static func chain(_ known: RulePropagation) -> [ScenarioFact] {
    guard let end = known.contradiction else { return [] }
    return known.chain(to: [end]).renumbered(known.facts)
  }
}

extension [Int] {
  /// Returns facts selected by index, with causes as indices among them.
  fileprivate func renumbered(_ facts: [ScenarioFact]) -> [ScenarioFact] {
    var indices: [Int: Int] = [:]
    for (index, fact) in enumerated() { indices[fact] = index }
    return map { number in
      var fact = facts[number]
      fact.causes = fact.causes.compactMap { indices[$0] }
      return fact
    }
  }
}

extension RulePropagation {
  /// Returns the proof from the rules that a process has only its remaining states; empty if it has all states.
  func reasons(for process: Int) -> [ScenarioFact] {
    chain(to: facts(about: process)).renumbered(facts)
  }
}

/// Checks whether there is any scenario, without counting them.
///
/// Processes are tried idle first, and the rules are propagated after each choice. After too many choices, the probe
/// gives up and the full search decides.
private struct ScenarioProbe {
  private let start: RulePropagation
  private let restriction: ScenarioRestriction
  private let limits: SearchLimits

  /// The maximum number of choices: twice the number that leads straight to a scenario.
  private var choiceLimit: Int { 2 * start.network.processes.count }

  init(_ network: ScenarioNetwork, _ restriction: ScenarioRestriction, _ limits: SearchLimits) {
    start = RulePropagation(network, effects: ScenarioEffects(network), restriction: restriction)
    self.restriction = restriction
    self.limits = limits
  }

  /// Returns whether there is a scenario; nil if the probe gave up.
  ///
  /// - Throws: `CancellationError`.
  func hasScenario() throws -> Bool? {
    var open = [start]
    var choices = 0
    while var known = open.popLast() {
      try limits.check()
      known.run()
      guard known.contradiction == nil, isPossible(known) else { continue }
      guard let process = known.states.firstIndex(where: { $0.only == nil }) else { return true }
      choices += 1
      guard choices <= choiceLimit else { return nil }
      // The last one is tried first.
      for state in known.states[process].states { open.append(known.choosing(state, for: process)) }
    }
    return false
  }

  /// Returns whether the choices so far satisfy the restrictions that are not covered by a rule.
  private func isPossible(_ known: RulePropagation) -> Bool {
    known.activeCount <= restriction.maximumActive ?? .max
      && restriction.anyActive.allSatisfy { $0.contains { !known.states[$0].isDisjoint(with: .active) } }
  }
}
