import Glibc
import PluginAPI
import PluginServer
import PluginSimulation
import Synchronization

/// The shared state of a simulator's servers.
final class SimulatorCore: Sendable {
  let configuration: SimulatorConfiguration
  let sensors: [SimulatedSensor]
  let clock: SimulatedClock
  let ledger = CaptureLedger()
  /// The calls and the faults.
  let record: Mutex<SensorLedger>
  private let addresses = Mutex<[String]>([])
  private let answerCount = Atomic(0)

  init(_ configuration: SimulatorConfiguration) {
    self.configuration = configuration
    record = Mutex(SensorLedger(configuration.faults, seed: configuration.seed))
    let source = CaptureMaker(configuration)
    clock = SimulatedClock(isStill: configuration.hasStillClock)
    let (clock, ledger) = (clock, ledger)
    sensors = (1...max(1, configuration.sensors)).map { SimulatedSensor($0, configuration, clock, ledger, source) }
  }

  /// Creates a core that serves real sources in the same way.
  init(_ configuration: SimulatorConfiguration, _ sources: [(source: any SensorScene, profile: SensorProfile)]) {
    self.configuration = configuration
    record = Mutex(SensorLedger([], seed: configuration.seed))
    clock = SimulatedClock()
    let (clock, ledger) = (clock, ledger)
    sensors = sources.enumerated().map { index, captured in
      SimulatedSensor(index + 1, configuration, clock, ledger, captured.source, captured.profile)
    }
  }

  func setAddresses(_ all: [String]) { addresses.withLock { $0 = all } }

  func address(of sensor: Int) -> String {
    addresses.withLock { $0.indices.contains(sensor - 1) ? $0[sensor - 1] : "" }
  }

  /// Responds to a request to a sensor.
  ///
  /// - Parameter sensor: The number of the sensor whose port it is; nil if the path selects it.
  func respond(to request: ServerRequest, sensor number: Int?) async -> ServerResponse {
    let parts = request.path.split(separator: "/", omittingEmptySubsequences: false).dropFirst().map(String.init)
    return await respond(to: request, parts, sensor: number)
  }

  /// - Parameter parts: Of the path, between its slashes.
  func respond(to request: ServerRequest, _ parts: [String], sensor number: Int?) async -> ServerResponse {
    var parts = parts
    var number = number
    if number == nil {
      guard parts.count >= 2, parts[0] == "sensor" else { return ServerResponse(404) }
      number = Int(parts[1])
      parts.removeFirst(2)
    }
    guard let number, sensors.indices.contains(number - 1) else { return ServerResponse(404) }
    let sensor = sensors[number - 1]
    if sensor.snapshot.isDead { return ServerResponse(fault: .unanswered(isReset: true)) }
    switch SimulatedRoute.read(request.method, parts) {
    case .unknown: return ServerResponse(404)
    case .wrongMethod: return ServerResponse(405)
    case .found(let route): return await respond(to: route, request, sensor)
    }
  }

  private func respond(
    to route: SimulatedRoute, _ request: ServerRequest, _ sensor: SimulatedSensor
  ) async -> ServerResponse {
    guard let body = try? await request.body.whole() else { return ServerResponse(413) }
    if configuration.demandsLength, ["POST", "PUT", "DELETE"].contains(request.method),
      request.header("Content-Length") == nil, request.header("Transfer-Encoding") == nil
    {
      return ServerResponse(411)
    }
    if route.operation == .setConfiguration, !body.isEmpty, !Self.isXML(request.header("Content-Type")) {
      return ServerResponse(415)
    }
    let (met, index) = note(route, sensor)
    let response = await FaultyCall(core: self, route: route, body: body, sensor: sensor, faults: met).response()
    record.withLock { $0.update(index) { $0.outcome = response.outcome } }
    return response.response
  }

  private static func isXML(_ type: String?) -> Bool {
    let name = (type ?? "").prefix { $0 != ";" }.filter { !$0.isWhitespace }.lowercased()
    return name == "application/xml" || name == "text/xml"
  }

  /// Records a call and returns its faults, and its index in the record.
  private func note(_ route: SimulatedRoute, _ sensor: SimulatedSensor) -> ([SimulatorFaultRule], Int?) {
    record.withLock { record in
      let call = SimulatedCall(
        sensor: sensor.number, operation: route.operation, session: route.session, capture: route.capture,
        outcome: "none")
      return (record.meet(route.operation, sensor: sensor.number), record.record(call))
    }
  }

  /// Returns true if the next response is chunked.
  func isNextChunked() -> Bool {
    if let isChunked = configuration.isChunked { return isChunked }
    guard configuration.style == .jaxb else { return false }
    return answerCount.add(1, ordering: .relaxed).newValue % 2 == 0
  }

  /// The type a document is sent with.
  var documentType: String { configuration.style == .jaxb ? "text/xml" : "application/xml; charset=utf-8" }
}

/// The clock of the sensors, which can be moved.
final class SimulatedClock: Sendable {
  private let offset = Mutex(0)
  private let isStill: Bool

  /// - Parameter isStill: True to advance it only by hand, from January 1, 2026 on.
  init(isStill: Bool = false) { self.isStill = isStill }

  /// Milliseconds since 1970.
  var now: Int {
    if isStill { return 1_767_225_600_000 + offset.withLock { $0 } }
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return time.tv_sec * 1000 + time.tv_nsec / 1_000_000 + offset.withLock { $0 }
  }

  /// Moves the clock on, or back.
  func advance(milliseconds: Int) { offset.withLock { $0 &+= milliseconds } }

  /// Returns a time in the format of services, in UTC.
  ///
  /// - Parameter fractionDigits: 3, or 7 as .NET does.
  static func text(_ milliseconds: Int, fractionDigits: Int = 3) -> String {
    let fraction = (milliseconds % 1000 + 1000) % 1000
    let whole = Instant(seconds: Int64((milliseconds &- fraction) / 1000)).description.dropLast()
    let zeros = String(repeating: "0", count: max(0, fractionDigits - 3))
    return "\(whole).\(String(1000 + fraction).dropFirst())\(zeros)Z"
  }
}

/// The record of what the sensors really captured: the truth against which clients are checked.
final class CaptureLedger: Sendable {
  /// One capture.
  struct Entry: Sendable, Hashable {
    let id: String
    /// The hash of the downloaded data, 64 hexadecimal digits.
    let sha256: String
    let sizeInBytes: Int
    /// Milliseconds since 1970, by the sensors' clock.
    let time: Int
    let session: String
    /// The number of the sensor, from 1.
    let sensor: Int
    let modality: String
    let submodality: String
    let contentType: String
    /// The person captured.
    let person: Int
    /// The number of times the full data was sent.
    var downloads = 0
  }

  private let entriesByID = Mutex<(order: [String], all: [String: Entry])>(([], [:]))

  func add(_ entry: Entry) {
    entriesByID.withLock { entries in
      entries.order.append(entry.id)
      entries.all[entry.id] = entry
    }
  }

  func countDownload(of id: String) { entriesByID.withLock { $0.all[id]?.downloads += 1 } }

  /// The id of the first capture; nil before it.
  var firstID: String? { entriesByID.withLock { $0.order.first } }

  /// All captures in their order.
  ///
  /// - Complexity: O(*captures*).
  var entries: [Entry] { entriesByID.withLock { entries in entries.order.compactMap { entries.all[$0] } } }
}
