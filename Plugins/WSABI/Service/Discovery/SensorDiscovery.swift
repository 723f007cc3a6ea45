import PluginStore

/// Looks for sensors that announce themselves on the links of this machine, when it is asked to and never else.
///
/// DNS-Based Service Discovery over multicast DNS: one question for the type, repeated after a second and then at twice
/// the distance, and one for each thing that an answer left out. What does not answer a question of this run, comes from
/// another port or from elsewhere than the link, is left out; so is an address that is not on the link.
///
/// - Source: RFC 6763; RFC 6762, sections 5.1, 6.7 and 11.
struct SensorDiscovery: Sendable {
  /// What is looked for, and for how long.
  struct Request: Sendable, Hashable {
    var type: DiscoveryType
    var deadlineInMilliseconds = 3000
    /// How many sensors are enough; nil for all that answer in time.
    var count: Int?
  }

  /// What was found.
  struct Outcome: Sendable, Hashable {
    var sensors: [DiscoveredSensor] = []
    /// Whether more answered than are kept.
    var isCut = false
  }

  /// How many answers of a run are read: more are a flood.
  static let mostAnswers = 2048
  /// How many questions about one link are asked besides that for the type.
  static let mostQuestions = 256
  /// How often the same thing that was left out is asked for.
  static let repeats = 2

  let request: Request

  /// Looks on a thread of its own.
  ///
  /// - Throws: ``DiscoveryError``; `CancellationError` as soon as the task is cancelled.
  func outcome(
    _ transport: @escaping @Sendable () throws(DiscoveryError) -> any DiscoveryTransport
  ) async throws -> Outcome {
    let request = request
    return try await OwnThread.value { checkCancellation in
      let transport = try transport()
      defer { transport.close() }
      var run = try DiscoveryRun(request, transport)
      return try run.outcome(checkCancellation)
    }
  }
}
