internal import CHost
import PluginAPI

/// The entry from the host into a plugin's code, recorded in the crash journal and supervised by the watchdog.
struct PluginEntrance: Sendable {
  /// The plugin.
  let id: String
  /// The loop that its code may block.
  let loop: HostEventLoop

  /// Runs code of the plugin.
  ///
  /// - Parameters:
  ///   - phase: The phase of the plugin's work.
  ///   - name: The command, screen or store; empty for none.
  func callAsFunction<Result>(
    _ phase: PluginPhase, _ name: String = "", _ body: () throws -> Result
  ) throws -> Result {
    let slot = enter(phase, name)
    defer { leave(slot) }
    do {
      return try body()
    } catch {
      throw ErrorReport(wrapping: error, plugin: id, command: name.isEmpty ? phase.rawValue : name)
    }
  }

  /// Runs code of the plugin that cannot throw.
  ///
  /// - Complexity: One system call for each signal the host handles, to find those the plugin took.
  func noting<Result>(_ phase: PluginPhase, _ name: String, _ body: () -> Result) -> Result {
    let slot = enter(phase, name)
    defer { leave(slot) }
    return body()
  }

  /// Runs asynchronous code of the plugin.
  nonisolated(nonsending) func callAsFunction(
    _ phase: PluginPhase, _ name: String, _ body: nonisolated(nonsending) () async throws -> Void
  ) async throws {
    let slot = enter(phase, name)
    defer { leave(slot) }
    do {
      try await body()
    } catch is CancellationError {
      throw CancellationError()
    } catch let error as OutputError {
      throw error
    } catch {
      throw ErrorReport(wrapping: error, plugin: id, command: name)
    }
  }

  private func enter(_ phase: PluginPhase, _ name: String) -> Int32 {
    loop.watchdog.workBegan()
    return chost_call_enter(id, phase.rawValue, name)
  }

  private func leave(_ slot: Int32) {
    chost_call_leave(slot)
    chost_signals_rearm()
    loop.watchdog.workEnded()
  }
}
