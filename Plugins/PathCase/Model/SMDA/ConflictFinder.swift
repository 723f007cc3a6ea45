/// Finds a smallest set of observations and restrictions that leaves no scenario, by leaving them out one by one.
struct ConflictFinder {
  /// One thing that may be to blame.
  private enum Suspect: Hashable {
    case observation(Int)
    case restriction(Int)
    case activeLimit
  }

  let network: ScenarioNetwork
  let mode: ScenarioAnalysis.Mode
  let restriction: ScenarioRestriction
  let limits: SearchLimits

  /// How many cases a proof may try.
  private static let caseLimit = 4_000

  /// The conflict of a network without scenarios.
  ///
  /// - Throws: As for the analysis.
  func conflict() throws -> ScenarioConflict {
    var kept = suspects()
    if let proof = proof(kept) { kept = blamed(by: proof, among: kept) }
    for suspect in kept {
      let rest = kept.filter { $0 != suspect }
      if try !hasScenario(rest) { kept = rest }
    }
    var conflict = ScenarioConflict(observations: [], restrictions: [], limitsActive: false, chain: [], mode: mode)
    for suspect in kept {
      switch suspect {
      case .observation(let pool): conflict.observations.append(pool)
      case .restriction(let process): conflict.restrictions.append(process)
      case .activeLimit: conflict.limitsActive = true
      }
    }
    conflict.chain = proof(kept).map(Self.chain) ?? []
    return conflict
  }

  private func suspects() -> [Suspect] {
    let known = LevelSet.lowest(network.rules.levels)
    let pools = network.pools.indices.filter { pool in
      network.pools[pool].observed.map { !known.isSubset(of: $0) } ?? false
    }
    let processes = restriction.states.keys.sorted().filter { restriction.allowed($0) != .every }
    return pools.map(Suspect.observation) + processes.map(Suspect.restriction)
      + (restriction.maximumActive == nil ? [] : [.activeLimit])
  }

  /// The network and what is asked of it with some of the suspects only.
  private func question(_ kept: [Suspect]) -> (ScenarioNetwork, ScenarioRestriction) {
    let kept = Set(kept)
    var network = network
    for pool in network.pools.indices where !kept.contains(.observation(pool)) { network.pools[pool].observed = nil }
    var restriction = restriction
    restriction.states = restriction.states.filter { kept.contains(.restriction($0.key)) }
    if !kept.contains(.activeLimit) { restriction.maximumActive = nil }
    return (network, restriction)
  }

  private func hasScenario(_ kept: [Suspect]) throws -> Bool {
    let (network, restriction) = question(kept)
    if mode == .necessary, let answer = try ScenarioProbe(network, restriction, limits).hasScenario() { return answer }
    return try !ScenarioAnalysis(network, mode: mode, restriction: restriction, limits: limits).count.isZero
  }

  /// The rules followed to a contradiction; nil if that does not succeed.
  private func proof(_ kept: [Suspect]) -> RulePropagation? {
    let (network, restriction) = question(kept)
    var known = RulePropagation(network, effects: ScenarioEffects(network), restriction: restriction)
    known.run()
    if known.contradiction == nil { known.proveByCases(limit: Self.caseLimit) }
    return known.contradiction == nil ? nil : known
  }

  /// The suspects that a proof begins with.
  private func blamed(by proof: RulePropagation, among kept: [Suspect]) -> [Suspect] {
    var blamed: Set<Suspect> = []
    for fact in Self.chain(proof) {
      switch (fact.rule, fact.subject) {
      case (.observation, .pool(let pool, _)): blamed.insert(.observation(pool))
      case (.restriction, .process(let process, _)): blamed.insert(.restriction(process))
      default: break
      }
    }
    return kept.filter(blamed.contains)
  }

  /// The facts that lead to the contradiction, their causes as places in this list.
  private static func chain(_ known: RulePropagation) -> [ScenarioFact] {
    guard let end = known.contradiction else { return [] }
    return known.chain(to: [end]).renumbered(known.facts)
  }
}

extension [Int] {
  /// Some facts, by their numbers, with causes that are places among them.
  fileprivate func renumbered(_ facts: [ScenarioFact]) -> [ScenarioFact] {
    var places: [Int: Int] = [:]
    for (place, fact) in enumerated() { places[fact] = place }
    return map { number in
      var fact = facts[number]
      fact.causes = fact.causes.compactMap { places[$0] }
      return fact
    }
  }
}

extension RulePropagation {
  /// How it follows from the rules that a process has no other states than those left; empty if it has all.
  func reasons(for process: Int) -> [ScenarioFact] {
    chain(to: facts(about: process)).renumbered(facts)
  }
}
