import PluginServer
import Synchronization

/// The shared state of a simulator's servers.
final class SimulatorCore: Sendable {
  let configuration: SimulatorConfiguration
  let sensors: [SimulatedSensor]
  let clock: SimulatedClock
  let ledger = CaptureLedger()
  let faults: SimulatorFaults
  let calls = Mutex<[SimulatedCall]>([])
  private let addresses = Mutex<[String]>([])
  private let answerCount = Atomic(0)

  init(_ configuration: SimulatorConfiguration) {
    self.configuration = configuration
    faults = SimulatorFaults(seed: configuration.seed, configuration.faults)
    let source = CaptureMaker(configuration)
    clock = SimulatedClock(isStill: configuration.hasStillClock)
    let (clock, ledger) = (clock, ledger)
    sensors = (1...max(1, configuration.sensors)).map { SimulatedSensor($0, configuration, clock, ledger, source) }
  }

  /// Creates a core that serves real sources in the same way.
  init(_ configuration: SimulatorConfiguration, _ sources: [(source: any SensorScene, profile: SensorProfile)]) {
    self.configuration = configuration
    faults = SimulatorFaults(seed: configuration.seed, [])
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
  func answer(_ request: ServerRequest, sensor number: Int?) async -> ServerResponse {
    let parts = request.path.split(separator: "/", omittingEmptySubsequences: false).dropFirst().map(String.init)
    return await answer(request, parts, sensor: number)
  }

  /// - Parameter parts: Of the path, between its slashes.
  func answer(_ request: ServerRequest, _ parts: [String], sensor number: Int?) async -> ServerResponse {
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
    case .found(let route): return await answer(route, request, sensor)
    }
  }

  private func answer(
    _ route: SimulatedRoute, _ request: ServerRequest, _ sensor: SimulatedSensor
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
    let met = faults.met(by: route.operation, sensor: sensor.number)
    let index = note(route, sensor)
    let response = await FaultyCall(core: self, route: route, body: body, sensor: sensor, faults: met).response()
    calls.withLock { if $0.indices.contains(index) { $0[index].outcome = response.outcome } }
    return response.response
  }

  private static func isXML(_ type: String?) -> Bool {
    let name = (type ?? "").prefix { $0 != ";" }.filter { !$0.isWhitespace }.lowercased()
    return name == "application/xml" || name == "text/xml"
  }

  /// Adds a call to the log.
  private func note(_ route: SimulatedRoute, _ sensor: SimulatedSensor) -> Int {
    calls.withLock { calls in
      // For a simulator that runs for days the first million calls are enough.
      if calls.count >= 1_000_000 { return -1 }
      calls.append(
        SimulatedCall(
          sensor: sensor.number, operation: route.operation, session: route.session, capture: route.capture,
          outcome: "none"))
      return calls.count - 1
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
