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
  var place: Int?
  /// The indices of the facts from which it follows, all of them earlier.
  var causes: [Int] = []

  /// A Boolean value indicating whether nothing is left, so that there is no scenario.
  var isContradiction: Bool {
    switch subject {
    case .pool(_, let levels): levels.isEmpty
    case .process(_, let states): states.isEmpty
    }
  }
}

extension ScenarioFact {
  /// Returns the fact in words, such as `process PDH is idle`.
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

  /// Returns the reason in words: the rule, and the pool at which it applies.
  func reason(in network: ScenarioNetwork) -> String {
    guard let place, case .process = subject else { return rule.statement }
    return "\(rule.statement) (\(network.pools[place].id.text))"
  }
}

extension MetaboliteLevel {
  /// The level in words.
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
    case .forward: "runs forwards"
    case .backward: "runs backwards"
    }
  }
}
