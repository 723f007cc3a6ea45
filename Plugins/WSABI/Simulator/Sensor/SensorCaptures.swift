import PluginServer
import PluginSimulation

extension SimulatedSensor {
  /// Stores a capture, makes room for it, and records it in the ledger.
  func store(
    _ made: [(SceneOrder, SceneCapture)], _ session: String, _ values: [String: SimulatedValue],
    _ state: inout State
  ) -> SimulatedAnswer {
    let needed = made.reduce(0) { $0 + $1.1.data.count }
    let capacity = configuration.storageInBytes
    let isFull = needed > capacity || (!configuration.dropsLRUCaptures && state.storedBytes + needed > capacity)
    if isFull { return SimulatedAnswer(.failure, message: "the storage is full") }
    while state.storedBytes + needed > capacity,
      let oldest = state.captures.min(by: { $0.value.lastUse < $1.value.lastUse })
    {
      state.storedBytes -= oldest.value.data.count
      state.captures[oldest.key] = nil
    }
    var response = SimulatedAnswer.success
    response.captureIDs = made.map { order, made in
      let id = state.chance.identifier()
      let now = clock.now
      state.useCount += 1
      state.captures[id] = Capture(
        id: id, data: made.data, image: made.image, contentType: made.contentType ?? order.contentType,
        metadata: metadata(order, made, values, now), readyAt: now + configuration.postProcessingInMilliseconds,
        lastUse: state.useCount)
      ledger.add(
        CaptureLedger.Entry(
          id: id, sha256: made.sha256, sizeInBytes: made.data.count, time: now, session: session, sensor: number,
          modality: profile.modalityWord, submodality: order.submodality,
          contentType: made.contentType ?? order.contentType, person: order.person))
      return id
    }
    state.storedBytes += needed
    return response
  }

  private func metadata(
    _ order: SceneOrder, _ made: SceneCapture, _ values: [String: SimulatedValue], _ now: Int
  ) -> [SimulatedItem] {
    let isNet = configuration.style == .wcf
    var items = [
      SimulatedItem(
        configuration.namespace == .preRelease ? "captureTime" : "captureDate",
        .plain(SimulatedClock.text(now, fractionDigits: isNet ? 7 : 3), type: "dateTime")),
      SimulatedItem("modality", .text(profile.modalityWord)), SimulatedItem("submodality", .text(order.submodality)),
      SimulatedItem("contentType", .text(made.contentType ?? order.contentType)),
    ]
    if let size = made.size ?? made.image.map({ SceneOrder.Size(width: $0.width, height: $0.height) }) {
      items += [SimulatedItem("width", .int(size.width)), SimulatedItem("height", .int(size.height))]
    }
    for setting in profile.settings where !items.contains(where: { $0.key == setting.name }) {
      items.append(SimulatedItem(setting.name, values[setting.name] ?? setting.defaultValue))
    }
    return items
  }

  // MARK: Downloads

  /// Returns data, its metadata, or both; needs neither session nor lock.
  func download(_ route: SimulatedRoute, _ faults: [SimulatorFaultRule], _ state: inout State) -> SimulatedReply {
    let key = Self.key(of: route.capture)
    let size = route.maximumSize.flatMap { Int($0) }.flatMap { $0 > 0 ? $0 : nil }
    let isBadSize = route.maximumSize != nil && size == nil
    if key == nil || isBadSize, configuration.actualManner == .dotNet || key != nil {
      var response = SimulatedAnswer(.badValue)
      response.badFields = (key == nil ? ["captureId"] : []) + (isBadSize ? ["maxSize"] : [])
      return .document(response)
    }
    guard let key else { return badIdentifier("captureId") }
    if faults.contains(.forget), let capture = state.captures[key] {
      state.storedBytes -= capture.data.count
      state.captures[key] = nil
    }
    guard let capture = state.captures[key] else { return .status(.invalidId) }
    state.useCount += 1
    state.captures[key]?.lastUse = state.useCount
    if faults.contains(.preparing) || clock.now < capture.readyAt { return .status(.preparingDownload) }
    switch route.operation {
    case .getDownloadInfo: return .document(.about(capture.metadata))
    case .thriftyDownload: return thrifty(capture, size ?? 1)
    default:
      ledger.countDownload(of: capture.id)
      var response = SimulatedAnswer.about(capture.metadata)
      response.data = capture.data
      return .document(response)
    }
  }

  /// Returns the picture scaled down, with minimal metadata.
  private func thrifty(_ capture: Capture, _ edge: Int) -> SimulatedReply {
    guard let image = capture.image, edge < max(image.width, image.height) else {
      return .document(.bad("maxSize", status: .unsupported))
    }
    let reduced = image.reduced(toLongestEdge: edge)
    var response = SimulatedAnswer.about([
      SimulatedItem("contentType", .text(capture.contentType)), SimulatedItem("width", .int(reduced.width)),
      SimulatedItem("height", .int(reduced.height)),
    ])
    response.data = SimulatedData(reduced.file(contentType: capture.contentType))
    return .document(response)
  }

  /// Returns the bare data; an error is a text in its place, with status 200.
  func rawDownload(_ route: SimulatedRoute, _ faults: [SimulatorFaultRule], _ state: inout State) -> SimulatedReply {
    var plain = route
    plain.operation = .download
    switch download(plain, faults, &state) {
    case .document(let response):
      guard let data = response.data else {
        return .http(200, type: "text/plain", Array(response.status.rawValue.utf8))
      }
      let type = response.metadata?.first { $0.key == "contentType" }?.value.plainText
      return .data(data, type: type ?? "application/octet-stream")
    case let reply: return reply
    }
  }
}

extension SimulatedSensor {
  /// Returns the service information: all keys of the standard and of the sensor, as parameters.
  ///
  /// - Source: WS-Biometric Devices 1.0 (OASIS, July 2017), section 5; the units are those of NIST's services.
  func information(base: String) -> SimulatedAnswer {
    let isJava = configuration.actualManner == .java
    let wait = configuration.timeoutInMilliseconds
    func count(_ name: String, _ number: Int, _ type: String = "positiveInteger") -> SimulatedParameter {
      .fixed(name, .int(number, type: type))
    }
    var all: [SimulatedParameter] = [
      .fixed("lastUpdated", .plain(SimulatedClock.text(1_384_300_800_000), type: "dateTime")),
      count(
        "inactivityTimeout", configuration.inactivityTimeoutInSeconds * (isJava ? 1000 : 1), "nonNegativeInteger"),
      count("maximumConcurrentSessions", configuration.maximumSessions),
      .fixed("autoDropLRUSessions", .flag(configuration.dropsLRUSessions)),
      count("initializationTimeout", wait), count("getConfigurationTimeout", wait),
      count("setConfigurationTimeout", wait), count("captureTimeout", wait),
    ]
    if configuration.isOfOASIS {
      all += [
        count("uninitializationTimeout", wait), count("beginCaptureTimeout", wait), count("endCaptureTimeout", wait),
        count("getCaptureStatusTimeout", 1000), count("cancelAsyncCaptureTimeout", 1000),
        .fixed("transferrableAsyncCapture", .flag(true)),
      ]
    }
    all += [
      count("postAcquisitionProcessingTime", configuration.postProcessingInMilliseconds, "nonNegativeInteger"),
      count("lockStealingPreventionPeriod", configuration.stealPreventionInMilliseconds, "nonNegativeInteger"),
      count("maximumStorageCapacity", configuration.storageInBytes),
      .fixed("lruCaptureDataAutomaticallyDropped", .flag(configuration.dropsLRUCaptures)),
    ]
    return .about((all + preview(base) + profile.settings).map { SimulatedItem($0.name, .parameter($0)) })
  }

  /// Returns the location of the live preview: a resource in the services of 2013, a list of them since.
  private func preview(_ base: String) -> [SimulatedParameter] {
    guard configuration.hasPreview else { return [] }
    func resource(_ path: String) -> SimulatedValue {
      .resource(
        uri: "\(base)/stream/\(path)", contentType: "multipart/x-mixed-replace",
        relationship: configuration.isOfOASIS ? "livePreview" : nil)
    }
    let (open, locked) = (resource("live"), resource("locked/uuid"))
    if !configuration.isOfOASIS { return [.fixed("stream", configuration.hasOpenPreview ? open : locked)] }
    let all = configuration.hasOpenPreview ? [open, locked] : [locked]
    return [.fixed("livePreview", .array(all, type: "ResourceArray"))]
  }

  /// Returns the status of the sensor.
  ///
  /// - Source: WS-Biometric Devices 1.0 (OASIS, July 2017), `SensorStatus`: ready, initializing, configuring, capturing,
  ///   uninitializing, canceling. It has no word for a sensor at rest, which is ready to be initialized.
  func status(_ state: State) -> SimulatedAnswer {
    let word =
      switch state.job {
      case let job? where job.cancelled != nil: "canceling"
      case let job?: Self.word(of: job.operation)
      case nil: "ready"
      }
    let value: SimulatedValue = configuration.style == .jaxb ? .word(word, type: "SensorStatus") : .text(word)
    return .about([SimulatedItem("sensorStatus", value)])
  }

  private static func word(of operation: SimulatedOperation) -> String {
    switch operation {
    case .initialize: "initializing"
    case .uninitialize: "uninitializing"
    case .getConfiguration, .setConfiguration: "configuring"
    default: "capturing"
    }
  }
}

/// The live preview of a sensor: frames of its view, as parts of an endless body.
struct SimulatedPreview: Sendable {
  let sensor: SimulatedSensor
  /// The session that must hold the lock; nil for everybody.
  let session: String?
  let faults: [SimulatorFaultRule]

  static let boundary = "simulated-frame"

  /// The type with its boundary, in quotes as Java writes it.
  var type: String {
    let isJava = sensor.configuration.style == .jaxb
    let mark = isJava ? "\"\(Self.boundary)\"" : Self.boundary
    return "multipart/x-mixed-replace; boundary=\(mark)"
  }

  /// Sends frames until the client goes, or the lock does.
  func send(_ out: ResponseBody) async throws {
    if faults.contains(.previewSilent) { while true { try await Task.sleep(for: .seconds(3600)) } }
    if faults.contains(.previewEndless) {
      try await out.write(Array("\r\n--\(Self.boundary)\r\nX-Long: ".utf8))
      while true { try await out.write([UInt8](repeating: UInt8(ascii: "a"), count: 1 << 16)) }
    }
    let reel = try await sensor.preview()
    defer { reel.end() }
    let period = Duration.microseconds(1_000_000 / max(1, sensor.configuration.framesPerSecond))
    let last = faults[.previewEnds].map { $0.number(3) } ?? Int.max
    var next = ContinuousClock.now
    var number = 0
    while number < last, session == nil || sensor.snapshot.lockHolder == session {
      let (frame, type) = try await reel.frame(number)
      try await out.write(part(frame, type))
      number += 1
      if sensor.snapshot.isDead { throw CancellationError() }
      sensor.change { $0.frameCount += 1 }
      next += period
      try await Task.sleep(until: next, clock: .continuous)
    }
  }

  /// Returns one frame with its header: that of .NET, or the broken one of Java's example.
  private func part(_ frame: [UInt8], _ type: String) -> [UInt8] {
    if let rule = faults[.previewHuge] {
      let size = rule.number(200) << 20
      return header(length: size, type) + [UInt8](repeating: 0, count: min(size, 64 << 20))
    }
    var frame = frame
    if faults.contains(.previewBoundary) { frame += Array("\r\n--\(Self.boundary)\r\n".utf8) + frame.prefix(40) }
    return header(length: frame.count, type) + frame
  }

  private func header(length: Int, _ type: String) -> [UInt8] {
    if faults.contains(.previewHeader) { return Array("\r\n--\(Self.boundary)\r\nContent-Length: many\r\n\r\n".utf8) }
    if sensor.configuration.style == .jaxb {
      return Array("--\(Self.boundary)\nContent-Type: \(type)Content-Length: \(length)\n\n".utf8)
    }
    return Array("\r\n--\(Self.boundary)\r\nContent-type: \(type)\r\nContent-Length: \(length)\r\n\r\n".utf8)
  }
}
