import Glibc
import PluginAPI

/// The plugins set aside because they crashed or ended the program: one file each in `quarantine/` of the state folder.
///
/// A plugin is re-enabled by `workbench plugin unquarantine`, or automatically when its library changes.
struct PluginQuarantine: Sendable {
  /// The reason why a plugin is set aside.
  struct Entry: Sendable, Hashable {
    var id: String
    /// The signal's name; empty if the plugin ended the program without one.
    var signal: String
    /// The time of the crash, ISO 8601.
    var date: String
    /// The phase at the time of the crash: `load`, `activate`, `command`, `screen`, `probe`…; empty if unknown.
    var phase: String
    /// The command or screen; empty if there was none.
    var command: String
    /// The library file that crashed; nil if it is not known.
    var identity: FileIdentity?
  }

  private let folder: String
  /// The entries by id.
  private(set) var entries: [String: Entry] = [:]

  /// Reads all entries.
  init(state: String) {
    folder = state + "/quarantine"
    guard access(folder, F_OK) == 0 else { return }
    for name in PluginScan.names(in: folder) where PluginID.objection(to: name) == nil {
      if let entry = read(name) { entries[name] = entry }
    }
  }

  /// Sets a plugin aside.
  mutating func add(_ entry: Entry) throws(HostFileError) {
    entries[entry.id] = entry
    let fields = [
      ("reason", entry.signal.isEmpty ? "the plugin ended the program" : "the plugin crashed"),
      ("signal", entry.signal), ("date", entry.date), ("phase", entry.phase),
      ("command", entry.command),
      ("library", entry.identity.map { $0.numbers.map(String.init).joined(separator: " ") } ?? ""),
    ]
    let text = fields.map { $0 + "\t" + FieldText.escaped($1) + "\n" }.joined()
    try HostFile.write(Array(text.utf8), to: folder + "/" + entry.id, makesFolder: true)
  }

  /// Lets a plugin in again.
  mutating func remove(_ id: String) throws(HostFileError) {
    entries[id] = nil
    try HostFile.remove(folder + "/" + id)
  }

  /// Returns the entry that quarantines a library file; removes an entry about another state of the file.
  mutating func entry(keepingOut id: String, _ identity: FileIdentity) -> Entry? {
    guard let entry = entries[id] else { return nil }
    if let crashed = entry.identity, crashed.numbers[0..<4] != identity.numbers[0..<4] {
      try? remove(id)
      return nil
    }
    return entry
  }

  private func read(_ id: String) -> Entry? {
    guard let (bytes, _) = try? FileTrust.read(folder + "/" + id), bytes.count < 1 << 16 else { return nil }
    var fields: [String: String] = [:]
    for line in String(decoding: bytes, as: UTF8.self).split(separator: "\n") {
      let parts = line.split(separator: "\t", maxSplits: 1, omittingEmptySubsequences: false)
      if parts.count == 2 { fields[String(parts[0])] = FieldText.plain(String(parts[1])) }
    }
    let numbers = fields["library"]?.split(separator: " ").compactMap { Int($0) } ?? []
    return Entry(
      id: id, signal: fields["signal"] ?? "", date: fields["date"] ?? "", phase: fields["phase"] ?? "",
      command: fields["command"] ?? "", identity: FileIdentity(numbers: numbers))
  }
}

extension PluginQuarantine.Entry {
  /// A description of the crash for users.
  var reason: String {
    let doing = PluginPhase.description(phase: phase, command: command)
    return signal.isEmpty ? "ended the program\(doing) on \(date)" : "crashed\(doing) with \(signal) on \(date)"
  }
}
