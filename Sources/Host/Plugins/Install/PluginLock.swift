import Glibc
import PluginAPI

/// The plugins that the user installed, enabled and disabled: the file `plugins/plugins.lock`.
///
/// The file has one line per plugin, with fields separated by tabs and `-` for none: id, `enabled` or `disabled`,
/// version, SHA-256, file, date, source.
struct PluginLock: Sendable, Hashable {
  /// The entry of a plugin.
  struct Entry: Sendable, Hashable {
    var id: String
    var isEnabled: Bool
    var version: String?
    /// SHA-256 of the library in hexadecimal digits, when it was installed or enabled.
    var hash: String?
    /// The library's path.
    var file: String?
    /// The date of installation, ISO 8601.
    var date: String?
    /// The origin of the installation; nil if the program did not install it.
    var source: String?
  }

  private static let heading = "# workbench plugins: id, state, version, sha256, file, date, source"

  /// The file.
  let path: String
  /// The entries by id.
  private(set) var entries: [String: Entry] = [:]

  /// Reads the file; a line that cannot be read is left out.
  init(data: String) {
    path = Self.file(data: data)
    guard let (bytes, _) = try? FileTrust.read(path), bytes.count < 1 << 20 else { return }
    for line in String(decoding: bytes, as: UTF8.self).split(separator: "\n") where !line.hasPrefix("#") {
      if let entry = Self.entry(String(line)) { entries[entry.id] = entry }
    }
  }

  subscript(id: String) -> Entry? {
    get { entries[id] }
    set { entries[id] = newValue }
  }

  /// Reads, changes and writes the file, while no other process does the same.
  ///
  /// - Returns: The result of the change.
  static func change<Result>(data: String, _ edit: (inout PluginLock) throws -> Result) throws -> Result {
    try HostFile.whileAlone(with: PluginLock.file(data: data)) {
      var lock = PluginLock(data: data)
      let result = try edit(&lock)
      try lock.save()
      return result
    }
  }

  private static func file(data: String) -> String { data + "/plugins/plugins.lock" }

  private func save() throws(HostFileError) {
    let lines = entries.values.sorted { $0.id < $1.id }.map(Self.line)
    let text = ([Self.heading] + lines).joined(separator: "\n") + "\n"
    try HostFile.write(Array(text.utf8), to: path, makesFolder: true)
  }

  private static func line(_ entry: Entry) -> String {
    let fields: [String?] = [
      entry.id, entry.isEnabled ? "enabled" : "disabled", entry.version, entry.hash, entry.file, entry.date,
      entry.source,
    ]
    return fields.map { $0.map(FieldText.escaped) ?? "-" }.joined(separator: "\t")
  }

  private static func entry(_ line: String) -> Entry? {
    let fields = line.split(separator: "\t", omittingEmptySubsequences: false).map {
      $0 == "-" ? nil : FieldText.plain(String($0))
    }
    guard fields.count == 7, let id = fields[0], PluginID.objection(to: id) == nil, let state = fields[1] else {
      return nil
    }
    return Entry(
      id: id, isEnabled: state == "enabled", version: fields[2], hash: fields[3], file: fields[4], date: fields[5],
      source: fields[6])
  }
}

/// Texts in fields separated by tabs and line ends.
enum FieldText {
  /// Returns the text with `%`, tab and line ends as `%` and two hexadecimal digits; a lone `-` too.
  static func escaped(_ text: String) -> String {
    if text == "-" { return "%2D" }
    var result: [UInt8] = []
    for byte in text.utf8 {
      switch byte {
      case 0x25: result += Array("%25".utf8)
      case 0x09: result += Array("%09".utf8)
      case 0x0A: result += Array("%0A".utf8)
      case 0x0D: result += Array("%0D".utf8)
      default: result.append(byte)
      }
    }
    return String(decoding: result, as: UTF8.self)
  }

  /// Returns the unescaped text.
  static func plain(_ text: String) -> String {
    var result: [UInt8] = []
    var rest = ArraySlice(Array(text.utf8))
    while let byte = rest.popFirst() {
      let digits = rest.prefix(2).compactMap { Character(Unicode.Scalar($0)).hexDigitValue }
      if byte == 0x25, digits.count == 2 {
        result.append(UInt8(16 * digits[0] + digits[1]))
        rest = rest.dropFirst(2)
      } else {
        result.append(byte)
      }
    }
    return String(decoding: result, as: UTF8.self)
  }
}
