/// Propagates the rules from known facts until nothing new follows.
///
/// It is used before the search, to reduce the network, and for explanations: each fact keeps its causes. It finds only
/// what follows from one rule at a time; case analysis is left to ``proveByCases(limit:)`` and to the search.
struct RulePropagation: Sendable {
  let network: ScenarioNetwork
  let effects: ScenarioEffects
  /// The restrictions in addition to the observations.
  private let restriction: ScenarioRestriction
  /// The derived facts, in order.
  private(set) var facts: [ScenarioFact] = []
  /// The remaining levels of each pool.
  private(set) var levels: [LevelSet]
  /// The remaining states of each process.
  private(set) var states: [ProcessStates]
  /// The first fact that is a contradiction; nil if there is none.
  private(set) var contradiction: Int?

  /// The fact that excluded each level of each pool, `-1` for none; four entries per pool.
  private var takenLevels: [Int]
  /// The fact that excluded each state of each process, `-1` for none; three entries per process.
  private var takenStates: [Int]
  private var dirtyPools: [Bool]
  private var dirtyProcesses: [Bool]

  /// Starts with the observations and restrictions.
  init(_ network: ScenarioNetwork, effects: ScenarioEffects, restriction: ScenarioRestriction = .init()) {
    self.network = network
    self.effects = effects
    self.restriction = restriction
    let known = LevelSet.lowest(network.rules.levels)
    levels = Array(repeating: known, count: network.pools.count)
    states = network.processes.map(\.directions)
    takenLevels = Array(repeating: -1, count: 4 * levels.count)
    takenStates = Array(repeating: -1, count: 3 * states.count)
    dirtyPools = Array(repeating: true, count: levels.count)
    dirtyProcesses = Array(repeating: true, count: states.count)
    for pool in levels.indices { narrow(pool: pool, to: effects.levels[pool], .observation, causes: []) }
    for process in states.indices {
      let allowed = effects.states[process].intersection(restriction.allowed(process))
      narrow(process: process, to: allowed, .restriction, at: nil, causes: [])
    }
  }

  /// Propagates the rules until nothing new follows or a contradiction is found.
  mutating func run() {
    var changed = true
    while changed, contradiction == nil {
      changed = false
      for process in states.indices where dirtyProcesses[process] && contradiction == nil {
        dirtyProcesses[process] = false
        changed = true
        follow(process: process)
      }
      for pool in levels.indices where dirtyPools[pool] && contradiction == nil {
        dirtyPools[pool] = false
        changed = true
        follow(pool: pool)
      }
      guard !changed, contradiction == nil else { continue }
      let before = facts.count
      followRestriction()
      changed = facts.count > before
    }
  }

  /// Excludes states that lead to a contradiction on their own, until nothing new follows.
  ///
  /// - Parameter limit: The maximum number of cases to try.
  mutating func proveByCases(limit: Int) {
    var tries = 0
    var changed = true
    while changed, contradiction == nil {
      changed = false
      for process in states.indices where states[process].rawValue.nonzeroBitCount > 1 {
        for state in states[process].states where contradiction == nil {
          tries += 1
          guard tries <= limit else { return }
          guard let causes = refutation(of: state, process: process) else { continue }
          narrow(
            process: process, to: states[process].subtracting(ProcessStates([state])), .cases, at: nil, causes: causes)
          run()
          changed = true
        }
      }
    }
  }

  /// Returns the facts that make a state of a process impossible; nil if rules alone, one at a time, do not show it.
  private func refutation(of state: ProcessState, process: Int) -> [Int]? {
    var attempt = choosing(state, for: process)
    attempt.run()
    guard let end = attempt.contradiction else { return nil }
    let assumed = facts.count
    return attempt.chain(to: [end]).filter { $0 < assumed }
  }

  /// Returns the propagation after choosing a state of a process, which must be possible.
  func choosing(_ state: ProcessState, for process: Int) -> RulePropagation {
    var chosen = self
    chosen.narrow(process: process, to: ProcessStates([state]), .cases, at: nil, causes: [])
    return chosen
  }

  /// The number of processes that are certainly active.
  var activeCount: Int { states.count { !$0.isEmpty && !$0.contains(ProcessStates.idle) } }

  /// Returns the facts that lead to some facts, these included, in order.
  func chain(to ends: [Int]) -> [Int] {
    var isNeeded = Array(repeating: false, count: facts.count)
    for end in ends { isNeeded[end] = true }
    for index in facts.indices.reversed() where isNeeded[index] {
      for cause in facts[index].causes { isNeeded[cause] = true }
    }
    return facts.indices.filter { isNeeded[$0] }
  }

  /// Returns the facts that excluded states of a process, in order.
  func facts(about process: Int) -> [Int] { taken(.every, process: process) }
}

// MARK: - Narrowing

extension RulePropagation {
  private mutating func narrow(pool: Int, to wanted: LevelSet, _ rule: ScenarioRule, causes: [Int]) {
    let left = levels[pool].intersection(wanted)
    guard left != levels[pool] else { return }
    for level in levels[pool].subtracting(left).levels { takenLevels[4 * pool + Int(level.rawValue)] = facts.count }
    levels[pool] = left
    if left.isEmpty, contradiction == nil { contradiction = facts.count }
    let before = left.isEmpty ? taken(.every, pool: pool).filter { $0 < facts.count } : []
    facts.append(ScenarioFact(subject: .pool(pool, left), rule: rule, causes: Self.sorted(causes + before)))
    dirtyPools[pool] = true
    for process in effects.processes[pool] { dirtyProcesses[process] = true }
  }

  private mutating func narrow(
    process: Int, to wanted: ProcessStates, _ rule: ScenarioRule, at pool: Int?, causes: [Int]
  ) {
    let left = states[process].intersection(wanted)
    guard left != states[process] else { return }
    for state in states[process].subtracting(left).states {
      takenStates[3 * process + Int(state.rawValue)] = facts.count
    }
    states[process] = left
    if left.isEmpty, contradiction == nil { contradiction = facts.count }
    let before = left.isEmpty ? taken(.every, process: process).filter { $0 < facts.count } : []
    facts.append(
      ScenarioFact(subject: .process(process, left), rule: rule, pool: pool, causes: Self.sorted(causes + before)))
    dirtyProcesses[process] = true
    for touch in effects.touches[process] { dirtyPools[touch.pool] = true }
  }

  /// Returns the facts that excluded levels of a pool.
  private func taken(_ levels: LevelSet, pool: Int) -> [Int] {
    levels.levels.map { takenLevels[4 * pool + Int($0.rawValue)] }.filter { $0 >= 0 }
  }

  /// Returns the facts that excluded states of a process.
  private func taken(_ states: ProcessStates, process: Int) -> [Int] {
    states.states.map { takenStates[3 * process + Int($0.rawValue)] }.filter { $0 >= 0 }
  }

  private static func sorted(_ causes: [Int]) -> [Int] {
    var unique: [Int] = []
    for cause in causes.sorted() where unique.last != cause { unique.append(cause) }
    return unique
  }
}

// MARK: - Rules

extension RulePropagation {
  /// Derives facts for a process from the levels of its pools, and for the pools from a process that must run.
  private mutating func follow(process: Int) {
    for state in states[process].states where state != .idle {
      for touch in effects.touches[process] {
        guard let demand = touch[state].demands.first(where: { levels[touch.pool].isDisjoint(with: $0.levels) }) else {
          continue
        }
        narrow(
          process: process, to: states[process].subtracting(ProcessStates([state])), demand.rule, at: touch.pool,
          causes: taken(demand.levels, pool: touch.pool))
        break
      }
    }
    let left = states[process]
    guard !left.contains(.idle), !left.isEmpty else { return }
    let causes = taken(.every, process: process)
    for touch in effects.touches[process] {
      if let state = left.only {
        for demand in touch[state].demands { narrow(pool: touch.pool, to: demand.levels, demand.rule, causes: causes) }
        continue
      }
      let wanted = left.states.reduce(into: LevelSet()) { $0.formUnion(touch[$1].levels) }
      guard !levels[touch.pool].isSubset(of: wanted) else { continue }
      let lost = levels[touch.pool].subtracting(wanted)
      let demands = left.states.flatMap { touch[$0].demands }
      let rule = demands.first { !lost.isSubset(of: $0.levels) }?.rule ?? .inputs
      narrow(pool: touch.pool, to: wanted, rule, causes: causes)
    }
  }

  /// Derives facts for the processes of a pool from the steady state, and from an accumulated level.
  private mutating func follow(pool: Int) {
    guard !network.pools[pool].isBoundary else { return }
    let makers = Side(pool, \.produces, effects)
    let takers = Side(pool, \.consumes, effects)
    for (side, other) in [(makers, takers), (takers, makers)] {
      balance(side, by: other, pool: pool)
      if let mover = side.members.first(where: {
        !states[$0.process].isEmpty && states[$0.process].isSubset(of: $0.states)
      }) {
        let causes = taken(ProcessStates.every.subtracting(mover.states), process: mover.process)
        require(other, except: mover.process, pool: pool, .steadyState, causes: causes)
      }
    }
    guard network.rules.accumulatedNeedsProducer else { return }
    if levels[pool].contains(.accumulated),
      makers.members.allSatisfy({ states[$0.process].isDisjoint(with: $0.states) })
    {
      narrow(
        pool: pool, to: levels[pool].subtracting(.accumulated), .accumulation,
        causes: makers.members.flatMap { taken($0.states, process: $0.process) })
    }
    guard levels[pool] == .accumulated else { return }
    let causes = taken(LevelSet.every.subtracting(.accumulated), pool: pool)
    require(makers, except: nil, pool: pool, .accumulation, causes: causes)
    require(takers, except: nil, pool: pool, .steadyState, causes: causes)
  }

  /// Excludes the states that produce a pool if no other process can consume it, or vice versa.
  private mutating func balance(_ side: Side, by other: Side, pool: Int) {
    let able = other.members.filter { !states[$0.process].isDisjoint(with: $0.states) }
    // With two partners each process has a different one; a pool may have thousands of them.
    guard able.count < 2 else { return }
    for member in side.members where !states[member.process].isDisjoint(with: member.states) {
      guard able.allSatisfy({ $0.process == member.process }) else { continue }
      let partners = other.members.filter { $0.process != member.process }
      narrow(
        process: member.process, to: states[member.process].subtracting(member.states), .steadyState, at: pool,
        causes: partners.flatMap { taken($0.states, process: $0.process) })
    }
  }

  /// Requires the last process that can fulfill a condition to do so.
  private mutating func require(_ side: Side, except mover: Int?, pool: Int, _ rule: ScenarioRule, causes: [Int]) {
    let members = side.members.filter { $0.process != mover }
    let able = members.filter { !states[$0.process].isDisjoint(with: $0.states) }
    guard able.count == 1, let last = able.first else { return }
    let others = members.filter { $0.process != last.process }
    narrow(
      process: last.process, to: last.states, rule, at: pool,
      causes: causes + others.flatMap { taken($0.states, process: $0.process) })
  }
}

/// The processes that can produce a pool, or those that can consume it, with the states in which they do.
private struct Side {
  /// A process of the side.
  struct Member {
    var process: Int
    var states: ProcessStates
  }

  var members: [Member] = []

  init(_ pool: Int, _ moves: (ScenarioEffects.Effect) -> Bool, _ effects: ScenarioEffects) {
    for process in effects.processes[pool] {
      guard let touch = effects.touch(of: process, on: pool) else { continue }
      let states = ProcessStates(ProcessState.allCases.filter { moves(touch[$0]) })
      if !states.isEmpty { members.append(Member(process: process, states: states)) }
    }
  }
}

// MARK: - Restrictions

extension RulePropagation {
  /// Propagates the maximum number of active processes, and the groups of which one must be active.
  private mutating func followRestriction() {
    if let maximum = restriction.maximumActive { limitActive(to: maximum) }
    for group in restriction.anyActive where contradiction == nil { require(group) }
  }

  /// Makes all other processes idle once the maximum is reached; exceeding it is a contradiction.
  private mutating func limitActive(to maximum: Int) {
    let sure = states.indices.filter { !states[$0].isEmpty && !states[$0].contains(ProcessStates.idle) }
    guard sure.count >= maximum else { return }
    let counted = sure.prefix(maximum)
    let causes = counted.flatMap { taken(.idle, process: $0) }
    let isCounted = Set(counted)
    for process in states.indices where !isCounted.contains(process) && contradiction == nil {
      narrow(process: process, to: .idle, .activeLimit, at: nil, causes: causes)
    }
  }

  /// Activates the last process of a group that can be active.
  private mutating func require(_ group: [Int]) {
    let able = group.filter { !states[$0].isDisjoint(with: .active) }
    guard able.count < 2, let last = able.first ?? group.last else { return }
    let others = group.filter { $0 != last }
    narrow(
      process: last, to: .active, .group, at: nil, causes: others.flatMap { taken(.active, process: $0) })
  }
}

/// A fact that follows from a rule and from earlier facts.
struct ScenarioFact: Sendable, Hashable {
  /// The subject of a fact, by index.
  enum Subject: Sendable, Hashable {
    /// The levels left for a pool.
    case pool(Int, LevelSet)
    /// The states left for a process.
    case process(Int, ProcessStates)
  }

  var subject: Subject
  var rule: ScenarioRule
  /// The pool at which the rule applies, if the fact is about a process.
  var pool: Int?
  /// The indices of the facts from which it follows, all of them earlier.
  var causes: [Int] = []

  /// Returns the fact as text, such as `process PDH is idle`.
  func statement(in network: ScenarioNetwork) -> String {
    switch subject {
    case .pool(let pool, let levels):
      let name = network.pools[pool].id.text
      guard !levels.isEmpty else { return "pool \(name) can have no level" }
      return "pool \(name) is \(levels.levels.map(\.name).joined(separator: " or "))"
    case .process(let process, let states):
      let name = network.processes[process].id.text
      guard !states.isEmpty else { return "process \(name) can have no state" }
      return "process \(name) \(states.states.map(\.word).joined(separator: " or "))"
    }
  }

  /// Returns the fact as a line of a chain, numbered from 1, with the numbers of the lines from which it follows.
  func line(number: Int, in network: ScenarioNetwork) -> String {
    let sources = causes.map { String($0 + 1) }.joined(separator: ", ")
    let from = sources.isEmpty ? "" : " (from \(sources))"
    return "\(number). \(statement(in: network)): \(reason(in: network))\(from)"
  }

  /// Returns the reason as text: the rule, and the pool to which it applies.
  func reason(in network: ScenarioNetwork) -> String {
    guard let pool, case .process = subject else { return rule.statement }
    return "\(rule.statement) (\(network.pools[pool].id.text))"
  }
}

extension MetaboliteLevel {
  /// The level as text.
  fileprivate var name: String {
    switch self {
    case .unavailable: "unavailable"
    case .available: "available"
    case .accumulated: "accumulated"
    case .severelyAccumulated: "severely accumulated"
    }
  }
}

extension ProcessState {
  /// The state in words.
  fileprivate var word: String {
    switch self {
    case .idle: "is idle"
    case .forward: "runs forward"
    case .backward: "runs backward"
    }
  }
}
