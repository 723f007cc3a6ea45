/// The goal of a sequence.
enum SequenceGoal: Sendable, Hashable {
  /// Registered and initialized, the lock released.
  case connect
  /// As connected, with a configuration applied.
  case configure(WireDictionary)
  /// One capture with a configuration; the downloads follow outside of the sequence, as they need neither lock nor session.
  case capture(WireDictionary)
  /// Lock and session released.
  case disconnect

  /// The configuration that the sensor must have; nil for none.
  var configuration: WireDictionary? {
    switch self {
    case .configure(let configuration), .capture(let configuration): configuration
    case .connect, .disconnect: nil
    }
  }

  /// Returns this goal with another configuration.
  func with(_ configuration: WireDictionary) -> SequenceGoal {
    switch self {
    case .configure: .configure(configuration)
    case .capture: .capture(configuration)
    case .connect, .disconnect: self
    }
  }
}
