import Glibc
import PluginAPI
import Synchronization

/// The lines that were entered: those of this shell and of earlier ones, oldest first.
///
/// The file has an entry per line, in which `\n` stands for a line feed and `\\` for a backslash. Shells append to it
/// immediately, so that neither concurrent nor killed shells lose lines. It is read when the user first looks back.
final class ShellHistory: Sendable {
  /// A movement of the user.
  enum Move: Sendable {
    case newest, oldest, newer, older, present
  }

  /// The number of entries that are kept.
  static let limit = 10_000
  /// The number of entries above the limit at which the file is shortened.
  private static let slack = 1_000
  /// The number of lines appended between two counts of all lines.
  private static let appendsPerLook = 100
  /// The longest entry that goes into the file, in bytes.
  static let longestEntry = 1 << 14
  /// The part of a file that is read, in bytes: its end.
  private static let longestFile = 1 << 26
  /// The number of lines that wait for a file that others write.
  private static let mostWaiting = 1_000

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
    /// The lines that could not be stored while another shell wrote, oldest first.
    var waiting: [String] = []
  }

  private let path: String
  private let longestFile: Int
  private let patienceInSeconds: Double
  private let state = Mutex(State())

  /// Creates the history of a file, which need not exist.
  ///
  /// - Parameters:
  ///   - longestFile: The part of the file that is read, in bytes: its end.
  ///   - patienceInSeconds: The time to wait for another shell that writes.
  init(path: String, longestFile: Int = ShellHistory.longestFile, patienceInSeconds: Double = 1) {
    (self.path, self.longestFile, self.patienceInSeconds) = (path, longestFile, patienceInSeconds)
  }

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
  /// While another shell writes, it waits for the next line.
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
    let lines = state.withLock { state in
      state.waiting = Array((state.waiting + [line]).suffix(Self.mostWaiting))
      defer { state.waiting = [] }
      return state.waiting
    }
    do {
      try HostFile.whileAlone(with: path, patienceInSeconds: patienceInSeconds) { try append(lines) }
    } catch HostFileError.cannot(.write, _, code: EWOULDBLOCK) {
      state.withLock { $0.waiting = lines + $0.waiting }
    } catch {
      state.withLock { $0.isBroken = true }
      throw error
    }
  }

  private func append(_ lines: [String]) throws(HostFileError) {
    let descriptor = try HostFile.open(path, O_RDWR | O_CREAT | O_APPEND, named: path)
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { throw .special(path) }
    if status.st_mode & 0o077 != 0 { fchmod(descriptor, 0o600) }
    // A shell that was killed may have left a part of a line.
    let size = Int(status.st_size)
    let last = size == 0 ? [] : try HostFile.read(descriptor, at: size - 1, count: 1, named: path)
    let isCut = !last.isEmpty && last != [0x0A]
    let text = (isCut ? "\n" : "") + lines.map { Self.escaped($0) + "\n" }.joined()
    let failure = HostFile.writeAll(Array(text.utf8), to: descriptor)
    if failure != 0 { throw .cannot(.write, path, code: failure) }
    let appendCount = state.withLock { state in
      defer { state.appendCount += 1 }
      return state.appendCount
    }
    if appendCount % Self.appendsPerLook == 0, size > Self.limit { try shorten() }
  }

  private func shorten() throws(HostFileError) {
    let entries = try read()
    guard entries.isCut || entries.lineCount > Self.limit + Self.slack else { return }
    let text = entries.distinct.map { Self.escaped($0) + "\n" }.joined()
    try HostFile.write(Array(text.utf8), to: path, isDurable: false)
  }

  /// Returns the entries, read from the file at the first call.
  private func load(_ state: inout State) -> [String] {
    if let entries = state.entries { return entries }
    let stored = (try? read())?.distinct ?? []
    // Stored lines of this shell are in the file already.
    let entries = Self.distinct(stored + state.added)
    (state.entries, state.added, state.index) = (entries, [], entries.count)
    return entries
  }

  /// Reads the end of the file; one that is missing is empty.
  ///
  /// - Returns: The newest distinct entries, the number of lines, and whether earlier ones were not read.
  private func read() throws(HostFileError) -> (distinct: [String], lineCount: Int, isCut: Bool) {
    var status = stat()
    guard stat(path, &status) == 0 else { return ([], 0, false) }
    guard status.st_mode & S_IFMT == S_IFREG else { throw .special(path) }
    let descriptor = try HostFile.open(path, O_RDONLY)
    defer { close(descriptor) }
    guard fstat(descriptor, &status) == 0 else { throw .cannot(.read, path, code: errno) }
    let count = min(Int(status.st_size), longestFile)
    let start = Int(status.st_size) - count
    let bytes = try HostFile.read(descriptor, at: start, count: count, named: path)
    var lines = bytes.split(separator: UInt8(ascii: "\n"))
    // The first line may have begun earlier.
    if start > 0, !lines.isEmpty { lines.removeFirst() }
    let entries = Self.distinct(lines.map { Self.unescaped(String(decoding: $0, as: UTF8.self)) })
    return (entries, lines.count, start > 0)
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
