import PluginStore

/// A search for sensors that announce themselves on the links of this machine; only on request.
///
/// It uses DNS-Based Service Discovery over multicast DNS: one question for the type, repeated after a second and then
/// at doubling intervals, and one for each record that a response left out. Messages that do not respond to a question
/// of this run, come from another port, or from outside the link are ignored; so are addresses outside the link.
///
/// - Source: RFC 6763; RFC 6762, sections 5.1, 6.7 and 11.
struct SensorDiscovery: Sendable {
  /// The service type to search for, and the time limit.
  struct Request: Sendable, Hashable {
    var type: DiscoveryType
    var deadlineInMilliseconds = 3000
    /// The number of sensors that suffices; nil for all that respond in time.
    var count: Int?
  }

  /// The result of a search.
  struct Outcome: Sendable, Hashable {
    var sensors: [DiscoveredSensor] = []
    /// True if more sensors responded than are kept.
    var isCut = false
  }

  /// The largest number of responses read in a run; more are a flood.
  static let mostAnswers = 2048
  /// The largest number of questions per link, besides the one for the type.
  static let mostQuestions = 256
  /// The number of times a missing record is requested.
  static let repeats = 2

  let request: Request

  /// Searches on its own thread.
  ///
  /// - Throws: ``DiscoveryError``; `CancellationError` as soon as the task is canceled.
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
