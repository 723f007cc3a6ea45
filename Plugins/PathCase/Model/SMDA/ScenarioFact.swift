/// One thing that follows from a rule and from what was known before.
struct ScenarioFact: Sendable, Hashable {
  /// What it is about, by index.
  enum Subject: Sendable, Hashable {
    /// Of a pool these levels are left.
    case pool(Int, LevelSet)
    /// Of a process these states are left.
    case process(Int, ProcessStates)
  }

  var subject: Subject
  var rule: ScenarioRule
  /// The pool at which the rule holds, where the fact is about a process.
  var place: Int?
  /// The facts it follows from, by index, each before it.
  var causes: [Int] = []

  /// Whether nothing is left, so that there is no scenario.
  var isContradiction: Bool {
    switch subject {
    case .pool(_, let levels): levels.isEmpty
    case .process(_, let states): states.isEmpty
    }
  }
}

extension ScenarioFact {
  /// The fact in words, such as `process PDH is idle`.
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

  /// The fact as a line of a chain, from 1, with the numbers of the lines it follows from.
  func line(number: Int, in network: ScenarioNetwork) -> String {
    let sources = causes.map { String($0 + 1) }.joined(separator: ", ")
    let from = sources.isEmpty ? "" : " (from \(sources))"
    return "\(number). \(statement(in: network)): \(reason(in: network))\(from)"
  }

  /// Why it holds, in words: the rule, and the pool at which it does.
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
