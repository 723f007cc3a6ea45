import PluginAPI
import PluginServer
import PluginSimulation
import PluginTesting
import Synchronization
import Testing

@testable import WSABI
@testable import WSABISimulator

/// The command that serves simulated sensors.
struct SimulateSensorCommandTests {
  @Test func `the available faults are listed`() async throws {
    let lines = try await TestPlugin(WSABIPlugin()).run("simulate", ["fault": ["list"]]).values
    #expect(lines.count == SimulatorFault.allCases.count)
  }

  @Test func `an unknown fault is refused with the nearest`() async throws {
    let report = try await TestPlugin(WSABIPlugin()).report("simulate", ["fault": ["drop-afer"]])
    #expect(report?.code == "wsabi.unknown-fault")
    #expect(report?.advice?.contains("drop-after") == true)
    let bad = try await TestPlugin(WSABIPlugin()).report("simulate", ["fault": ["hang@captures"]])
    #expect(bad?.code == "wsabi.bad-fault-rule")
    let codes = SimulatorError.errorCodes.map(\.code)
    #expect(codes.contains("wsabi.unknown-fault") && codes.contains("wsabi.bad-fault-rule"))
  }

  @Test func `a bad certificate never falls back to an unencrypted service`() async throws {
    let lone = try await TestPlugin(WSABIPlugin()).report("simulate", ["certificate": "/nowhere/certificate.pem"])
    #expect(lone?.code == "wsabi.simulator-certificate")
    let missing = try await TestPlugin(WSABIPlugin()).report(
      "simulate", ["certificate": "/nowhere/certificate.pem", "key": "/nowhere/key.pem"])
    #expect(missing?.message.contains("/nowhere/certificate.pem") == true)
    let error = #expect(throws: ErrorReport.self) {
      try SensorSimulator(.init(certificate: SimulatorCertificate(certificate: [65], key: [66])))
    }
    #expect(error?.code == ServerError.badCertificate.report.code)
  }

  @Test func `addresses are printed once the sensors respond, and served until an interrupt`() async throws {
    let plugin = try await TestPlugin(WSABIPlugin())
    let command = try plugin.plugin.makeCommand("simulate", plugin.context)
    var arguments = Record(command.declaration.options.map { Record.Field($0.name, $0.defaultValue) })
    for (name, value) in ["sensors": 2, "modality": ["iris"], "pictures": "quick", "seed": 5] as [String: Value] {
      arguments[name] = value
    }
    let lines = EmittedLines()
    let task = Task { [arguments] in
      try await command.run(
        CommandCall(
          arguments: arguments, context: plugin.context, presentation: CommandCall.Presentation(), output: lines))
    }
    let texts = await lines.first(3)
    let ends: [String] = texts.map { text in text.split(separator: " ").last.map(String.init) ?? "" }
    #expect(ends == ["Iris", "Iris", "control"])
    let address = String(texts[0].prefix { $0 != " " })
    #expect(await SensorProbe(address).ask("GET", "/info").status == "success")
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(await SensorProbe(address).ask("GET", "/info").http == 0)
  }
}

/// A collector of the lines that a command emits while it runs.
private final class EmittedLines: CommandOutput {
  private struct State {
    var lines: [String] = []
    var wanted = 0
    var continuation: CheckedContinuation<[String], Never>?
  }

  private let state = Mutex(State())

  func emit(_ value: Value) async throws {
    let (ready, lines) = state.withLock { state in
      state.lines.append(value.text ?? "")
      guard state.lines.count >= state.wanted else { return (nil as CheckedContinuation<[String], Never>?, [String]()) }
      defer { state.continuation = nil }
      return (state.continuation, state.lines)
    }
    ready?.resume(returning: lines)
  }

  func report(_ progress: Progress) {}
  func warn(_ diagnostic: Diagnostic) {}

  /// Returns the first lines, as soon as there are enough.
  func first(_ count: Int) async -> [String] {
    await withCheckedContinuation { continuation in
      let lines: [String]? = state.withLock { state in
        if state.lines.count >= count { return state.lines }
        (state.wanted, state.continuation) = (count, continuation)
        return nil
      }
      if let lines { continuation.resume(returning: lines) }
    }
  }
}
