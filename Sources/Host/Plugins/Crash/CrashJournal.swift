internal import CHost
import Glibc
import PluginAPI
import Synchronization

/// Records which plugin's code is running, to attribute crashes to it, and finds the crashes of earlier runs.
enum CrashJournal {
  /// Catches crashes from now on and opens this process's journal.
  ///
  /// If the journal cannot be written, a crash still restores the terminal and names the plugin.
  ///
  /// - Returns: The reason why there is no journal, unless the home folder is read-only.
  @discardableResult static func open(state: String) -> Diagnostic? {
    chost_crash_install()
    let folder = state + "/journal"
    guard (try? HostFile.makeFolder(folder)) != nil else { return nil }
    if chost_journal_open("\(folder)/\(getpid()).journal") != nil { return nil }
    let problem = errno
    if problem == EROFS || problem == EACCES { return nil }
    return Diagnostic(
      .warning, code: "host.no-crash-journal",
      "cannot quarantine plugins that crash: cannot write to '\(folder)': \(String(cString: strerror(problem)))",
      line: nil, advice: problem == ENOSPC ? "free some space on the device" : nil)
  }

  /// Removes this process's journal before a regular end; a leftover one only costs the next start a check.
  static func close() {
    chost_journal_remove()
  }

  /// Notes that a plugin runs in a child process, which may end this one; `body` probes it.
  static func probing<Result, Failure: Error>(
    _ id: String, _ identity: FileIdentity, _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    chost_journal_begin_probe(id, PluginPhase.probe.rawValue, identity.numbers.map(Int64.init))
    defer { chost_journal_end_probe() }
    return try body()
  }

  /// Restores the terminal before the process ends, from any thread, when the interface can no longer do it.
  ///
  /// The interface may still run: what it draws from now on is dropped, as it would cover the last message.
  static func restoreTerminal() {
    chost_crash_restore_alone()
  }

  /// Collects and removes the journals of ended processes.
  ///
  /// - Returns: The entries of plugins that crashed or ended the program; other culprits are omitted.
  static func collect(state: String) -> [PluginQuarantine.Entry] {
    let folder = state + "/journal"
    guard access(folder, F_OK) == 0 else { return [] }
    return PluginScan.names(in: folder).filter { $0.hasSuffix(".journal") }.compactMap { name in
      var journal = chost_journal()
      guard chost_journal_collect(folder + "/" + name, &journal) == 1 else { return nil }
      return entry(journal)
    }
  }

  private static func entry(_ journal: chost_journal) -> PluginQuarantine.Entry? {
    let id = text(journal.culprit)
    guard journal.state != chost_journal_running.rawValue, PluginID.objection(to: id) == nil else { return nil }
    let numbers = withUnsafeBytes(of: journal.identity) { Array($0.bindMemory(to: Int.self)) }
    return PluginQuarantine.Entry(
      id: id, signal: journal.signal == 0 ? "" : PluginProbe.name(ofSignal: journal.signal),
      date: Instant(seconds: journal.seconds).description, phase: text(journal.phase), command: text(journal.command),
      identity: numbers.allSatisfy { $0 == 0 } ? nil : FileIdentity(numbers: numbers))
  }

  private static func text<Characters>(_ characters: Characters) -> String {
    withUnsafeBytes(of: characters) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
  }

  /// The plugin of the newest call that has not returned.
  static var newestPlugin: String? { plugin { chost_call_newest($0) } }

  /// The plugin of the newest call that has not returned, else of the one that returned last.
  static var latestPlugin: String? { plugin { chost_call_latest($0) } }

  /// Returns the name of the plugin found by a C function.
  static func plugin(_ find: (UnsafeMutablePointer<CChar>) -> Bool) -> String? {
    var name = [CChar](repeating: 0, count: Int(CHOST_PLUGIN_LIMIT))
    guard find(&name) else { return nil }
    return String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// Remembers which addresses are a plugin's.
  static func noteLibrary(_ id: String, at address: UnsafeRawPointer, _ identity: FileIdentity) {
    chost_crash_add_library(id, address, identity.numbers.map(Int64.init))
  }
}

/// The phase of a plugin's work.
enum PluginPhase: String, Sendable {
  case load, activate, command, screen, store, render, check, probe

  /// A Boolean value indicating whether its code always runs on the loop, which does nothing else meanwhile.
  var isOnLoop: Bool {
    switch self {
    case .load, .activate, .screen: true
    case .command, .store, .render, .check, .probe: false
    }
  }

  /// Returns the end of a sentence about an event in a phase, such as ` in command 'fetch'`; empty if it is unknown.
  static func description(phase: String, command: String) -> String {
    phase.isEmpty ? "" : " in \(phase)" + (command.isEmpty ? "" : " '\(command)'")
  }
}

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
    let call = enter(phase, name)
    defer { leave(call) }
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
    let call = enter(phase, name)
    defer { leave(call) }
    return body()
  }

  /// Runs asynchronous code of the plugin.
  nonisolated(nonsending) func callAsFunction(
    _ phase: PluginPhase, _ name: String, _ body: nonisolated(nonsending) () async throws -> Void
  ) async throws {
    let call = enter(phase, name)
    defer { leave(call) }
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

  /// A call that has not returned.
  private struct Call {
    var slot: Int32
    var phase: PluginPhase
    var start: ThreadMoment
  }

  private func enter(_ phase: PluginPhase, _ name: String) -> Call {
    loop.watchdog.workBegan()
    return Call(
      slot: chost_call_enter(id, phase.rawValue, name), phase: phase, start: ThreadMoment())
  }

  private func leave(_ call: Call) {
    chost_call_leave(call.slot)
    chost_signals_rearm()
    loop.watchdog.workEnded()
    if call.phase.isOnLoop { loop.watchdog.callEnded(id, seconds: call.start.secondsSince) }
  }
}

/// Ends the program in order when a plugin calls `exit` or a similar function.
enum PluginExit {
  private struct Ending: Sendable {
    var end: @Sendable (ErrorReport) -> Void
  }

  private static let ending = Mutex<Ending?>(nil)

  /// Calls `end` instead of ending the process, on the thread that wanted to end it; from then on only
  /// ``chost_end(_:)`` does.
  static func watch(_ end: @escaping @Sendable (ErrorReport) -> Void) {
    ending.withLock { $0 = Ending(end: end) }
    chost_exit_watch { plugin, phase, command in
      func text(_ characters: UnsafePointer<CChar>?) -> String { characters.map { String(cString: $0) } ?? "" }
      let report = PluginExit.report(plugin: text(plugin), phase: text(phase), command: text(command))
      PluginExit.ending.withLock { $0 }?.end(report)
    }
  }

  /// Returns the error that names the plugin that ended the program; an unknown plugin is not set aside.
  static func report(plugin: String, phase: String, command: String) -> ErrorReport {
    let doing = PluginPhase.description(phase: phase, command: command)
    return ErrorReport(
      code: "host.plugin-exited", kind: .pluginFailed,
      (plugin.isEmpty ? "a plugin" : "plugin '\(plugin)'") + " ended the program" + doing,
      advice: plugin.isEmpty ? nil : "it is quarantined at the next start",
      details: ["plugin": .text(plugin), "phase": .text(phase), "command": .text(command)])
  }
}
