import PluginSimulation
import PluginText
import Testing

@testable import WSABI
@testable import WSABISimulator

/// One of the bad inputs and faults a client must survive, over simulated sensors: the request, and its required end.
struct FaultCase: Sendable, CustomTestStringConvertible {
  /// The number in the list of faults.
  let number: Int
  /// The rule of the simulator.
  let rule: String
  let operation: SensorOperation
  /// `answer` and a status, or the kind of a fault; several with a bar between them.
  let ending: String

  init(_ number: Int, _ rule: String, _ operation: SensorOperation, _ ending: String) {
    (self.number, self.rule, self.operation, self.ending) = (number, rule, operation, ending)
  }

  var testDescription: String { "\(number) \(rule) at \(operation.rawValue)" }

  /// Sends a request to a simulated sensor and compares the end; nil if it is as required.
  func problem(_ style: SimulatorConfiguration.Style) async throws -> String? {
    let simulator = try SensorSimulator(.init(style: style, seed: 6, modalities: [.finger]))
    var limits = SensorLimits()
    limits.dataInBytes = 2 << 20
    (limits.firstDelayInSeconds, limits.rateWindowInSeconds) = (0.01, 0.5)
    let connection = SensorAccess(isOffline: false, limits: limits).connection(
      try SensorAddress(parsing: simulator.addresses[0]))
    let session = try await connection.ask(SensorRequest(.register)).sessionID
    for operation in [SensorOperation.tryLock, .initialize] {
      _ = try await connection.ask(SensorRequest(operation, session: session))
    }
    let capture = try await connection.ask(SensorRequest(.capture, session: session)).captureIDs.first
    simulator.forgetCalls()
    try simulator.script(rule)
    let request = SensorRequest(
      operation, session: session, capture: capture, maxSize: 50,
      configuration: WireDictionary([.init("gain", .integer(2, type: "int"))]),
      deadlineInSeconds: ending == "timedOut" ? 1 : 30)
    let found = await end(connection, request)
    let calls = simulator.calls
    let rules = simulator.faults
    await simulator.stop()
    let captures = calls.count { $0.operation == .capture || $0.operation == .register }
    if captures > 1 { return "asked \(captures) times" }
    // A correct end proves nothing about a fault that never occurred.
    if let missed = rules.first(where: { $0.met == 0 }) { return "the fault '\(missed.rule.text)' was never met" }
    if rules.contains(where: { $0.rule.calls == 1...1 }), ending == "answer success",
      calls.count(where: { $0.operation == operation.simulated }) != 2
    {
      return "the answer that was spoilt was not asked for once more"
    }
    return ending.split(separator: "|").map { $0.trimmed() }.contains(found) ? nil : "ended with '\(found)'"
  }

  private func end(_ connection: SensorConnection, _ request: SensorRequest) async -> String {
    do throws(SensorFault) {
      let answer = try await connection.ask(request, into: ByteSink())
      return "answer \(answer.status.word)"
    } catch {
      if case .status(let number) = error.kind { return "status \(number)" }
      return String("\(error.kind)".prefix { $0 != "(" })
    }
  }
}

/// A sink that discards data.
private final class ByteSink: DataSink {
  func write(_ bytes: UnsafeRawBufferPointer) {}
  func abandon() {}
}
