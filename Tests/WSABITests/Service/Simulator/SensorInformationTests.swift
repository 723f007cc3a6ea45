import PluginAPI
import PluginImages
import PluginText
import Testing

@testable import WSABI
@testable import WSABISimulator

/// The information that simulated sensors give about themselves and their captures.
struct SensorInformationTests {
  /// The keys of the standard, repeated here.
  private static let keys = [
    "lastUpdated", "inactivityTimeout", "maximumConcurrentSessions", "autoDropLRUSessions", "initializationTimeout",
    "getConfigurationTimeout", "setConfigurationTimeout", "captureTimeout", "postAcquisitionProcessingTime",
    "lockStealingPreventionPeriod", "maximumStorageCapacity", "lruCaptureDataAutomaticallyDropped", "modality",
    "submodality",
  ]
  private static let newer = [
    "uninitializationTimeout", "beginCaptureTimeout", "endCaptureTimeout", "getCaptureStatusTimeout",
    "cancelAsyncCaptureTimeout", "transferrableAsyncCapture",
  ]

  @Test(arguments: SimulatedNamespace.allCases, SimulatorConfiguration.Style.allCases)
  func `all keys of the standard are reported as parameters`(
    _ namespace: SimulatedNamespace, _ style: SimulatorConfiguration.Style
  ) async throws {
    let simulator = try SensorSimulator(.init(namespace: namespace, style: style))
    let answer = await SensorProbe(simulator.addresses[0]).ask("GET", "/info")
    let isNew = namespace == .bioserv || namespace == .biometrics
    for key in Self.keys + (isNew ? Self.newer + ["livePreview"] : ["stream"]) {
      #expect(answer.value(key).hasPrefix("<name>\(key)</name>"), "\(key)")
    }
    #expect(Set(answer.keys).count == answer.keys.count)
    #expect(answer.whole.contains(" i:type=\"Parameter\"") == (style == .wcf))
    let type = style == .wcf ? "a:positiveInteger</q:type>" : ">xs:positiveInteger</type>"
    #expect(answer.value("captureTimeout").contains(type))
    // A day and a half hour differ by a thousand between the two.
    #expect(answer.value("inactivityTimeout").contains(style == .wcf ? ">3600<" : ">3600000<"))
    await simulator.stop()
  }

  @Test(arguments: [
    (SimulatedModality.finger, "Finger", "RightThumbFlat", "imageDensity"), (.face, "Face", "Face2d", "imageSize"),
    (.iris, "Iris", "LeftIris", "illumination"), (.vein, "Vein", "LeftVein", "gain"),
    (.other, "Voice", "Voice", "gain"),
  ])
  func `a sensor reports what it captures and its settings`(
    _ modality: SimulatedModality, _ word: String, _ submodality: String, _ setting: String
  ) async throws {
    let simulator = try SensorSimulator(.init(modalities: [modality]))
    let probe = SensorProbe(simulator.addresses[0])
    let answer = await probe.ask("GET", "/info")
    #expect(answer.value("modality").contains(">\(word)<"))
    #expect(answer.value("modality").contains("<readOnly>true</readOnly>"))
    #expect(answer.value("submodality").contains(">\(submodality)<"))
    #expect(answer.keys.contains(setting))
    let session = await probe.ready()
    #expect(await probe.ask("GET", "/configure/\(session)").keys.contains(setting))
    await simulator.stop()
  }

  @Test(arguments: [
    ("POST", "/initialize/", "initialize", "initializing"),
    ("DELETE", "/initialize/", "uninitialize", "uninitializing"),
    ("GET", "/configure/", "getConfiguration", "configuring"),
    ("POST", "/configure/", "setConfiguration", "configuring"),
    ("POST", "/capture/", "capture", "capturing"),
  ])
  func `the status of a working sensor uses the standard's words`(
    _ method: String, _ path: String, _ operation: String, _ word: String
  ) async throws {
    let simulator = try SensorSimulator()
    let probe = SensorProbe(simulator.addresses[0])
    #expect(await probe.ask("GET", "/status").value("sensorStatus") == "ready")
    let session = await probe.ready()
    try simulator.script("hold@\(operation)")
    let body = operation == "setConfiguration" ? SensorProbe.configuration([]) : nil
    let running = Task { await probe.ask(method, path + session, body) }
    await simulator.sensor(1).reaches { $0.job != nil }
    #expect(await probe.ask("GET", "/status").value("sensorStatus") == word)
    simulator.sensor(1).release()
    #expect(await running.value.status == "success")
    #expect(await probe.ask("GET", "/status").value("sensorStatus") == "ready")
    await simulator.stop()
  }

  @Test func `pre-release services use the old names`() async throws {
    let simulator = try SensorSimulator(.init(namespace: .preRelease, modalities: [.face]))
    let probe = SensorProbe(simulator.addresses[0])
    #expect(await probe.ask("GET", "/info").value("submodality").contains(">frontalFace<"))
    let session = await probe.ready()
    let id = await probe.ask("POST", "/capture/\(session)").captureIDs.first ?? ""
    #expect(await probe.ask("GET", "/download/\(id)/info").keys.starts(with: ["captureTime", "modality"]))
    await simulator.stop()
  }

  @Test func `two irises and the fingers of a slap have their own ids`() async throws {
    let simulator = try SensorSimulator(
      .init(sensors: 2, modalities: [.iris, .finger], segmentsSlaps: true))
    func captured(_ index: Int, _ submodality: String) async -> [String] {
      let probe = SensorProbe(simulator.addresses[index])
      let session = await probe.ready()
      let items = [("submodality", "xs:string\">\(submodality)")]
      _ = await probe.ask("POST", "/configure/\(session)", SensorProbe.configuration(items))
      let ids = await probe.ask("POST", "/capture/\(session)").captureIDs
      _ = await probe.ask("DELETE", "/register/\(session)")
      return ids.compactMap { id in simulator.ledger.first { $0.id == id }?.submodality }
    }
    #expect(await captured(0, "BothIrises") == ["LeftIris", "RightIris"])
    #expect(
      await captured(1, "LeftSlap") == [
        "LeftSlap", "LeftIndexFlat", "LeftMiddleFlat", "LeftRingFlat", "LeftLittleFlat",
      ])
    #expect(await captured(1, "ThumbsSlap") == ["ThumbsSlap", "LeftThumbFlat", "RightThumbFlat"])
    await simulator.stop()
  }

  @Test func `each call makes the configured number of captures`() async throws {
    let simulator = try SensorSimulator(.init(capturesPerCall: 3))
    let probe = SensorProbe(simulator.addresses[0])
    let session = await probe.ready()
    #expect(Set(await probe.ask("POST", "/capture/\(session)").captureIDs).count == 3)
    #expect(Set(simulator.ledger.map(\.sha256)).count == 3)
    await simulator.stop()
  }

  @Test(arguments: ["image/bmp", "image/png"])
  func `pictures can be read, and reduced ones are smaller`(_ type: String) async throws {
    let simulator = try SensorSimulator(.init(contentType: type))
    let probe = SensorProbe(simulator.addresses[0])
    let session = await probe.ready()
    let id = await probe.ask("POST", "/capture/\(session)").captureIDs.first ?? ""
    let whole = await probe.ask("GET", "/download/\(id)")
    #expect(whole.value("contentType") == type)
    let picture = try ImageReader.picture(from: whole.data)
    #expect(picture.width == 96 && picture.height == 128)
    let small = await probe.ask("GET", "/download/\(id)/32")
    #expect(small.keys == ["contentType", "width", "height"])
    #expect(try ImageReader.picture(from: small.data).height == 32)
    let raw = await probe.ask("GET", "/download/\(id)/raw")
    #expect(raw.type == type && raw.body == whole.data)
    await simulator.stop()
  }

  @Test func `faces and irises have the configured size, and each capture differs`() async throws {
    let simulator = try SensorSimulator(.init(sensors: 2, modalities: [.face, .iris], pictures: .synthetic))
    for address in simulator.addresses {
      let probe = SensorProbe(address)
      let session = await probe.ready()
      let size = [
        (
          "imageSize",
          "w:Resolution\" xmlns:w=\"\(SimulatedNamespace.bioserv.urn)\"><width>160</width><height>120</height>"
        )
      ]
      #expect(await probe.ask("POST", "/configure/\(session)", SensorProbe.configuration(size)).status == "success")
      for _ in 0..<2 {
        let id = await probe.ask("POST", "/capture/\(session)").captureIDs.first ?? ""
        let picture = try ImageReader.picture(from: await probe.ask("GET", "/download/\(id)").data)
        #expect(picture.width == 160 && picture.height == 120)
      }
    }
    #expect(Set(simulator.ledger.map(\.sha256)).count == 4)
    await simulator.stop()
  }

  @Test func `files state the pixels per inch`() {
    let image = SimulatedImage(width: 5, height: 3, pixels: Array(0..<15), pixelsPerInch: 500)
    // 500 per inch are 19685 per meter.
    #expect(Array(image.bitmap[38..<46]) == [0xE5, 0x4C, 0, 0, 0xE5, 0x4C, 0, 0])
    let png = image.png
    #expect(
      ByteSearch.firstIndex(of: "pHYs".utf8, in: png).map { Array(png[($0 + 4)..<($0 + 13)]) } == [
        0, 0, 0x4C, 0xE5, 0, 0, 0x4C, 0xE5, 1,
      ])
  }

  @Test func `a capture of a given size is a bitmap of about that size`() async throws {
    let simulator = try SensorSimulator(.init(captureSizeInBytes: 200_000))
    let probe = SensorProbe(simulator.addresses[0])
    let session = await probe.ready()
    let id = await probe.ask("POST", "/capture/\(session)").captureIDs.first ?? ""
    let data = await probe.ask("GET", "/download/\(id)").data
    #expect(abs(data.count - 200_000) < 4000)
    #expect(try ImageReader.picture(from: data).width == 444)
    await simulator.stop()
  }
}
