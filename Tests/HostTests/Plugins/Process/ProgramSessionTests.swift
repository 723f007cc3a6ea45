import PluginAPI
import PluginTesting
import Testing

@testable import Host

/// The connection to a program, beside its uses in ``ProgramPluginTests``.
struct ProgramSessionTests {
  private static let hello = #"read x; echo '{"jsonrpc":"2.0","id":1,"result":{"protocol":1}}'; "#

  /// Starts a script of the shell, and returns the error of a request that is made when it has ended.
  private func lateError(
    _ script: String, started: @escaping @Sendable (ProgramSession) -> Void = { _ in }
  ) async throws -> ErrorReport {
    let scripted = try await ScriptedProgram("")
    let launch = ProgramProcess.Launch(program: "/bin/sh", arguments: ["sh", "-c", script], memoryInBytes: 0)
    let host = ProgramSession.Host(context: scripted.plugin.context, limits: ProgramLimits())
    let error: any Error = await withCheckedContinuation { continuation in
      ProgramSession.start(launch, id: "scripted", host: host) { result in
        if case .success(let session) = result { started(session) }
      } ended: { session, _ in
        session.request("draw", nil, label: "a late request") { response in
          if case .failure(let error) = response { continuation.resume(returning: error) }
        }
      }
    }
    return ErrorReport(error)
  }

  @Test func `a request after the end fails with the way the program ended`() async throws {
    let report = try await lateError("kill -KILL $$")
    #expect(report.code == "host.plugin-ended" && report.message.hasSuffix("ended during a late request: SIGKILL"))
  }

  @Test func `a request after the end of a program that was ended for an error fails with the error`() async throws {
    let report = try await lateError(Self.hello + "echo nonsense; exec sleep 60")
    #expect(report.code == "host.plugin-bad-message")
  }

  @Test func `a request after the end is not canceled because another one was`() async throws {
    let report = try await lateError(Self.hello + "exec sleep 60") { session in
      let id = session.request("work", nil, label: "work") { _ in }
      if let id { session.cancel(id, withinSeconds: 0.05) }
    }
    #expect(report.code == "host.plugin-ended" && report.message.hasSuffix("ended during a late request: SIGKILL"))
  }
}
