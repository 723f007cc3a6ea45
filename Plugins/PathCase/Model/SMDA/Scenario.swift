/// One way a network may run: what each process does.
struct Scenario: Sendable, Hashable {
  /// For each process of the network its state.
  var states: [ProcessState]

  /// The characters of the states, in the order of processes, such as `+0-`.
  var text: String { String(states.map(\.character)) }

  /// The active processes, by index.
  var active: [Int] { states.indices.filter { states[$0] != .idle } }
}

/// In how many scenarios a process does what.
struct ProcessMarginal: Sendable, Hashable {
  var forward: BigUnsigned
  var backward: BigUnsigned
  var idle: BigUnsigned

  /// All scenarios.
  var total: BigUnsigned { forward + backward + idle }

  /// In which part of the scenarios the process is active, 0 to 1.
  var activeShare: Double { (forward + backward).share(of: total) }
}
