import PluginAPI

/// A small file with state whose loss does no harm.
struct StateFile: Sendable {
  let path: String

  /// Larger files are not read: the program's own states are small.
  static let largest = 1 << 20

  /// Returns the bytes; nil if the file does not exist, cannot be read, or is too large.
  func read() -> [UInt8]? { try? HostFile.read(path, limit: Self.largest) }

  /// Replaces the file as a whole, readable only by the user; ignores errors.
  func write(_ bytes: [UInt8]) {
    try? HostFile.write(bytes, to: path, isDurable: false, makesFolder: true)
  }
}

/// An installed plugin that cannot be used.
struct UnusablePlugin: Sendable, Hashable {
  var id: String
  /// The reason, with advice: `disabled; 'workbench plugin enable tides' enables it`.
  var reason: String
}

/// The states of screens, stored per plugin in the state folder between runs.
@MainActor final class ScreenStates {
  private let folder: String
  private let isEnabled: Bool
  private var known: [String: Record] = [:]
  private var changed: Set<String> = []

  init(folder: String, isEnabled: Bool) {
    self.folder = folder
    self.isEnabled = isEnabled
  }

  /// Returns the state of a screen when it was last removed; nil if there is no readable one.
  func take(plugin: String, screen: String) -> [UInt8]? {
    guard isEnabled else { return nil }
    return record(plugin)[screen]?.bytes
  }

  /// Stores the state of a screen.
  ///
  /// - Throws: ``ErrorReport`` if the states of the plugin's screens become too large to be read again; the screen then
  ///   keeps the state it had.
  func keep(_ state: [UInt8], plugin: String, screen: String) throws(ErrorReport) {
    guard isEnabled, record(plugin)[screen]?.bytes ?? [] != state else { return }
    let others = record(plugin).fields.reduce(0) { sum, field in
      sum + (field.name == screen ? 0 : field.value.bytes?.count ?? 0)
    }
    guard others + state.count <= Self.largest else {
      throw ErrorReport(
        code: "host.state-too-large", kind: .pluginFailed,
        "the state of screen '\(screen)' of plugin '\(plugin)' was not saved: all its screen states have "
          + "\(others + state.count) bytes; the limit is \(Self.largest)",
        advice: "report this to the plugin's author", details: ["plugin": .text(plugin)])
    }
    known[plugin]?[screen] = state.isEmpty ? nil : .bytes(state)
    changed.insert(plugin)
  }

  /// The maximum total size of the states of a plugin's screens, in bytes; the rest of the file is for their names.
  static let largest = StateFile.largest - 64 << 10

  /// Writes the changes.
  func write() {
    for plugin in changed.sorted() { file(plugin).write(Value.record(record(plugin)).encoded()) }
    changed = []
  }

  private func record(_ plugin: String) -> Record {
    if let record = known[plugin] { return record }
    let record = file(plugin).read().flatMap { try? Value(decoding: $0).record } ?? Record()
    known[plugin] = record
    return record
  }

  private func file(_ plugin: String) -> StateFile { StateFile(path: folder + "/plugins/" + plugin + "/screens") }
}
