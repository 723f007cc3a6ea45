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
