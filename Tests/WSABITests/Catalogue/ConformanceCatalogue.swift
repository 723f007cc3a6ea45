@testable import WSABI
@testable import WSABISimulator

/// NIST's own service tests by name, each with the parts that cover it: the play of the client with a simulated sensor,
/// and the responses that the client reads.
///
/// - Source: usnistgov/WSBD and usnistgov/jWSBD, the names of their tests, as the brief of this plugin sums them up.
enum ConformanceCatalogue {
  struct Row: Sendable {
    let name: String
    /// Names of ``ClientPlays/all``.
    let plays: [String]
    /// Names of ``Situation/all``.
    let situations: [String]
    /// Names of tests that show more of it.
    let tests: [String]

    /// - Parameter plays: Nil for the one of the row's name.
    init(_ name: String, _ situations: String..., plays: [String]? = nil, tests: [String] = []) {
      (self.name, self.plays, self.situations, self.tests) = (name, plays ?? [name], situations, tests)
    }
  }

  static let all: [Row] = sessions + locks + sensor + configurations + downloads + others

  private static let manyLocks = "of many simultaneous clients, one gets the lock"
  private static let lockServer = "locks behave as in the catalog"

  private static let sessions = [
    Row("register ok", "register ok"), Row("register many", "register many"),
    Row("register exceeds maximum", "register exceeds the maximum number of sessions"),
    Row("register LRU dropped", "register drops the least recently used session"),
    Row("register forced failure", "register forced to fail"), Row("unregister ok", "unregister ok"),
    Row("unregister unknown ok", "unregister an unknown session"),
    Row("unregister unparseable bad", "unregister with an id that cannot be parsed"),
    Row("unregister while busy", "unregister while the sensor is busy"),
    Row("unregister releases lock", "unregister releases the lock"),
    Row("unregister stale after inactivity", "unregister a session that went stale"),
  ]

  private static let locks = [
    Row("lock ok", "lock ok"), Row("lock idempotent", "lock twice"),
    Row("lock unknown id", "lock with an unknown session"),
    Row("lock unparseable id", "lock with an id that cannot be parsed"),
    Row("lock held by another", "lock held by another"),
    Row("lock N simultaneous clients one winner", "lock lost to simultaneous clients", tests: [manyLocks]),
    Row("unlock ok", "unlock ok"), Row("unlock idempotent", "unlock twice"),
    Row("unlock by another", "unlock held by another"), Row("steal free", "steal a free lock"),
    Row("steal own", "steal one's own lock"), Row("steal too soon", "steal too soon"),
    Row("steal after period", "steal after the period"),
    Row("steal timing accuracy", "steal too soon", "steal after the period", tests: [lockServer]),
    Row(
      "steal then cancel the other's operation", "cancel of another's operation after the lock was stolen",
      tests: ["38: a capture canceled by a thief leaves the item empty, with the reason"]),
  ]

  /// The situations in which each operation of the sensor is tested.
  private static let sensor = [
    SensorOperation.initialize, .getConfiguration, .setConfiguration, .capture,
  ].flatMap { operation in
    [
      ("ok", "ok"), ("unregistered", "unregistered"), ("unparseable", "with an id that cannot be parsed"),
      ("no lock", "without the lock"), ("lock by another", "while another holds the lock"),
      ("sensorFailure", "with a sensor that fails"), ("general failure", "with a general failure"),
      ("timeout", "takes too long"), ("canceled", "canceled"),
      ("canceled with sensor failure", "canceled with a failure of the sensor"),
      ("simultaneous calls", "while another call runs"),
    ].map { name, situation in Row("\(operation.words) \(name)", "\(operation.words) \(situation)") }
  }

  private static let configurations = [
    Row(
      "config needs init", "get configuration before initialization", "set configuration before initialization",
      "capture before initialization"),
    Row("config needs config", "get configuration before configuration", "capture before configuration"),
    Row("config unsupported", "set configuration unsupported"),
    Row("config no such parameter", "set configuration of no such parameter"),
    Row(
      "config invalid XML", tests: ["13: an HTTP error is reported with its status"]),
    Row("config wrong type", "set configuration with two values of wrong types"),
    Row(
      "dictionary XML round trip", "get configuration with every type",
      tests: ["every value survives writing and reading"]),
    Row(
      "range XML round trip", "get configuration with every type",
      tests: ["every value survives writing and reading"]),
  ]

  private static let downloads =
    [SensorOperation.download, .getDownloadInfo, .thriftyDownload].flatMap { operation in
      [
        ("ok", "ok"), ("unknown", "of an unknown id"), ("unparseable", "of an id that cannot be parsed"),
        ("preparing", "while data is prepared"), ("failure", "failed"),
      ].map { name, situation in Row("\(operation.words) \(name)", "\(operation.words) \(situation)") }
    } + [
      Row("thrifty larger than original", "thrifty download larger than the original"),
      Row("thrifty unparseable size", "thrifty download with a size that cannot be parsed"),
      Row("both bad: two badFields", "thrifty download with two bad fields"),
      Row("thrifty smaller metadata", "thrifty download with less metadata"),
      Row("info without data", "download information ok"),
      Row("raw ok", tests: ["a raw download returns bytes with their type"]),
    ]

  private static let others = [
    Row("cancel idle ok", "cancel when nothing runs"), Row("cancel twice ok", "cancel twice"),
    Row("cancel unknown", "cancel of an unknown session"),
    Row("cancel unparseable", "cancel with an id that cannot be parsed"),
    Row("cancel no lock", "cancel without the lock"), Row("cancel by another", "cancel while another holds the lock"),
    Row(
      "locked and public streams", plays: ["locked streams", "public streams"],
      tests: ["live previews are received, and end with the lock"]),
    Row(
      "stream ends at unlock",
      plays: ["stream ends at unlock", "stream ends when the lock is stolen", "stream ends with its session"]),
  ]
}
