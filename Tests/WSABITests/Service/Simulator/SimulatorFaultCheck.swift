import Testing

@testable import WSABI
@testable import WSABISimulator

/// A fault, a call that meets it, and the required result.
struct SimulatorFaultCheck: Sendable, CustomTestStringConvertible {
  /// The rule, in the form of `--fault`.
  let rule: String
  /// The rule of a run without the fault, in which the expectation must not hold.
  ///
  /// Nil if only the time differs, which is not reliably short.
  let control: String?
  let call: Call
  let isAsExpected: @Sendable (ProbeAnswer, SensorSimulator) -> Bool

  /// The call made once a sensor is ready and has captured once.
  enum Call: Sendable {
    case register, info, capture, download, details, lock, configure, stream
    /// The lock request on its own connection, as it is sent.
    case bareLock
    /// The lock, which another holds.
    case steal
    /// A capture that waits for a person and is then canceled.
    case cancelledCapture
  }

  init(
    _ rule: String, _ call: Call, without control: String? = "",
    _ isAsExpected: @escaping @Sendable (ProbeAnswer, SensorSimulator) -> Bool
  ) {
    (self.rule, self.call, self.control, self.isAsExpected) = (rule, call, control, isAsExpected)
  }

  /// Creates a fault after which a response contains a text.
  init(_ rule: String, _ call: Call, without control: String = "", has text: String) {
    self.init(rule, call, without: control) { answer, _ in answer.whole.contains(text) }
  }

  /// Creates a fault after which a response lacks a text it otherwise has.
  init(_ rule: String, _ call: Call, lacks text: String) {
    self.init(rule, call) { answer, _ in answer.http == 200 && !answer.whole.contains(text) }
  }

  var testDescription: String { rule }

  /// Makes the call with the fault and without it.
  ///
  /// - Returns: The result that differs from the expected one; empty if there is no difference.
  func run(_ style: SimulatorConfiguration.Style) async throws -> String {
    let found = try await made(rule, style)
    if !found.isAsExpected { return found.words }
    guard let control else { return "" }
    return try await made(control, style).isAsExpected ? "it is so without the fault as well" : ""
  }

  private func made(
    _ rule: String, _ style: SimulatorConfiguration.Style
  ) async throws -> (isAsExpected: Bool, words: String) {
    var configuration = SimulatorConfiguration(style: style, seed: 2, modalities: [.finger])
    (configuration.isChunked, configuration.stealPreventionInMilliseconds) = (false, 0)
    let simulator = try SensorSimulator(configuration)
    var probe = SensorProbe(simulator.addresses[0])
    let session = await probe.ready()
    let capture = await probe.ask("POST", "/capture/\(session)").captureIDs.first ?? ""
    try simulator.script(rule)
    if Self.silent.contains(where: rule.hasPrefix) { probe.deadlineInSeconds = 1 }
    let asking = Task { [probe] in await ask(probe, simulator, session, capture) }
    if call != .cancelledCapture, let isMet = Self.known.first(where: { rule.hasPrefix($0.name) })?.isMet {
      // A response that never comes is not waited for.
      await simulator.sensor(1).reaches(isMet)
      asking.cancel()
    }
    let answer = await asking.value
    let isRight = isAsExpected(answer, simulator)
    let captures = simulator.ledger.count
    await simulator.stop()
    return (isRight, "'\(answer.status)' in \(answer.body.count) bytes, and \(captures) captures")
  }

  /// Faults that are recognized by the state of the sensor, after which no response arrives.
  private static let known: [(name: String, isMet: @Sendable (SimulatedSensor.State) -> Bool)] = [
    ("freeze", { !$0.frozen.isEmpty }), ("hold", { $0.job != nil }),
  ]
  /// Faults after which no response arrives: a second is enough to be sure of that.
  private static let silent = ["hang", "silence", "stall", "preview-silent", "preview-endless"]

  private func ask(
    _ probe: SensorProbe, _ simulator: SensorSimulator, _ session: String, _ capture: String
  ) async -> ProbeAnswer {
    switch call {
    case .register: await probe.ask("POST", "/register")
    case .info: await probe.ask("GET", "/info")
    case .capture: await probe.ask("POST", "/capture/\(session)")
    case .download: await probe.ask("GET", "/download/\(capture)")
    case .details: await probe.ask("GET", "/download/\(capture)/info")
    case .lock: await probe.ask("POST", "/lock/\(session)")
    case .bareLock: await probe.bare("POST", "/lock/\(session)")
    case .steal: await steal(probe, session)
    case .cancelledCapture: await cancelled(probe, simulator, session)
    case .configure:
      await probe.ask(
        "POST", "/configure/\(session)", SensorProbe.configuration([("gain", "xs:int\">9")]))
    case .stream: await probe.ask("GET", "/stream/live")
    }
  }

  private func steal(_ probe: SensorProbe, _ session: String) async -> ProbeAnswer {
    _ = await probe.ask("DELETE", "/lock/\(session)")
    _ = await probe.ask("POST", "/lock/\(await probe.register())")
    return await probe.ask("PUT", "/lock/\(session)")
  }

  private func cancelled(_ probe: SensorProbe, _ simulator: SensorSimulator, _ session: String) async -> ProbeAnswer {
    async let captured = probe.ask("POST", "/capture/\(session)")
    await simulator.waitUntilBusy(1, with: .capture)
    _ = await probe.ask("POST", "/cancel/\(session)")
    return await captured
  }
}
