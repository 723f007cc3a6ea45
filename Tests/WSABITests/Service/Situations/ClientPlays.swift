@testable import WSABI
@testable import WSABISimulator

/// The conformance catalog as the client plays it; by the names of the catalog, and some more that are in no test of
/// NIST's but follow from the brief.
///
/// - Source: usnistgov/WSBD and usnistgov/jWSBD, the names of their tests.
enum ClientPlays {
  static let all = sessions + locks + work + configurations + downloads + others + links

  private static let ready = "A register; A lock; A initialize; "

  private static let sessions: [ClientPlay] = [
    .init("register ok", "A register; registered = A; holder = none; asked register = 1"),
    .init(
      "register many",
      "A register; B register; C register; D register; registered = A B C D; A lock; B lock = lockHeldByAnother; holder = A"
    ),
    .init(
      "register exceeds maximum",
      "A register; B register; C register = failure; registered = A B; asked register = 3; A lock; holder = A"
    ) { ($0.maximumSessions, $0.dropsLRUSessions) = (2, false) },
    .init(
      "register LRU dropped",
      "A register; clock 1; B register; clock 1; A lock; clock 1; C register; registered = A C; B lock = invalidId; holder = A"
    ) { $0.maximumSessions = 2 },
    .init(
      "register forced failure",
      "fault status@register=failure; A register = failure; registered = none; asked register = 1; heal; A register; registered = A"
    ),
    .init("unregister ok", "A register; A unregister; registered = none; A lock = invalidId; holder = none"),
    .init("unregister unknown ok", "A register; X unregister; registered = A"),
    .init(
      "unregister unparseable bad", "A register; ? unregister = unaskable; asked unregister = 0; registered = A"),
    .init(
      "unregister while busy", ready,
      "fault hold@capture; start A capture; busy; A unregister = sensorBusy; registered = A; holder = A; release;",
      "await A = success; ledger = 1; A unregister; registered = none; holder = none"),
    .init(
      "unregister releases lock",
      "A register; B register; A lock; B lock = lockHeldByAnother; A unregister; holder = none; registered = B; B lock; holder = B"
    ),
    .init(
      "unregister stale after inactivity",
      "A register; A lock; clock 3601; A unregister; registered = none; holder = none; A lock = invalidId"),
    .init(
      "a session with a malformed id is never used",
      "fault bad-session; A register = malformed; A lock = unaskable; asked tryLock = 0; holder = none"),
  ]

  private static let locks: [ClientPlay] = [
    .init("lock ok", "A register; holder = none; A lock; holder = A"),
    .init("lock idempotent", "A register; A lock; A lock; asked tryLock = 2; holder = A"),
    .init("lock unknown id", "X lock = invalidId; asked tryLock = 1; holder = none"),
    .init("lock unparseable id", "? lock = unaskable; asked tryLock = 0; holder = none"),
    .init("lock held by another", "A register; B register; A lock; B lock = lockHeldByAnother; holder = A"),
    .init(
      "lock N simultaneous clients one winner",
      "crowd 8; holder = W; asked tryLock = 8; A register; A lock = lockHeldByAnother; W unlock; holder = none"),
    .init("unlock ok", "A register; B register; A lock; A unlock; holder = none; B lock; holder = B"),
    .init("unlock idempotent", "A register; A lock; A unlock; A unlock; asked unlock = 2; holder = none"),
    .init("unlock of a free lock", "A register; A unlock; holder = none"),
    .init("unlock by another", "A register; B register; A lock; B unlock = lockHeldByAnother; holder = A"),
    .init("unlock unknown id", "A register; A lock; X unlock = invalidId; holder = A"),
    .init("unlock unparseable id", "A register; A lock; ? unlock = unaskable; asked unlock = 0; holder = A"),
    .init(
      "unlock while busy", ready,
      "fault hold@capture; start A capture; busy; A unlock = sensorBusy; holder = A; release; await A = success; ledger = 1"
    ),
    .init(
      "steal free", "A register; B register; A steal; holder = A | none; B lock = lockHeldByAnother | success;",
      "holder = A | B"),
    .init("steal own", "A register; A lock; A steal; holder = A; A initialize; sensor = ready"),
    .init("steal unknown id", "A register; A lock; X steal = invalidId; holder = A"),
    .init("steal unparseable id", "A register; A lock; ? steal = unaskable; asked stealLock = 0; holder = A"),
    .init(
      "steal too soon",
      "A register; B register; A lock; A initialize; B steal = failure; holder = A; B initialize = lockHeldByAnother; A initialize"
    ),
    .init(
      "steal after period",
      "A register; B register; A lock; A initialize; clock 62; B steal; holder = B; A initialize = lockHeldByAnother; B initialize;",
      "sensor = ready"),
    .init(
      "steal timing accuracy",
      "A register; B register; A lock; A initialize; clock 61.25; B steal = failure; holder = A; clock 0.19; B steal; holder = B"
    ),
    .init(
      "steal then cancel the other's operation",
      "A register; B register; A lock; A initialize; fault hold@capture; start A capture; busy; clock 62; B steal; holder = B;",
      "A cancel = lockHeldByAnother; working = capture; B cancel; await A = canceled; ledger = 0; B initialize; sensor = ready"
    ),
  ]

  // MARK: Operations of the sensor

  private static let work =
    [
      plays(of: .initialize, "initialize", behind: "sensor = ready"),
      plays(of: .uninitialize, "uninitialize", behind: "sensor = rest"),
      plays(of: .getConfiguration, "read", behind: "told gain = 4; sensor = ready"),
      plays(of: .setConfiguration, "configure", behind: "set gain = 3; sensor = ready"),
      plays(of: .capture, "capture", behind: "ledger = 1; sensor = ready"),
    ].flatMap { $0 } + asynchronous

  private static func plays(of operation: SensorOperation, _ verb: String, behind: String) -> [ClientPlay] {
    let (name, word) = (operation.words, operation.rawValue)
    // Initializing repairs a failed sensor, so the service has to report a failure without having failed.
    let failure =
      operation == .initialize
      ? "fault status@initialize=sensorFailure; A initialize = sensorFailure; heal; A initialize; sensor = ready"
      : "break; A \(verb) = sensorFailure; sensor = broken; ledger = 0; A initialize; A \(verb); \(behind)"
    return refusals(of: operation, verb) + [
      ClientPlay(
        "\(name) ok", ready, "A \(verb); asked \(word) = \(operation == .initialize ? 2 : 1); \(behind); holder = A"),
      ClientPlay("\(name) sensorFailure", ready, failure),
      ClientPlay(
        "\(name) general failure", ready,
        "fault status@\(word)=failure; A \(verb) = failure; ledger = 0; set gain = nothing; sensor = ready; heal; A \(verb); \(behind)"
      ),
      ClientPlay(
        "\(name) timeout", ready,
        "fault hold@\(word); A \(verb) = sensorTimeout; working = nothing; ledger = 0; set gain = nothing; sensor = ready; holder = A"
      ) { $0.timeoutInMilliseconds = 20 },
      ClientPlay(
        "\(name) canceled", ready,
        "fault hold@\(word); start A \(verb); busy; working = \(word); A cancel; await A = canceled; working = nothing; ledger = 0;",
        "set gain = nothing; sensor = ready; holder = A; heal; A \(verb); \(behind)"),
      ClientPlay(
        "\(name) canceled with sensor failure", ready,
        "fault hold@\(word); fault cancel-failure@\(word); start A \(verb); busy; A cancel;",
        "await A = canceledWithSensorFailure; sensor = broken; ledger = 0; heal; A capture = sensorFailure; A initialize;",
        "sensor = ready; A \(verb); \(behind)"),
      ClientPlay(
        "\(name) canceled too late", ready,
        "fault hold@\(word); fault late-cancel@\(word); start A \(verb); busy; A cancel; await A = success; \(behind)"),
      ClientPlay(
        "\(name) simultaneous calls", ready,
        "fault hold@\(word)+1; start A \(verb); busy; A \(verb) = sensorBusy; A capture = sensorBusy; release;",
        "await A = success; \(behind)"),
    ]
  }

  /// Returns the plays in which a session is refused an operation of the sensor.
  private static func refusals(of operation: SensorOperation, _ verb: String) -> [ClientPlay] {
    let (name, word) = (operation.words, operation.rawValue)
    return [
      ClientPlay("\(name) unregistered", "X \(verb) = invalidId; asked \(word) = 1; sensor = rest; ledger = 0"),
      ClientPlay("\(name) unparseable", "? \(verb) = unaskable; asked \(word) = 0; sensor = rest"),
      ClientPlay("\(name) no lock", "A register; A \(verb) = lockNotHeld; holder = none; sensor = rest; ledger = 0"),
      ClientPlay(
        "\(name) lock by another",
        "A register; B register; B lock; A \(verb) = lockHeldByAnother; holder = B; sensor = rest; ledger = 0"),
    ]
  }

  /// Asynchronous captures, begun and ended.
  private static let asynchronous =
    refusals(of: .beginCapture, "begin") + refusals(of: .endCapture, "end") + [
      ClientPlay(
        "begin and end capture ok", ready,
        "fault hold@beginCapture; A begin; working = capture; ledger = 0; release; A end; ledger = 1; A download; data = whole"
      ),
      ClientPlay("end capture without a capture", ready, "A end = failure; ledger = 0; sensor = ready"),
      ClientPlay(
        "begin capture before initialization",
        "A register; A lock; A begin = initializationNeeded; working = nothing; sensor = rest"
      ),
      ClientPlay(
        "begin capture general failure", ready,
        "fault status@beginCapture=failure; A begin = failure; working = nothing; A end = failure; ledger = 0"),
      ClientPlay(
        "begin capture timeout", ready,
        "fault hold@beginCapture; A begin; A end = sensorTimeout; ledger = 0; working = nothing"
      ) { $0.timeoutInMilliseconds = 20 },
      ClientPlay(
        "begin capture canceled", ready,
        "fault hold@beginCapture; A begin; working = capture; A cancel; A end = canceled; ledger = 0; heal; A capture; ledger = 1"
      ),
      ClientPlay(
        "begin capture simultaneous calls", ready,
        "fault hold@beginCapture; A begin; A begin = sensorBusy; A capture = sensorBusy; release; A end; ledger = 1"),
      ClientPlay(
        "end capture by the thief of the lock", ready,
        "B register; fault hold@beginCapture; A begin; clock 62; B steal; release; A end = lockHeldByAnother; B end; ledger = 1;",
        "B download; data = whole; holder = B"),
      ClientPlay(
        "a frozen capture ends at a cancel, with its data", ready,
        "fault freeze; start A capture; frozen; A cancel; await A = success; ledger = 1; A download; data = whole"),
    ]
}
