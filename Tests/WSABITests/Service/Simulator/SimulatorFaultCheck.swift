import Testing

@testable import WSABI

/// A fault, a call that meets it, and what must come of that.
struct SimulatorFaultCheck: Sendable, CustomTestStringConvertible {
  /// The rule, as `--fault` takes it.
  let rule: String
  let call: Call
  let isAsExpected: @Sendable (ProbeAnswer, SensorSimulator) -> Bool

  /// What is asked once a sensor is ready and has captured once.
  enum Call: Sendable {
    case register, info, capture, download, details, lock, steal, configure, cancel, stream
  }

  init(
    _ rule: String, _ call: Call, _ isAsExpected: @escaping @Sendable (ProbeAnswer, SensorSimulator) -> Bool
  ) {
    (self.rule, self.call, self.isAsExpected) = (rule, call, isAsExpected)
  }

  /// A fault after which an answer holds a text.
  init(_ rule: String, _ call: Call, has text: String) {
    self.init(rule, call) { answer, _ in answer.whole.contains(text) }
  }

  /// A fault after which an answer lacks a text it has otherwise.
  init(_ rule: String, _ call: Call, lacks text: String) {
    self.init(rule, call) { answer, _ in answer.http == 200 && !answer.whole.contains(text) }
  }

  var testDescription: String { rule }

  /// Makes the call without and with the fault.
  ///
  /// - Returns: What came instead of what is expected; empty if all is as it should be.
  func run(_ style: SimulatorConfiguration.Style) async throws -> String {
    let simulator = try SensorSimulator(.init(style: style, seed: 2, modalities: [.finger]))
    var probe = SensorProbe(simulator.addresses[0])
    let session = await probe.ready()
    let capture = await probe.ask("POST", "/capture/\(session)").captureIDs.first ?? ""
    try simulator.script(rule)
    if Self.silent.contains(where: rule.hasPrefix) { probe.deadlineInSeconds = 1 }
    let asking = Task { [probe] in await ask(probe, session, capture) }
    if let isMet = Self.known.first(where: { rule.hasPrefix($0.name) })?.isMet {
      // What never comes is not waited for.
      await simulator.sensor(1).reaches(isMet)
      asking.cancel()
    }
    let answer = await asking.value
    let isRight = isAsExpected(answer, simulator)
    let captures = simulator.ledger.count
    await simulator.stop()
    return isRight ? "" : "'\(answer.status)' in \(answer.body.count) bytes, and \(captures) captures"
  }

  /// Faults that are known by the state of the sensor, after which nothing comes.
  private static let known: [(name: String, isMet: @Sendable (SimulatedSensor.State) -> Bool)] = [
    ("freeze", { !$0.frozen.isEmpty }), ("hold", { $0.job != nil }),
  ]
  /// Faults after which nothing comes: a second is enough to be sure of that.
  private static let silent = ["hang", "silence", "stall", "preview-silent", "preview-endless"]

  private func ask(_ probe: SensorProbe, _ session: String, _ capture: String) async -> ProbeAnswer {
    switch call {
    case .register: await probe.ask("POST", "/register")
    case .info: await probe.ask("GET", "/info")
    case .capture: await probe.ask("POST", "/capture/\(session)")
    case .download: await probe.ask("GET", "/download/\(capture)")
    case .details: await probe.ask("GET", "/download/\(capture)/info")
    case .lock: await probe.ask("POST", "/lock/\(session)")
    case .steal: await probe.ask("PUT", "/lock/\(session)")
    case .configure:
      await probe.ask(
        "POST", "/configure/\(session)", SensorProbe.configuration([("gain", "xs:int\">9")]))
    case .cancel: await probe.ask("POST", "/cancel/\(session)")
    case .stream: await probe.ask("GET", "/stream/live")
    }
  }
}
