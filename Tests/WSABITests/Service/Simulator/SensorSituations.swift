@testable import WSABI
@testable import WSABISimulator

/// The server side of the conformance catalog, by NIST's own tests.
///
/// - Source: usnistgov/WSBD and usnistgov/jWSBD, the names of their tests.
enum SensorSituations {
  static let sessions: [SensorSituation] = [
    .init("register ok", "A register"),
    .init("register many", "A register; B register; C register; D register"),
    .init("register exceeds the maximum", "A register; B register; C register = failure") {
      ($0.maximumSessions, $0.dropsLRUSessions) = (2, false)
    },
    .init(
      "register drops the least recently used session",
      "A register; clock 1; B register; clock 1; A lock; clock 1; C register; B lock = invalidId; A lock; A unlock; C lock"
    ) { $0.maximumSessions = 2 },
    .init(
      "register spares a session whose operation runs",
      "A register; A lock; A initialize; fault hold@capture; start A capture; busy; clock 1; B register; clock 1;"
        + "C register; B lock = invalidId; release; await A = success"
    ) { $0.maximumSessions = 2 },
    .init("register forced failure", "fault status@register=failure; A register = failure") { _ in },
    .init("unregister ok", "A register; A unregister; A lock = invalidId"),
    .init("unregister unknown ok", "X unregister"),
    .init("unregister unparseable bad", "? unregister = badValue:sessionId | http 404"),
    .init("unregister twice ok", "A register; A unregister; A unregister"),
    .init(
      "unregister while busy",
      "A register; A lock; A initialize; fault hold@capture; start A capture; busy; A unregister = sensorBusy; release; await A = success; A unregister"
    ),
    .init("unregister releases the lock", "A register; A lock; A unregister; B register; B lock"),
    .init("unregister stale after inactivity", "A register; clock 3601; A lock = invalidId; A unregister"),
    .init("any call keeps a session", "A register; clock 3000; A unlock; clock 3000; A lock"),
    .init(
      "inactivity releases the lock",
      "A register; A lock; B register; clock 3000; B unlock = lockHeldByAnother; clock 1000; B lock"),
    .init("restart forgets sessions and lock", "A register; A lock; restart; A lock = invalidId; B register; B lock"),
  ]

  static let locks: [SensorSituation] = [
    .init("lock ok", "A register; A lock"),
    .init("lock idempotent", "A register; A lock; A lock"),
    .init("lock unknown id", "X lock = invalidId"),
    .init("lock unparseable id", "? lock = badValue:sessionId | http 404"),
    .init("lock held by another", "A register; B register; A lock; B lock = lockHeldByAnother"),
    .init("unlock ok", "A register; B register; A lock; A unlock; B lock"),
    .init("unlock idempotent", "A register; A lock; A unlock; A unlock"),
    .init("unlock of a free lock", "A register; A unlock"),
    .init("unlock by another", "A register; B register; A lock; B unlock = lockHeldByAnother"),
    .init("unlock unknown id", "X unlock = invalidId"),
    .init("unlock unparseable id", "? unlock = badValue:sessionId | http 404"),
    .init(
      "unlock while busy",
      "A register; A lock; A initialize; fault hold@capture; start A capture; busy; A unlock = sensorBusy; release; await A = success"
    ),
    .init("steal free", "A register; B register; A steal; B lock = lockHeldByAnother | success"),
    .init("steal own", "A register; A lock; A steal; A lock"),
    .init("steal unknown id", "X steal = invalidId"),
    .init("steal unparseable id", "? steal = badValue:sessionId | http 404"),
    .init("steal too soon", "A register; B register; A lock; A initialize; B steal = failure; A lock"),
    .init("steal before any work of the sensor", "A register; B register; A lock; B steal = success | failure"),
    .init(
      "steal after the period",
      "A register; B register; A lock; A initialize; clock 62; B steal; A initialize = lockHeldByAnother; B initialize"),
    .init(
      "steal timing accuracy",
      "A register; B register; A lock; A initialize; clock 61; B steal = failure; clock 0.5; B steal"),
    .init(
      "steal counts from work | from any call of the holder",
      "A register; B register; A lock; A initialize; clock 40; A lock; clock 40; B steal = success | failure"),
    .init(
      "steal then cancel the operation of the other",
      "A register; B register; A lock; A initialize; fault hold@capture; start A capture; busy; clock 62; B steal; A cancel = lockHeldByAnother; B cancel; await A = canceled; B initialize"
    ),
    .init("steal refused", "fault steal-refused; A register; B register; A lock; clock 99; B steal = failure"),
    .init(
      "steal granted falsely",
      "fault steal-false; A register; B register; A lock; clock 99; B steal; B lock = lockHeldByAnother"),
  ]

  /// Each operation of a ready sensor, with its possible outcomes.
  static let work: [SensorSituation] = [
    ("initialize", "initialize"), ("uninitialize", "uninitialize"), ("read", "getConfiguration"),
    ("configure", "setConfiguration"), ("capture", "capture"),
  ].flatMap { verb, name -> [SensorSituation] in
    let ready = "A register; A lock; A initialize; "
    let timeout: @Sendable (inout SimulatorConfiguration) -> Void = { $0.timeoutInMilliseconds = 20 }
    return [
      .init("\(name) ok", ready + "A \(verb)"),
      .init("\(name) unregistered", "X \(verb) = invalidId"),
      .init("\(name) unparseable id", "? \(verb) = badValue:sessionId | http 404"),
      .init("\(name) without lock", "A register; A \(verb) = lockNotHeld"),
      .init("\(name) lock held by another", "A register; B register; B lock; A \(verb) = lockHeldByAnother"),
      .init(
        "\(name) sensor failure",
        ready + "fault status@\(name)#2-=sensorFailure; fault status@\(name)#1=sensorFailure; A \(verb) = sensorFailure"
      ),
      .init("\(name) general failure", ready + "fault status@\(name)=failure; A \(verb) = failure"),
      .init("\(name) timeout", ready + "fault hold@\(name); A \(verb) = sensorTimeout", with: timeout),
      .init(
        "\(name) canceled",
        ready + "fault hold@\(name); start A \(verb); busy; A cancel; await A = canceled; heal; A initialize"),
      .init(
        "\(name) canceled with sensor failure",
        ready + "fault hold@\(name); fault cancel-failure@\(name); start A \(verb); busy; A cancel;"
          + "await A = canceledWithSensorFailure; heal; A capture = sensorFailure; A initialize; A capture"),
      .init(
        "\(name) at the same time as another",
        ready
          + "fault hold@\(name)+1; start A \(verb); busy; A \(verb) = sensorBusy; A capture = sensorBusy; release; await A = success"
      ),
      .init(
        "\(name) cancel that comes too late",
        ready + "fault hold@\(name); fault late-cancel@\(name); start A \(verb); busy; A cancel; await A = success"),
    ]
  }

  static let configurations: [SensorSituation] = [
    .init("get configuration needs initialisation", "A register; A lock; A read = initializationNeeded"),
    .init("set configuration needs initialisation", "A register; A lock; A configure = initializationNeeded"),
    .init("capture needs initialisation", "A register; A lock; A capture = initializationNeeded"),
    .init(
      "capture needs configuration",
      "A register; A lock; A initialize; A read = configurationNeeded; A capture = configurationNeeded; A configure; A capture; A read"
    ) { $0.requiresConfiguration = true },
    .init(
      "uninitialize ends both",
      "A register; A lock; A initialize; A configure; A uninitialize; A capture = initializationNeeded; A initialize; A capture = configurationNeeded"
    ) { $0.requiresConfiguration = true },
    .init(
      "set configuration unsupported",
      "A register; A lock; A initialize; A configure together = unsupported:imageDensity,submodality"),
    .init(
      "set configuration no such parameter",
      "A register; A lock; A initialize; A configure unknown = noSuchParameter:gian,mood | noSuchParamter:gian,mood"),
    .init("set configuration wrong type", "A register; A lock; A initialize; A configure wrong-type = badValue:gain"),
    .init(
      "set configuration out of range",
      "A register; A lock; A initialize; A configure out-of-range = badValue:gain,imageDensity"),
    .init(
      "set configuration of a fixed quality",
      "A register; A lock; A initialize; A configure read-only = badValue:modality"),
    .init("set configuration invalid XML", "A register; A lock; A initialize; A configure broken = http 400"),
    .init("set configuration document type", "A register; A lock; A initialize; A configure entity = http 400"),
    .init("set configuration empty", "A register; A lock; A initialize; A configure empty = http 400 | failure"),
    .init(
      "set configuration foreign namespace",
      "A register; A lock; A initialize; A configure foreign = http 400 | success"),
  ]

  static let downloads: [SensorSituation] =
    ["download", "details", "thrifty 40", "raw"].flatMap { verb -> [SensorSituation] in
      let isRaw = verb == "raw"
      let captured = "A register; A lock; A initialize; A capture; A unlock; A unregister; "
      let ok = isRaw ? "http 200" : "success"
      return [
        .init("\(verb) ok", captured + "A \(verb) = \(ok)"),
        .init("\(verb) unknown", "X \(verb) = \(isRaw ? "http 200" : "invalidId")"),
        .init("\(verb) unparseable", "? \(verb) = \(isRaw ? "http 200" : "badValue:captureId") | http 404"),
        .init(
          "\(verb) preparing",
          captured + "A \(verb) = \(isRaw ? "http 200" : "preparingDownload"); clock 6; A \(verb) = \(ok)"
        ) { $0.postProcessingInMilliseconds = 5000 },
        .init("\(verb) failure", captured + "fault status=failure; A \(verb) = failure"),
        .init("\(verb) forgotten", captured + "fault forget; A \(verb) = \(isRaw ? "http 200" : "invalidId")"),
      ]
    } + [
      .init(
        "thrifty larger than the original",
        "A register; A lock; A initialize; A capture; A thrifty 128 = unsupported:maxSize; A thrifty 127"),
      .init(
        "thrifty unparseable size",
        "A register; A lock; A initialize; A capture; A thrifty big = badValue:maxSize; A thrifty 0 = badValue:maxSize"),
      .init("thrifty both bad", "? thrifty big = badValue:captureId,maxSize | http 404"),
      .init(
        "the least recently used capture is dropped",
        "A register; A lock; A initialize; A capture; A capture; A download; A capture; A download"
      ) { $0.storageInBytes = 30_000 },
      .init("the storage is full", "A register; A lock; A initialize; A capture; A capture; A capture = failure") {
        ($0.storageInBytes, $0.dropsLRUCaptures) = (30_000, false)
      },
    ]

  static let others: [SensorSituation] = [
    .init("cancel idle ok", "A register; A lock; A cancel"),
    .init("cancel twice ok", "A register; A lock; A cancel; A cancel"),
    .init("cancel unknown", "X cancel = invalidId"),
    .init("cancel unparseable", "? cancel = badValue:sessionId | http 404"),
    .init("cancel without lock", "A register; A cancel = lockNotHeld"),
    .init("cancel by another", "A register; B register; A lock; B cancel = lockHeldByAnother"),
    .init("info and status", "A GET info; A GET status"),
    .init("wrong method", "A GET register = http 405; A POST info = http 405; A DELETE info = http 405"),
    .init("nothing there", "A GET nothing = http 404; A GET download = http 404"),
    .init(
      "asynchronous capture",
      "A register; A lock; A initialize; fault hold@beginCapture; A begin; busy; A capture = sensorBusy; release; A end; A download"
    ),
    .init("end of no capture", "A register; A lock; A initialize; A end = failure"),
    .init(
      "asynchronous capture cancelled",
      "A register; A lock; A initialize; fault hold@beginCapture; A begin; busy; A cancel; A end = canceled; A capture"),
    .init(
      "asynchronous capture received by the thief",
      "A register; B register; A lock; A initialize; fault hold@beginCapture; A begin; busy; clock 62; B steal; release; A end = lockHeldByAnother; B end; B download"
    ),
    .init(
      "a frozen capture ends at a cancel, with its data",
      "A register; A lock; A initialize; fault freeze; start A capture; frozen; A cancel; await A = success; A download"
    ),
    .init(
      "the lock is stolen before a capture",
      "A register; A lock; A initialize; fault stolen@capture; A capture = lockHeldByAnother"),
    .init(
      "a thief cancels",
      "A register; A lock; A initialize; fault thief; fault hold@capture; A capture = canceled; A capture = lockHeldByAnother"
    ),
    .init(
      "the sensor dies after a capture",
      "A register; A lock; A initialize; fault die+1; A capture; A capture = sensorFailure; A initialize; A capture"),
    .init(
      "the sensor is broken",
      "A register; A lock; A initialize; break; A capture = sensorFailure; A read = sensorFailure; A initialize; A read"
    ),
  ]
}
