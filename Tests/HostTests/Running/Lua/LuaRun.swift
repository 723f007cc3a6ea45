import PluginAPI
import Testing

@testable import Host

/// Runs Lua in the test's process, with the sample plugin.
@MainActor struct LuaRun {
  let run: CommandLineRun

  init() throws { run = try CommandLineRun() }

  /// True if Lua is installed.
  nonisolated static var isInstalled: Bool { hasLibrary }

  private nonisolated static let hasLibrary: Bool = {
    do {
      try LuaInterpreter.checkLibrary()
      return true
    } catch {
      return false
    }
  }()

  /// Returns what a script prints.
  func output(_ code: String, _ words: String...) async throws -> String {
    let before = run.streams.output.contents.utf8.count
    try await run.run(["exec", "--lua", code] + words)
    return String(run.streams.output.contents.utf8.dropFirst(before)) ?? ""
  }

  /// Returns the exit status and the messages of a script that fails; nil for one that does not.
  func failure(_ code: String, _ words: [String] = []) async -> (status: Int32, messages: String)? {
    await failure(of: ["exec", "--lua", code] + words)
  }

  /// Returns the exit status and the messages of a line that fails; nil for one that does not.
  func failure(of words: [String]) async -> (status: Int32, messages: String)? {
    let before = run.messages.utf8.count
    do {
      try await run.run(words)
      return nil
    } catch {
      let status = (error as? ReportedFailure)?.status ?? ErrorReport(error).exitStatus
      return (status, String(run.messages.utf8.dropFirst(before)) ?? "")
    }
  }
}

extension Trait where Self == ConditionTrait {
  /// Skips tests where Lua is not installed.
  static var needsLua: ConditionTrait { .enabled(if: LuaRun.isInstalled, "the package 'liblua5.4-0' is not installed") }
}
