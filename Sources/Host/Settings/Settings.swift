import Glibc
import PluginAPI
import Synchronization

/// The settings of host and plugins: environment variables take precedence over `settings.json`, and that over declared
/// defaults.
///
/// The file is a JSON object with an object for each area, `host` or a plugin's id. Undeclared areas and names are
/// preserved. The file is read at first use, and again when another process has changed it; it is written in one step
/// with mode 0600; a file that is not JSON is never overwritten.
final class Settings: Sendable {
  /// The source of a value.
  enum Source: String, Sendable, CaseIterable {
    case flag, environment, user, `default`
  }

  /// The maximum size of the file, in bytes.
  private static let largest = 1 << 24

  /// The file.
  let path: String
  private let environment: [String: String]
  private let content = Mutex<Content?>(nil)

  /// The parsed content of the file, with the file's identity.
  private struct Content {
    var state: FileState
    var record: Result<Record, ErrorReport>
  }

  /// The state of a file, which detects that it was changed or replaced.
  private struct FileState: Equatable {
    var file: UInt64 = 0
    var size: Int64 = 0
    var seconds = 0
    var nanoseconds = 0

    /// Creates the state of a file, or of a missing one.
    init(_ path: String) {
      var status = stat()
      guard stat(path, &status) == 0 else { return }
      (file, size) = (UInt64(status.st_ino), Int64(status.st_size))
      (seconds, nanoseconds) = (status.st_mtim.tv_sec, status.st_mtim.tv_nsec)
    }
  }

  init(path: String, environment: [String: String]) {
    self.path = path
    self.environment = environment
  }

  /// Returns the variable that sets a setting: `WORKBENCH_MOLECULES_BOND_TOLERANCE`; `WORKBENCH_COLOR` for the host's.
  static func variable(_ area: String, _ name: String) -> String {
    let words = area == HostSettings.area ? name : area + "_" + name
    return "WORKBENCH_"
      + words.uppercased().split(separator: "-", omittingEmptySubsequences: false).joined(separator: "_")
  }

  /// The problem with the file; nil if there is none.
  var problem: ErrorReport? {
    if case .failure(let error) = load() { error } else { nil }
  }

  /// Returns the effective value, ignoring values that do not fit the declaration.
  func value(_ area: String, _ parameter: Parameter) -> Value {
    levels(area, parameter).first { !$0.value.isNull }?.value ?? .null
  }

  /// The effective value of a setting, with its type.
  subscript<Content>(area: String, setting: Setting<Content>) -> Content {
    setting.content(of: value(area, setting.parameter))
  }

  /// Returns the values of all sources, strongest first; null for a source without a fitting value.
  func levels(_ area: String, _ parameter: Parameter) -> [(source: Source, value: Value)] {
    let user = (try? load().get())?[area]?[parameter.name] ?? .null
    return [
      (.environment, fromEnvironment(area, parameter)),
      (.user, user.isNull ? .null : (try? parameter.value(accepting: user)) ?? .null),
      (.default, parameter.defaultValue),
    ]
  }

  /// Returns the exact place of a setting's value in a source, and the reason why a value there is not used.
  func origin(_ source: Source, _ area: String, _ parameter: Parameter) -> Origin {
    switch source {
    case .flag: return Origin()
    case .default: return Origin(place: "declaration")
    case .environment:
      let (variable, value) = variable(setting: area, parameter)
      return Origin(place: variable, problem: Self.problem(with: value, for: parameter))
    case .user:
      let value = (try? load().get())?[area]?[parameter.name] ?? .null
      let bytes = value.isNull ? nil : try? HostFile.read(path, limit: Self.largest)
      return Origin(
        place: path, line: bytes.flatMap { JSONReader.line(of: [area, parameter.name], in: $0) },
        problem: Self.problem(with: value, for: parameter))
    }
  }

  /// The place of a setting's value in a source.
  struct Origin: Sendable, Hashable {
    /// The file, variable or option; empty if the source cannot have the setting.
    var place = ""
    /// The line in the file, counted from 1; nil if it is not there.
    var line: Int?
    /// The reason why the value is not used; nil if it is, or if there is none.
    var problem: String?
  }

  private static func problem(with value: Value, for parameter: Parameter) -> String? {
    if value.isNull { return nil }
    do throws(ParameterError) {
      _ = try parameter.value(accepting: value)
      return nil
    } catch {
      return error.description
    }
  }

  /// Stores a value; null removes the user's value.
  ///
  /// - Throws: ``SettingsError``, ``HostFileError`` or a `ParameterError`.
  func set(_ area: String, _ parameter: Parameter, to value: Value) throws {
    let accepted = value.isNull ? nil : try parameter.value(accepting: value)
    try change(area) { $0[parameter.name] = accepted }
  }

  /// Returns the undeclared settings of the file, as `area.name`.
  func undeclared(_ declared: [String: [Parameter]]) -> [String] {
    guard let record = try? load().get() else { return [] }
    return record.fields.flatMap { area in
      (area.value.record?.names ?? []).filter { name in
        declared[area.name]?.contains { $0.name == name } != true
      }.map { area.name + "." + $0 }
    }
  }

  /// Returns the value of a setting in the file, declared or not.
  func stored(_ area: String, _ name: String) -> Value? {
    (try? load().get())?[area]?.record?[name]
  }

  private func fromEnvironment(_ area: String, _ parameter: Parameter) -> Value {
    let value = variable(setting: area, parameter).value
    return value.isNull ? .null : (try? parameter.value(accepting: value)) ?? .null
  }

  /// Returns the variable that sets a setting, and its value; null if it is not set.
  ///
  /// - Source: no-color.org; a terminal without cursor control is named `dumb` in terminfo(5).
  private func variable(setting area: String, _ parameter: Parameter) -> (name: String, value: Value) {
    if area == HostSettings.area {
      if parameter.name == "color", environment["NO_COLOR"]?.isEmpty == false { return ("NO_COLOR", "never") }
      if parameter.name == "plain", environment["TERM"] == "dumb" { return ("TERM", true) }
    }
    let name = Self.variable(area, parameter.name)
    return (name, environment[name].map { Self.value(ofVariable: $0, for: parameter) } ?? .null)
  }

  /// Returns the text of a variable as a value: a flag is also set by 1, 0, on and off, and not by an empty text.
  private static func value(ofVariable text: String, for parameter: Parameter) -> Value {
    guard case .flag = parameter.kind else { return .text(text) }
    switch text.lowercased() {
    case "1", "on", "true", "yes": return true
    case "0", "off", "false", "no": return false
    case "": return .null
    default: return .text(text)
    }
  }

  private func change(_ area: String, _ edit: (inout Record) -> Void) throws {
    try content.withLock { content in
      let changed = try HostFile.whileAlone(with: path) {
        // Read again: another process may have changed the file in the meantime.
        var record = try Self.read(path).get()
        var fields = record[area]?.record ?? Record()
        edit(&fields)
        record[area] = fields.isEmpty ? nil : .record(fields)
        try HostFile.write(JSONWriter.bytes(of: .record(record), indentation: 2) + [0x0A], to: path)
        return Content(state: FileState(path), record: .success(record))
      }
      content = changed
    }
  }

  private func load() -> Result<Record, ErrorReport> {
    content.withLock { content in
      // Examined before it is read, so that a concurrent write is noticed the next time.
      let state = FileState(path)
      if let content, content.state == state { return content.record }
      let loaded = Self.read(path)
      content = Content(state: state, record: loaded)
      return loaded
    }
  }

  private static func read(_ path: String) -> Result<Record, ErrorReport> {
    let bytes: [UInt8]
    do {
      bytes = try HostFile.read(path, limit: largest)
    } catch {
      if case .cannot(_, _, code: let code) = error, [ENOENT, ENOTDIR].contains(code) { return .success(Record()) }
      return .failure(error.report)
    }
    do {
      let value = try JSONReader.read(bytes)
      guard let record = value.record else { return .failure(SettingsError.notAnObject(path: path)) }
      if let area = record.fields.first(where: { $0.value.record == nil }) {
        return .failure(SettingsError.areaNotAnObject(path: path, area: area.name))
      }
      return .success(record)
    } catch {
      return .failure(SettingsError.notJSON(path: path, error))
    }
  }
}

/// An error in the settings.
enum SettingsError {
  static let brokenFile = DeclaredError(
    "host.broken-settings", .unusableInput, "settings.json is damaged; correct it or move it away")
  private static func broken(_ message: String, _ error: JSONError? = nil) -> ErrorReport {
    brokenFile(
      message, advice: "correct the file or move it away",
      details: ["line": .optional(error?.line), "column": .optional(error?.column)])
  }
  /// The file is not a JSON document.
  static func notJSON(path: String, _ error: JSONError) -> ErrorReport {
    broken("'\(path)', line \(error.line), column \(error.column): \(error.problem)", error)
  }
  /// The file holds something other than an object.
  static func notAnObject(path: String) -> ErrorReport { broken("'\(path)' does not contain a JSON object") }
  /// An area of the file is something other than an object.
  static func areaNotAnObject(path: String, area: String) -> ErrorReport {
    broken("'\(area)' in '\(path)' is not a JSON object")
  }
  static let unknownSetting = DeclaredError("host.unknown-setting", .notFound, "there is no setting with this name")
  static func unknown(_ name: String, known: [String]) -> ErrorReport {
    unknownSetting(
      "there is no setting '\(name)'",
      advice: Suggestion.advice(for: name, in: known) ?? "list all settings with 'workbench config list'")
  }
  static let unfitting = DeclaredError("host.unfitting-setting", .usage, "the value does not fit the setting")
}

extension Settings {
  /// Stores a setting of a plugin.
  ///
  /// - Throws: ``SettingsError`` if the plugin declares no such setting, the value does not fit or the file is broken.
  func set(_ name: String, to value: Value, of contributions: StoredContributions) throws {
    let area = contributions.plugin.id
    guard let parameter = contributions.settings.first(where: { $0.name == name }) else {
      throw SettingsError.unknown(area + "." + name, known: contributions.settings.map { area + "." + $0.name })
    }
    do {
      try set(area, parameter, to: value)
    } catch let error as ParameterError {
      throw SettingsError.unfitting(error.description)
    }
  }
}
