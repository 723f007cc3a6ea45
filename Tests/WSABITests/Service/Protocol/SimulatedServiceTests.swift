import PluginNet
import PluginText
import Synchronization
import Testing

@testable import WSABI
@testable import WSABISimulator

/// The client against simulated sensors, which share no reading or writing code with it.
@Suite struct SimulatedServiceTests {
  static let dialects: [(ProtocolNamespace, SimulatorConfiguration.Style)] = ProtocolNamespace.allCases.flatMap {
    name in
    SimulatorConfiguration.Style.allCases.map { (name, $0) }
  }

  private func simulator(
    _ namespace: ProtocolNamespace, _ style: SimulatorConfiguration.Style, size: Int? = 3000
  ) throws -> SensorSimulator {
    var configuration = SensorSimulator.Configuration()
    (configuration.namespace, configuration.style) = (namespace.simulated, style)
    configuration.modalities = [.finger]
    configuration.captureSizeInBytes = size
    return try SensorSimulator(configuration)
  }

  /// Returns a session that holds the lock of a sensor that is ready, and the id of a capture.
  private func captured(_ connection: SensorConnection) async throws -> (session: SensorUUID, capture: SensorUUID) {
    let session = try #require(try await connection.ask(SensorRequest(.register, deadlineInSeconds: 120)).sessionID)
    #expect(
      try await connection.ask(SensorRequest(.tryLock, session: session, deadlineInSeconds: 120)).status == .success)
    #expect(
      try await connection.ask(SensorRequest(.initialize, session: session, deadlineInSeconds: 120)).status == .success)
    var request = SensorRequest(.setConfiguration, session: session, deadlineInSeconds: 120)
    request.configuration = WireDictionary([.init("submodality", .string("RightIndexFlat"))])
    #expect(try await connection.ask(request).status == .success)
    let answer = try await connection.ask(SensorRequest(.capture, session: session, deadlineInSeconds: 120))
    return (session, try #require(answer.captureIDs.first))
  }

  @Test(arguments: dialects)
  func `every operation works on a simulated sensor`(
    namespace: ProtocolNamespace, style: SimulatorConfiguration.Style
  ) async throws {
    let simulator = try simulator(namespace, style, size: nil)
    let connection = try connectionForTests(to: simulator.addresses[0])
    let information = try await connection.serviceInformation(deadlineInSeconds: 120)
    #expect(information.namespace == namespace)
    #expect(information.text("modality")?.lowercased() == "finger")
    let (session, capture) = try await captured(connection)

    // The configuration read back equals the written one: its namespace was right.
    let back = try await connection.ask(SensorRequest(.getConfiguration, session: session, deadlineInSeconds: 120))
    #expect(back.metadata?["submodality"]?.plainText == "RightIndexFlat")

    let entry = try #require(simulator.ledger.first)
    #expect(SensorUUID(entry.id) == capture)
    let sink = KeptBytes()
    let full = try await connection.ask(SensorRequest(.download, capture: capture, deadlineInSeconds: 120), into: sink)
    #expect(full.data?.sizeInBytes == entry.sizeInBytes)
    #expect(Hexadecimal.text(full.data?.sha256 ?? []) == entry.sha256)
    #expect(SHA256.hexadecimal(of: sink.bytes) == entry.sha256)
    #expect(full.oddities == [])
    let told = try await connection.ask(SensorRequest(.getDownloadInfo, capture: capture, deadlineInSeconds: 120))
    #expect(told.metadata == full.metadata)
    let raw = KeptBytes()
    let rawAnswer = try await connection.ask(
      SensorRequest(.rawDownload, capture: capture, deadlineInSeconds: 120), into: raw)
    #expect(rawAnswer.status == .success)
    #expect(rawAnswer.contentType == entry.contentType)
    #expect(raw.bytes == sink.bytes)
    let small = KeptBytes()
    let thrifty = SensorRequest(.thriftyDownload, capture: capture, maxSize: 8, deadlineInSeconds: 120)
    #expect(try await connection.ask(thrifty, into: small).status == .success)
    #expect(small.bytes.count < sink.bytes.count)
    let tooLarge = SensorRequest(.thriftyDownload, capture: capture, maxSize: 100_000, deadlineInSeconds: 120)
    #expect(try await connection.ask(tooLarge, into: KeptBytes()).status == .unsupported)
    for operation in [SensorOperation.cancel, .stealLock, .unlock, .unregister] {
      #expect(
        try await connection.ask(SensorRequest(operation, session: session, deadlineInSeconds: 120)).status == .success)
    }
    let other = try #require(SensorUUID(TestID.other))
    #expect(
      try await connection.ask(SensorRequest(.tryLock, session: other, deadlineInSeconds: 120)).status == .invalidID)
    #expect(
      try await connection.ask(SensorRequest(.download, capture: other, deadlineInSeconds: 120), into: KeptBytes())
        .status == .invalidID)
    await simulator.stop()
  }

  @Test(arguments: [ProtocolNamespace.biometrics, .bioserv], SimulatorConfiguration.Style.allCases)
  func `a capture can be begun and ended separately, and the sensor reports its status`(
    namespace: ProtocolNamespace, style: SimulatorConfiguration.Style
  ) async throws {
    let simulator = try simulator(namespace, style)
    let connection = try connectionForTests(to: simulator.addresses[0])
    let (session, _) = try await captured(connection)
    let status = try await connection.ask(SensorRequest(.getSensorStatus, deadlineInSeconds: 120))
    #expect(status.metadata?["sensorStatus"]?.plainText == "ready")
    #expect(
      try await connection.ask(SensorRequest(.beginCapture, session: session, deadlineInSeconds: 120)).status
        == .success)
    let ended = try await connection.ask(SensorRequest(.endCapture, session: session, deadlineInSeconds: 120))
    #expect(ended.captureIDs.count == 1)
    #expect(
      try await connection.ask(SensorRequest(.uninitialize, session: session, deadlineInSeconds: 120)).status
        == .success)
    await simulator.stop()
  }

  @Test(arguments: dialects)
  func `live previews are received, and end with the lock`(
    namespace: ProtocolNamespace, style: SimulatorConfiguration.Style
  ) async throws {
    let simulator = try simulator(namespace, style)
    try simulator.script("preview-ends@stream")
    let connection = try connectionForTests(to: simulator.addresses[0])
    let resource = try #require(try await connection.serviceInformation(deadlineInSeconds: 120).livePreviews.first)
    let newest = NewestFrame()
    #expect(try await connection.preview(resource, session: nil) { newest.put($0) } == 3)
    let frame = try #require(newest.take())
    #expect(frame.bytes.starts(with: "BM".utf8))
    #expect(frame.claimedType == "image/bmp")
    let (session, _) = try await captured(connection)
    let locked = WireResource(uri: "\(simulator.addresses[0])/stream/locked/uuid")
    #expect(try await connection.preview(locked, session: session) { _ in } == 3)
    _ = try await connection.ask(SensorRequest(.unlock, session: session, deadlineInSeconds: 120))
    #expect(try await connection.preview(locked, session: session) { _ in } == 0)
    await simulator.stop()
  }

  @Test(arguments: [
    ("preview-header", "0"), ("preview-huge=3", "malformed"), ("preview-endless", "malformed"),
    ("preview-silent", "timedOut"),
  ])
  func `broken previews end and are reported`(fault: String, expected: String) async throws {
    let simulator = try simulator(.bioserv, .wcf)
    let rules = fault.split(separator: "=")
    try simulator.script(
      rules.count == 2 ? "\(rules[0])@stream=\(rules[1])" : "\(fault)@stream; preview-ends@stream")
    let connection = try connectionForTests(to: simulator.addresses[0]) {
      $0.frameInBytes = 1 << 20
      $0.stallInSeconds = fault == "preview-silent" ? 1 : 30
    }
    let pictures = Mutex(0)
    var found = ""
    do {
      let resource = WireResource(uri: "\(simulator.addresses[0])/stream/live")
      let count = try await connection.preview(resource, session: nil) { _ in pictures.withLock { $0 += 1 } }
      found = fault == "preview-header" && count == 3 ? "0" : "\(count)"
    } catch {
      found = error.word
    }
    #expect(found == expected)
    await simulator.stop()
  }

  /// Faults of the simulator, with their effect on the service information and on a download.
  static let faults: [(SimulatorFault, String, String)] = [
    (.hang, "timedOut", "timedOut"), (.silence, "timedOut", "timedOut"), (.stall, "timedOut", "timedOut"),
    (.dropBefore, "cut", "cut"), (.dropAfter, "cut", "cut"), (.resetBefore, "cut", "cut"), (.resetAfter, "cut", "cut"),
    (.truncate, "cut", "cut"), (.overstate, "cut", "cut"), (.understate, "malformed", "malformed"),
    (.glued, "success", "success"), (.garbage, "malformed", "malformed"), (.throttle, "tooSlow", "tooSlow"),
    (.dribble, "success", "success"), (.noLength, "success", "success"), (.gzip, "success", "success"),
    (.hugeMessage, "tooLarge", "tooLarge"), (.hugeData, "tooLarge", "tooLarge"),
    (.http, "status", "status"), (.httpLate, "status", "status"), (.redirect, "redirected", "redirected"),
    (.loginPage, "notAService", "notAService"), (.wrongType, "success", "success"),
    (.emptyBody, "notAService", "notAService"), (.cutTag, "malformed", "malformed"),
    (.junkBehind, "malformed", "malformed"), (.mismatchedTags, "malformed", "malformed"),
    (.doctype, "malformed", "malformed"), (.externalEntity, "malformed", "malformed"),
    (.entityBomb, "malformed", "malformed"), (.deep, "malformed", "malformed"), (.bigKey, "tooLarge", "tooLarge"),
    (.unknownNamespace, "otherNamespace", "otherNamespace"), (.noNamespace, "otherNamespace", "otherNamespace"),
    (.otherNamespace, "success", "success"), (.badUTF8, "malformed", "malformed"),
    (.escapeCharacters, "malformed", "malformed"), (.nul, "malformed", "malformed"),
    (.prefixed, "success", "success"), (.otherStyle, "success", "success"), (.utf16, "success", "success"),
    (.bom, "success", "success"), (.cdata, "success", "success"), (.comments, "success", "success"),
    (.references, "success", "success"), (.padded, "success", "success"), (.reordered, "success", "success"),
    (.hostileTexts, "success", "success"), (.noStatus, "malformed", "malformed"),
    (.twoStatuses, "malformed", "malformed"), (.unknownStatus, "sensorOnFire", "sensorOnFire"),
    (.upperCaseStatus, "success", "success"), (.noData, "success", "incomplete"),
    (.noMetadata, "incomplete", "success"),
    (.wrappedData, "success", "success"), (.cdataData, "success", "success"), (.junkData, "success", "brokenData"),
    (.cutData, "success", "brokenData"), (.paddedData, "success", "brokenData"), (.emptyData, "success", "brokenData"),
    (.lyingType, "success", "success"), (.noType, "success", "success"), (.cutPicture, "success", "success"),
    (.emptyPicture, "success", "success"), (.doubleKeys, "success", "success"), (.wrongTypes, "success", "success"),
    (.hugeNumbers, "success", "success"), (.notANumber, "success", "success"), (.badDates, "success", "success"),
    (.namelessParameter, "success", "success"), (.status, "failure", "failure"), (.busy, "sensorBusy", "sensorBusy"),
  ]

  @Test(arguments: SimulatorConfiguration.Style.allCases)
  func `every fault of the wire has its expected outcome`(style: SimulatorConfiguration.Style) async throws {
    let simulator = try simulator(.nist, style)
    let connection = try connectionForTests(to: simulator.addresses[0]) {
      $0.repeatLimit = 1
      $0.documentInBytes = 1 << 18
      $0.dataInBytes = 1 << 20
    }
    let hasty = try connectionForTests(to: simulator.addresses[0]) { $0.rateWindowInSeconds = 0.1 }
    let (_, capture) = try await captured(connection)
    let clean = KeptBytes()
    _ = try await connection.ask(SensorRequest(.download, capture: capture, deadlineInSeconds: 120), into: clean)
    var wrong: [String] = []
    for (fault, information, download) in Self.faults {
      for (operation, expected) in [(SensorOperation.getServiceInfo, information), (.download, download)] {
        simulator.heal()
        try simulator.script("\(fault.rawValue)@\(operation.rawValue)")
        let sink = KeptBytes()
        let time = expected == "timedOut" ? 1.0 : 120
        let request = SensorRequest(operation, capture: capture, deadlineInSeconds: time)
        var found: String
        do {
          found = try await (fault == .throttle ? hasty : connection).ask(request, into: sink).status.word
        } catch {
          found = error.word
        }
        if found != expected { wrong.append("\(fault.rawValue) at \(operation.words): \(found)") }
        let isWhole = ![.lyingType, .cutPicture, .emptyPicture].contains(fault)
        if operation == .download, found == "success", isWhole, sink.bytes != clean.bytes {
          wrong.append("\(fault.rawValue): other bytes")
        }
      }
    }
    #expect(wrong == [])
    await simulator.stop()
  }
}
