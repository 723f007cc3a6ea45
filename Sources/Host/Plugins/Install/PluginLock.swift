import Glibc
import PluginAPI

/// The plugins that the user installed, enabled and disabled: the file `plugins/plugins.lock`.
///
/// The file has one line per plugin, with fields separated by tabs and `-` for none: id, `enabled` or `disabled`,
/// version, SHA-256, file, date, source, SHA-256 of the list of files, key, name of the source, `pinned`. A line with
/// `previous` is the version before. Replacing the file switches from one version to another.
struct PluginLock: Sendable, Hashable {
  /// A version that is or was installed.
  struct Release: Sendable, Hashable {
    var version: String?
    /// SHA-256 of the library or manifest in hexadecimal digits, when it was installed or enabled.
    var hash: String?
    /// The path of the library or manifest.
    var file: String?
    /// The date of installation, ISO 8601.
    var date: String?
    /// The path or address it was installed from; nil if the program did not install it.
    var source: String?
    /// SHA-256 of the list of its files; see ``InstalledFiles``.
    var contents: String?
    /// The public key of its signature; nil if it is unsigned.
    var key: String?
    /// The name of the source whose index lists it; nil if it was a file.
    var index: String?
  }

  /// The entry of a plugin.
  struct Entry: Sendable, Hashable {
    var id: String
    var isEnabled: Bool
    /// A Boolean value indicating whether upgrades skip the plugin.
    var isPinned = false
    var release = Release()
    /// The version before, which is still there; nil if there is none.
    var previous: Release?

    /// Returns the folder of the used version, one of those in the plugin's own folder; nil if its files are in that
    /// itself.
    func versionFolder(in own: String) -> String? {
      guard let folder = release.file.map(FilePath.folder(of:)), FilePath.folder(of: folder) == own else { return nil }
      return folder
    }
  }

  private static let heading =
    "# workbench plugins: id, state, version, sha256, file, date, source, sha256 of the list of files, key, index, pin"

  /// The file.
  let path: String
  /// The entries by id.
  private(set) var entries: [String: Entry] = [:]

  /// Reads the file; a line that cannot be read is left out.
  init(data: String) {
    path = Self.file(data: data)
    guard let (bytes, _) = try? FileTrust.read(path), bytes.count < 1 << 20 else { return }
    for line in String(decoding: bytes, as: UTF8.self).split(separator: "\n") where !line.hasPrefix("#") {
      read(String(line))
    }
  }

  subscript(id: String) -> Entry? {
    get { entries[id] }
    set { entries[id] = newValue }
  }

  /// Reads, changes and writes the file, while no other process does the same; without a change it is not written.
  ///
  /// - Returns: The result of the change.
  static func change<Result>(data: String, _ edit: (inout PluginLock) throws -> Result) throws -> Result {
    try HostFile.whileAlone(with: PluginLock.file(data: data)) {
      let before = PluginLock(data: data)
      var lock = before
      let result = try edit(&lock)
      if lock != before { try lock.save() }
      return result
    }
  }

  private static func file(data: String) -> String { data + "/plugins/plugins.lock" }

  private func save() throws(HostFileError) {
    let lines = entries.values.sorted { $0.id < $1.id }.flatMap(Self.lines)
    let text = ([Self.heading] + lines).joined(separator: "\n") + "\n"
    try HostFile.write(Array(text.utf8), to: path, makesFolder: true)
  }

  private static let previousState = "previous"

  private static func lines(_ entry: Entry) -> [String] {
    let state = entry.isEnabled ? "enabled" : "disabled"
    let line = Self.line(entry.id, state, entry.release, entry.isPinned ? "pinned" : nil)
    return [line] + (entry.previous.map { [Self.line(entry.id, previousState, $0, nil)] } ?? [])
  }

  private static func line(_ id: String, _ state: String, _ release: Release, _ pin: String?) -> String {
    let fields: [String?] = [
      id, state, release.version, release.hash, release.file, release.date, release.source, release.contents,
      release.key, release.index, pin,
    ]
    return FieldText.line(fields)
  }

  /// Reads a line; earlier versions of the program wrote the first seven fields only.
  private mutating func read(_ line: String) {
    var fields = FieldText.fields(of: line)
    guard fields.count == 7 || fields.count == 11, let id = fields[0], PluginID.objection(to: id) == nil,
      let state = fields[1]
    else { return }
    fields += [String?](repeating: nil, count: 11 - fields.count)
    let release = Release(
      version: fields[2], hash: fields[3], file: fields[4], date: fields[5], source: fields[6], contents: fields[7],
      key: fields[8], index: fields[9])
    if state == Self.previousState {
      entries[id]?.previous = release
    } else {
      entries[id] = Entry(id: id, isEnabled: state == "enabled", isPinned: fields[10] != nil, release: release)
    }
  }
}

/// Texts in fields separated by tabs and line ends.
enum FieldText {
  /// Returns a line of fields, with `-` for none.
  static func line(_ fields: [String?]) -> String {
    fields.map { $0.map(escaped) ?? "-" }.joined(separator: "\t")
  }

  /// Returns the fields of a line.
  static func fields(of line: String) -> [String?] {
    line.split(separator: "\t", omittingEmptySubsequences: false).map { $0 == "-" ? nil : plain(String($0)) }
  }

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
    var remaining = ArraySlice(Array(text.utf8))
    while let byte = remaining.popFirst() {
      let digits = remaining.prefix(2).compactMap { Character(Unicode.Scalar($0)).hexDigitValue }
      if byte == 0x25, digits.count == 2 {
        result.append(UInt8(16 * digits[0] + digits[1]))
        remaining = remaining.dropFirst(2)
      } else {
        result.append(byte)
      }
    }
    return String(decoding: result, as: UTF8.self)
  }
}
