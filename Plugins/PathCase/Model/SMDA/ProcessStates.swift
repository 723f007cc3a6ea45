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

extension ProcessState {
  /// The order in which scenarios are listed: that of the characters `+`, `-`, `0`.
  static let enumerationOrder: [ProcessState] = [.forward, .backward, .idle]

  /// Creates the state of a character; nil if the character does not stand for a state.
  init?(character: Character) {
    guard let state = Self.allCases.first(where: { $0.character == character }) else { return nil }
    self = state
  }
}
