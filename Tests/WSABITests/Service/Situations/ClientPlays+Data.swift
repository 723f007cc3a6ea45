@testable import WSABI
@testable import WSABISimulator

extension ClientPlays {
  private static let ready = "A register; A lock; A initialize; "

  static let configurations: [ClientPlay] = [
    .init(
      "config needs init",
      "A register; A lock; A read = initializationNeeded; A configure = initializationNeeded; A capture = initializationNeeded;",
      "ledger = 0; sensor = rest; A initialize; A configure; A read; told gain = 3; A capture; ledger = 1"),
    .init(
      "config needs config", ready,
      "A read = configurationNeeded; A capture = configurationNeeded; ledger = 0; A configure; set gain = 3; A read; back = same;",
      "A capture; ledger = 1"
    ) { $0.requiresConfiguration = true },
    .init(
      "config unsupported", ready,
      "A configure; A configure together = unsupported:imageDensity,submodality; set submodality = RightThumbFlat; set gain = 3"
    ),
    .init(
      "config no such parameter", ready,
      "A configure unknown = noSuchParameter:gian,mood; set gain = nothing; A read; told gain = 4"),
    .init(
      "config invalid XML", ready,
      "A configure hostile; set operatorNote = hostile; set submodality = RightThumbFlat; A read; back = same"),
    .init(
      "config wrong type", ready, "A configure wrong-type = badValue:gain; set gain = nothing; A read; told gain = 4"),
    .init(
      "config out of range", ready, "A configure out-of-range = badValue:gain,imageDensity; set gain = nothing"),
    .init("config read-only", ready, "A configure read-only = badValue:modality; set modality = nothing"),
    .init(
      "config not applied", ready,
      "fault ignore-configuration; A configure; set gain = nothing; A read; told gain = 4; back = other for gain"),
    .init(
      "dictionary XML round trip", ready, "A configure compound; set illumination = 70; A read; back = same"
    ) { $0.modalities = [.iris] },
    .init(
      "range XML round trip", "A info; range gain = 0..<10; told gain = 4; asked getServiceInfo = 1; registered = none"),
  ]

  private static let captured =
    ready + "A capture; A unlock; A unregister; holder = none; registered = none; ledger = 1; "

  static let downloads =
    [
      plays(of: .download, "download", data: "whole", count: 1),
      plays(of: .getDownloadInfo, "details", data: "nothing", count: 0),
      plays(of: .thriftyDownload, "thrifty 40", data: "smaller", count: 0),
      plays(of: .rawDownload, "raw", data: "whole", count: 1),
    ].flatMap { $0 } + [
      ClientPlay(
        "thrifty larger than original", captured,
        "A thrifty 128 = unsupported:maxSize; data = nothing; A thrifty 127; data = smaller; downloads = 0"),
      ClientPlay(
        "thrifty unparseable size", captured,
        "A thrifty big = unaskable; A thrifty 0 = unaskable; A thrifty -5 = unaskable; asked thriftyDownload = 0; data = nothing"
      ),
      ClientPlay("both bad: two badFields", "? thrifty big = unaskable; asked thriftyDownload = 0; data = nothing"),
      ClientPlay(
        "thrifty smaller metadata", captured,
        "A thrifty 40; told width = 30; told imageDensity = nothing; A details; told width = 96; told imageDensity = 500"
      ),
      ClientPlay(
        "info without data", captured,
        "A details; data = nothing; told height = 128; told contentType = image/bmp; downloads = 0"
      ),
      ClientPlay(
        "capture that deletes the least recently used data", ready,
        "A capture; A capture; A download; data = whole; A capture; ledger = 3; A download; data = whole; downloads = 2"
      ) { $0.storageInBytes = 30_000 },
      ClientPlay(
        "capture into a full storage", ready,
        "A capture; A capture; A capture = failure; ledger = 2; A download; data = whole"
      ) { ($0.storageInBytes, $0.dropsLRUCaptures) = (30_000, false) },
    ]

  private static func plays(of operation: SensorOperation, _ verb: String, data: String, count: Int) -> [ClientPlay] {
    let (name, word) = (operation.words, operation.rawValue)
    let ok = "A \(verb); data = \(data); downloads = \(count)"
    var plays = [
      ClientPlay("\(name) ok", captured, "\(ok); asked \(word) = 1"),
      ClientPlay("\(name) unknown", "X \(verb) = invalidId; asked \(word) = 1; data = nothing"),
      ClientPlay("\(name) unparseable", "? \(verb) = unaskable; asked \(word) = 0; data = nothing"),
      ClientPlay(
        "\(name) preparing", captured,
        "A \(verb) = preparingDownload; data = nothing; downloads = 0; asked \(word) = 1; clock 6; \(ok)"
      ) { $0.postProcessingInMilliseconds = 5000 },
      ClientPlay(
        "\(name) forgotten", captured, "fault forget; A \(verb) = invalidId; data = nothing; downloads = 0; ledger = 1"),
    ]
    if operation == .rawDownload {
      plays[0] = ClientPlay("raw ok", captured, "\(ok); type = image/bmp")
    } else {
      plays.append(
        ClientPlay(
          "\(name) failure", captured, "fault status@\(word)=failure; A \(verb) = failure; data = nothing; heal; \(ok)")
      )
    }
    return plays
  }

  static let others: [ClientPlay] =
    [
      .init("cancel idle ok", "A register; A lock; A cancel; holder = A; working = nothing"),
      .init("cancel twice ok", "A register; A lock; A cancel; A cancel; asked cancel = 2; holder = A"),
      .init("cancel unknown", "X cancel = invalidId; holder = none"),
      .init("cancel unparseable", "? cancel = unaskable; asked cancel = 0; holder = none"),
      .init("cancel no lock", "A register; A cancel = lockNotHeld; holder = none"),
      .init(
        "cancel by another", ready,
        "B register; fault hold@capture; start A capture; busy; B cancel = lockHeldByAnother; working = capture; release;",
        "await A = success; ledger = 1; holder = A"),
      .init("public streams", "fault preview-ends@stream; A look = ended; registered = none; holder = none"),
      .init(
        "locked streams",
        "A register; B register; A lock; fault preview-ends@stream; B look = nothing; A look = ended; holder = A"
      ) { $0.hasOpenPreview = false },
      .init(
        "stream ends at unlock",
        "A register; A lock; start A look; frames 3; holder = A; A unlock; await A = ended; holder = none; A look = nothing"
      ) { $0.hasOpenPreview = false },
      .init(
        "stream ends when the lock is stolen",
        "A register; B register; A lock; start A look; frames 3; clock 62; B steal; await A = ended; holder = B"
      ) { $0.hasOpenPreview = false },
      .init(
        "stream ends with its session",
        "A register; A lock; start A look; frames 3; A unregister; await A = ended; registered = none; holder = none"
      ) { $0.hasOpenPreview = false },
      .init(
        "service information ok",
        "A info; told captureTimeout = 30000; told autoDropLRUSessions = true; registered = none"),
      .init("service information failure", "fault status@getServiceInfo=failure; A info = failure; registered = none"),
    ]
    + [
      ("initialize", "initializing"), ("uninitialize", "uninitializing"), ("configure", "configuring"),
      ("capture", "capturing"),
    ]
    .map { verb, word in
      ClientPlay(
        "sensor status \(word)", "says = ready; \(ready)",
        "fault hold@\(verb == "configure" ? "setConfiguration" : verb); start A \(verb); busy; says = \(word); release;",
        "await A = success; says = ready")
    }

  /// The plays of a link that handles such situations on its own.
  static let links: [ClientPlay] = [
    .init(
      "link: captures, stores the data and releases the lock",
      "M capture = stored; ledger = 1; kept = 1; downloads = 1; set gain = 3; holder = none; registered = M"),
    .init(
      "link: begins a new session after an expired one",
      "M connect; clock 3601; M capture = stored; asked register = 2; ledger = 1; kept = 1; registered = M; holder = none"
    ),
    .init(
      "link: registers again at a service that restarted",
      "M connect; restart; M capture = stored; asked register = 2; asked initialize = 2; asked capture = 1; ledger = 1; kept = 1"
    ),
    .init(
      "link: leaves no session and no lock", "M connect; registered = M; holder = none; M disconnect; registered = none"
    ),
    .init(
      "link: waits for the lock of another client and does not steal it",
      "B register; B lock; M capture = lockHeldByAnother; holder = B; asked stealLock = 0; asked capture = 0; ledger = 0; kept = 0"
    ),
    .init(
      "link: verifies a stolen lock",
      "M connect; M steal; holder = M; asked tryLock = 2; M disconnect; holder = none"),
    .init(
      "link: detects a falsely granted lock",
      "B register; B lock; M connect = not ready; fault steal-false; M steal = lockHeldByAnother; holder = B"),
    .init(
      "link: reports a thief that cancels",
      "M connect; fault hold@capture+1; start M capture; busy capture; B register; clock 62; B steal; B cancel; await M = canceled;",
      "holder = B; asked capture = 1; ledger = 0; kept = 0"),
    .init(
      "link: recovers a failed sensor once, and captures once",
      "M connect; break; M capture = stored; asked initialize = 2; asked capture = 1; ledger = 1; kept = 1"),
    .init(
      "link: stops after a second failure of a sensor",
      "fault status@capture=sensorFailure; M capture = sensorFailure; asked capture = 2; ledger = 0; kept = 0; holder = none"
    ),
    .init(
      "link: initializes a sensor that another client uninitialized",
      "M connect; B register; B lock; B uninitialize; B unlock; M capture = stored; asked initialize = 2; ledger = 1; kept = 1"
    ),
    .init(
      "link: configures a sensor that needs it",
      "M capture = stored; set gain = 3; set submodality = RightThumbFlat; ledger = 1; kept = 1"
    ) { $0.requiresConfiguration = true },
    .init(
      "link: waits for data in preparation", "M capture = stored; ledger = 1; kept = 1; downloads = 1; holder = none"
    ) { $0.postProcessingInMilliseconds = 5000 },
    .init(
      "link: reports data that the service deleted as lost",
      "fault forget@download; M capture = lost; asked capture = 1; ledger = 1; kept = 0; holder = none"),
    .init(
      "link: reports that no person used the sensor",
      "fault status@capture=sensorTimeout; M capture = sensorTimeout; asked capture = 1; ledger = 0; kept = 0; holder = none"
    ),
    .init(
      "link: cancels a capture on request",
      "M connect; fault hold@capture; start M capture; busy capture; M give-up; await M = canceled;",
      "ledger = 0; kept = 0; holder = none; sensor = ready"),
    .init(
      "link: stores a capture that finished before its cancel",
      "M connect; fault freeze; start M capture; frozen; M give-up; await M = stored; asked capture = 1; ledger = 1; kept = 1;",
      "holder = none"),
  ]
}
