import Glibc
import PluginAPI
import Synchronization

/// The lines that were entered: those of this shell and of earlier ones, oldest first.
///
/// The file has an entry per line, in which `\n` stands for a line feed and `\\` for a backslash. Shells append to it
/// at once, so that two at the same time lose nothing and a killed one neither. It is read when the user first looks
/// back.
final class ShellHistory: Sendable {
  /// A movement of the user.
  enum Move: Sendable {
    case newest, oldest, newer, older, present
  }

  /// The number of entries that are kept.
  static let limit = 10_000
  /// The number of entries above the limit at which the file is shortened.
  private static let slack = 1_000
  /// The number of lines that are appended between two looks at their number.
  private static let appendsPerLook = 100
  /// The longest entry that goes into the file, in bytes.
  static let longestEntry = 1 << 14
  private static let longestFile = 1 << 26

  private struct State {
    /// The entries; nil until the file is read.
    var entries: [String]?
    /// The entries of this shell that were added before the file was read.
    var added: [String] = []
    var index = 0
    /// True once the file could not be written, which is reported once.
    var isBroken = false
    /// The number of lines that this shell appended.
    var appendCount = 0
  }

  private let path: String
  private let state = Mutex(State())

  /// Creates the history of a file, which need not exist.
  init(path: String) { self.path = path }

  /// The file of the history in a folder for state.
  static func path(in stateFolder: String) -> String { stateFolder + "/shell-history" }

  /// Moves in the history.
  ///
  /// - Returns: The entry there; nil if there is none, and then the position stays.
  func move(_ move: Move) -> String? {
    state.withLock { state in
      let entries = load(&state)
      let index =
        switch move {
        case .newest: entries.count - 1
        case .oldest: 0
        case .newer: state.index + 1
        case .older: state.index - 1
        case .present: state.index
        }
      guard entries.indices.contains(index) else { return nil }
      state.index = index
      return entries[index]
    }
  }

  /// Adds a line as the newest entry; one that is equal moves there.
  ///
  /// - Parameter isStored: True to add it to the file, too; false for a line with personal data.
  /// - Throws: ``HostFileError`` the first time that the file cannot be written.
  func add(_ line: String, isStored: Bool) throws {
    if line.isEmpty { return }
    let isBroken = state.withLock { state in
      if var entries = state.entries {
        state.entries = nil
        entries.removeAll { $0 == line }
        entries.append(line)
        state.entries = entries
      } else {
        state.added.append(line)
      }
      return state.isBroken
    }
    guard isStored, !isBroken, line.utf8.count <= Self.longestEntry else { return }
    do {
      try HostFile.whileAlone(with: path, patienceInSeconds: 1) { try append(line) }
    } catch {
      state.withLock { $0.isBroken = true }
      throw error
    }
  }

  private func append(_ line: String) throws(HostFileError) {
    let descriptor = try HostFile.open(path, O_RDWR | O_CREAT | O_APPEND, named: path)
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { throw .special(path) }
    if status.st_mode & 0o077 != 0 { fchmod(descriptor, 0o600) }
    let failure = HostFile.writeAll(Array((Self.escaped(line) + "\n").utf8), to: descriptor)
    if failure != 0 { throw .cannot(.write, path, code: failure) }
    let appendCount = state.withLock { state in
      defer { state.appendCount += 1 }
      return state.appendCount
    }
    if appendCount % Self.appendsPerLook == 0, Int(status.st_size) > Self.limit { try shorten() }
  }

  private func shorten() throws(HostFileError) {
    let entries = try Self.read(path)
    guard entries.lineCount > Self.limit + Self.slack else { return }
    let text = entries.distinct.map { Self.escaped($0) + "\n" }.joined()
    try HostFile.write(Array(text.utf8), to: path, isDurable: false)
  }

  /// Returns the entries, read from the file at the first call.
  private func load(_ state: inout State) -> [String] {
    if let entries = state.entries { return entries }
    let stored = (try? Self.read(path))?.distinct ?? []
    // Stored lines of this shell are in the file already.
    let entries = Self.distinct(stored + state.added)
    (state.entries, state.added, state.index) = (entries, [], entries.count)
    return entries
  }

  /// Reads a file; one that is missing is empty.
  ///
  /// - Returns: The number of lines, and the newest distinct entries.
  private static func read(_ path: String) throws(HostFileError) -> (lineCount: Int, distinct: [String]) {
    var status = stat()
    guard stat(path, &status) == 0 else { return (0, []) }
    guard status.st_mode & S_IFMT == S_IFREG else { throw .special(path) }
    let lines = try HostFile.read(path, limit: longestFile).split(separator: UInt8(ascii: "\n"))
    return (lines.count, distinct(lines.map { unescaped(String(decoding: $0, as: UTF8.self)) }))
  }

  /// Returns the last occurrence of each entry, at most as many as are kept.
  private static func distinct(_ entries: [String]) -> [String] {
    var seen: Set<String> = []
    var newestFirst: [String] = []
    for entry in entries.reversed() where newestFirst.count < limit {
      if seen.insert(entry).inserted { newestFirst.append(entry) }
    }
    return newestFirst.reversed()
  }

  /// Returns an entry as a line of the file.
  static func escaped(_ entry: String) -> String {
    var line = String.UnicodeScalarView()
    for scalar in entry.unicodeScalars {
      switch scalar {
      case "\\": line.append(contentsOf: "\\\\".unicodeScalars)
      case "\n": line.append(contentsOf: "\\n".unicodeScalars)
      default: line.append(scalar)
      }
    }
    return String(line)
  }

  /// Returns the entry of a line of the file.
  static func unescaped(_ line: String) -> String {
    var entry = String.UnicodeScalarView()
    var isEscaped = false
    for scalar in line.unicodeScalars {
      if isEscaped {
        entry.append(scalar == "n" ? "\n" : scalar)
        isEscaped = false
      } else if scalar == "\\" {
        isEscaped = true
      } else {
        entry.append(scalar)
      }
    }
    return String(entry)
  }
}
