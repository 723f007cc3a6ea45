/// One way in which a network may run: the state of each process.
struct Scenario: Sendable, Hashable {
  /// The state of each process of the network.
  var states: [ProcessState]

  /// The characters of the states, in the order of processes, such as `+0-`.
  var text: String { String(states.map(\.character)) }

  /// The active processes, by index.
  var active: [Int] { states.indices.filter { states[$0] != .idle } }
}

/// The number of scenarios in which a process has each state.
struct ProcessMarginal: Sendable, Hashable {
  var forward: BigUnsigned
  var backward: BigUnsigned
  var idle: BigUnsigned

  /// The number of all scenarios.
  var total: BigUnsigned { forward + backward + idle }

  /// The fraction of the scenarios in which the process is active, 0 to 1.
  var activeShare: Double { (forward + backward).share(of: total) }
}

/// The activity of a process in a scenario.
enum ProcessState: UInt8, Sendable, CaseIterable {
  case idle, forward, backward

  /// The character used in files and tables: 0, + or -.
  var character: Character {
    switch self {
    case .idle: "0"
    case .forward: "+"
    case .backward: "-"
    }
  }

  /// Creates the state of a character; nil if the character does not stand for a state.
  init?(character: Character) {
    guard let state = Self.allCases.first(where: { $0.character == character }) else { return nil }
    self = state
  }

  /// The order in which scenarios are listed: that of the characters `+`, `-`, `0`.
  static let enumerationOrder: [ProcessState] = [.forward, .backward, .idle]

  /// The index in ``enumerationOrder``.
  var enumerationIndex: Int {
    switch self {
    case .forward: 0
    case .backward: 1
    case .idle: 2
    }
  }
}

/// A set of states of a process.
struct ProcessStates: OptionSet, Sendable, Hashable {
  let rawValue: UInt8

  init(rawValue: UInt8) { self.rawValue = rawValue }

  init(_ states: some Sequence<ProcessState>) {
    self.init(rawValue: states.reduce(0) { $0 | 1 << $1.rawValue })
  }

  static let idle = ProcessStates(CollectionOfOne(ProcessState.idle))
  static let forward = ProcessStates(CollectionOfOne(ProcessState.forward))
  static let backward = ProcessStates(CollectionOfOne(ProcessState.backward))
  /// All states.
  static let every: ProcessStates = [.idle, .forward, .backward]
  /// Both directions.
  static let active: ProcessStates = [.forward, .backward]

  /// The states in the order of enumeration: forward, backward, idle, as `+`, `-`, `0` are sorted.
  var states: [ProcessState] { ProcessState.enumerationOrder.filter(contains) }

  /// The state, if the set contains only one.
  var only: ProcessState? { rawValue.nonzeroBitCount == 1 ? states.first : nil }

  func contains(_ state: ProcessState) -> Bool { rawValue & 1 << state.rawValue != 0 }
}

/// A scenario that the user saved.
struct SavedScenario: Sendable, Hashable {
  /// The activity of a process in the scenario.
  struct Activity: Sendable, Hashable {
    var process: Identifier
    var state: ProcessState
  }

  /// The name that the user gave it.
  var name: String
  /// The pathway of the scenario.
  var pathway: Identifier
  /// The activities in the order in which they were saved.
  var activities: [Activity] = []
  /// The version of the stored scenario; nil for a new one.
  var version: Int?
}

/// Observations that the user saved under a name.
struct SavedObservations: Sendable, Hashable {
  /// The name that the user gave them.
  var name: String
  /// The observations in the order in which they were saved.
  var rows: [SavedObservation] = []
  /// The version of the stored observations; nil for new ones.
  var version: Int?
}

/// An observation of a pool.
struct SavedObservation: Sendable, Hashable {
  var pool: Identifier
  var levels: LevelSet
}
