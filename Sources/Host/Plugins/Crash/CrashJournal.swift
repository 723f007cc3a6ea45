internal import CHost
import Glibc
import PluginAPI

/// Notes which plugin's code runs, so that a crash can be told to be its, and finds the crashes of earlier runs.
enum CrashJournal {
  /// Catches crashes from now on and opens this process's journal.
  ///
  /// Where the journal cannot be written, a crash still restores the terminal and names the plugin.
  static func open(state: String) {
    chost_crash_install()
    let folder = state + "/journal"
    guard (try? HostFile.makeFolder(folder)) != nil else { return }
    _ = chost_journal_open("\(folder)/\(getpid()).journal")
  }

  /// Takes this process's journal away before a regular end; one that is left only costs the next start a look.
  static func close() {
    chost_journal_remove()
  }

  /// Gives the terminal back as it was, from any thread, when the interface cannot do it any more.
  static func restoreTerminal() {
    chost_crash_restore()
  }

  /// Takes the journals of ended processes away.
  ///
  /// - Returns: What crashed, without those whose culprit is no plugin.
  static func collect(state: String) -> [PluginQuarantine.Entry] {
    let folder = state + "/journal"
    guard access(folder, F_OK) == 0 else { return [] }
    return PluginScan.names(in: folder).filter { $0.hasSuffix(".journal") }.compactMap { name in
      var journal = chost_journal()
      guard chost_journal_collect(folder + "/" + name, &journal) == 1, journal.crashed == 1 else { return nil }
      return entry(journal)
    }
  }

  private static func entry(_ journal: chost_journal) -> PluginQuarantine.Entry? {
    let id = text(journal.culprit)
    guard PluginID.objection(to: id) == nil else { return nil }
    let numbers = withUnsafeBytes(of: journal.identity) { Array($0.bindMemory(to: Int.self)) }
    return PluginQuarantine.Entry(
      id: id, signal: PluginProbe.name(ofSignal: journal.signal),
      date: Instant(seconds: journal.seconds).description, phase: text(journal.phase), command: text(journal.command),
      identity: numbers.allSatisfy { $0 == 0 } ? nil : FileIdentity(numbers: numbers))
  }

  private static func text<Characters>(_ characters: Characters) -> String {
    withUnsafeBytes(of: characters) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
  }

  /// Remembers which addresses are a plugin's.
  static func noteLibrary(_ id: String, at address: UnsafeRawPointer, _ identity: FileIdentity) {
    chost_crash_add_library(id, address, identity.numbers.map(Int64.init))
  }
}

/// What a plugin is asked to do.
enum PluginPhase: String, Sendable {
  case load, activate, command, screen, store, render, check
}
