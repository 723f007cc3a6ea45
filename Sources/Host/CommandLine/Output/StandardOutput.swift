internal import CHost
import Glibc
import PluginAPI
import Synchronization

/// The process's standard output, separated from text printed by plugins.
enum StandardOutput {
  /// A duplicate of the descriptor 1 the process was started with: results go there, whatever descriptor 1 is now.
  static var descriptor: Int32 { chost_standard_output() }

  private static let printed = Mutex<PrintedText?>(nil)

  /// Returns true if a path names standard output.
  ///
  /// Plugins cannot open it by name, as their descriptor 1 leads to the log.
  static func isNamed(_ path: String) -> Bool {
    ["-", "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"].contains(path)
  }

  /// Redirects further output to descriptor 1 into the log; once per process.
  static func divert(to log: HostLog) {
    printed.withLock { printed in
      guard printed == nil else { return }
      let descriptor = chost_divert_standard_output()
      guard descriptor >= 0 else {
        return log.write(.error, from: "host", "text printed by plugins may appear in results")
      }
      printed = PrintedText(descriptor, log: log)
    }
  }

  /// Logs the text printed so far, before the process ends.
  static func logRemaining() {
    printed.withLock { $0 }?.logRemaining()
  }
}

/// The text that plugins print, read from a pipe and logged line by line.
private final class PrintedText: Sendable {
  private let descriptor: Int32
  private let log: HostLog
  private let unfinishedLine = Mutex<[UInt8]>([])
  private let source: WorkSource
  /// The length in bytes at which a line is split in the log.
  private static let longestLine = 4096
  /// The number of chunks of 4096 bytes that a pipe holds.
  private static let chunksInPipe = 16

  init(_ descriptor: Int32, log: HostLog) {
    self.descriptor = descriptor
    self.log = log
    source = WorkSource(.readable(descriptor), on: WorkQueue("workbench.printed"))
    source.start { [weak self] in self?.read() }
  }

  func logRemaining() {
    read()
    unfinishedLine.withLock { line in
      if !line.isEmpty { write(line) }
      line = []
    }
  }

  /// Logs the lines that are in the pipe now, at most as many as it holds: a plugin may print without end.
  private func read() {
    unfinishedLine.withLock { line in
      var chunk = [UInt8](repeating: 0, count: 4096)
      for _ in 0..<Self.chunksInPipe {
        let count = Glibc.read(descriptor, &chunk, chunk.count)
        guard count > 0 else { return }
        for byte in chunk[..<count] {
          if byte != UInt8(ascii: "\n") { line.append(byte) }
          guard byte == UInt8(ascii: "\n") || line.count == Self.longestLine else { continue }
          write(line)
          line.removeAll(keepingCapacity: true)
        }
      }
    }
  }

  private func write(_ line: [UInt8]) {
    log.write(.note, from: CrashJournal.latestPlugin ?? "plugins", "printed: " + String(decoding: line, as: UTF8.self))
  }
}

/// A buffered writer of bytes to standard output or error.
final class ByteSink: Sendable {
  private struct Target {
    /// The descriptor; nil to keep the bytes in memory.
    var descriptor: Int32?
    /// A Boolean value indicating whether a person sees the bytes if the sink is on a terminal.
    var isTerminal = true
    var pending: [UInt8] = []
  }

  /// The targets; the last one receives the bytes.
  private let targets: Mutex<[Target]>
  private let standardIsTerminal: Bool
  private static let capacity = 1 << 16

  /// Creates a sink on an open file descriptor; nil keeps everything in memory.
  ///
  /// - Parameter isTerminal: True if a person sees the bytes; nil to ask the system.
  init(descriptor: Int32?, isTerminal: Bool? = nil) {
    targets = Mutex([Target(descriptor: descriptor)])
    standardIsTerminal = isTerminal ?? descriptor.map { isatty($0) == 1 } ?? false
  }

  /// A Boolean value indicating whether a person sees the bytes.
  var isTerminal: Bool { standardIsTerminal && targets.withLock { $0.allSatisfy(\.isTerminal) } }

  /// Adds bytes; they are written when there are enough.
  ///
  /// - Throws: ``OutputError``.
  func write(_ bytes: [UInt8]) throws(OutputError) {
    let isFull = targets.withLock { targets in
      targets[targets.count - 1].pending += bytes
      return targets[targets.count - 1].pending.count >= Self.capacity
    }
    if isFull { try flush() }
  }

  /// Adds a text.
  func write(_ text: String) throws(OutputError) {
    try write(Array(text.utf8))
  }

  /// Writes the pending bytes.
  func flush() throws(OutputError) {
    // The lock is held while writing, so that bytes of two tasks keep their order.
    let failure = targets.withLock { targets -> Int32 in
      let last = targets.count - 1
      guard let descriptor = targets[last].descriptor else { return 0 }
      defer { targets[last].pending.removeAll(keepingCapacity: true) }
      return HostFile.writeAll(targets[last].pending, to: descriptor)
    }
    if failure == EPIPE { throw .closedPipe }
    if failure != 0 { throw .failed(code: failure) }
  }

  /// Sends all bytes to a file until ``endRedirection()``.
  ///
  /// - Parameter isTerminal: True if they are shown on the terminal later.
  func redirect(to file: Int32, isTerminal: Bool = false) throws(OutputError) {
    try flush()
    targets.withLock { $0.append(Target(descriptor: file, isTerminal: isTerminal)) }
  }

  /// Writes the pending bytes, and sends further ones to the target before the last redirection.
  func endRedirection() throws(OutputError) {
    defer { targets.withLock { if $0.count > 1 { $0.removeLast() } } }
    try flush()
  }

  /// Removes and returns the bytes of a sink in memory.
  func take() -> [UInt8] {
    targets.withLock { targets in
      defer { targets[0].pending = [] }
      return targets[0].pending
    }
  }

  /// The bytes of a sink in memory as text.
  var contents: String { String(decoding: targets.withLock { $0.first?.pending ?? [] }, as: UTF8.self) }
}

/// An error in writing results.
enum OutputError: Error, Equatable, ReportableError {
  /// The reader closed the pipe; the program ends silently with status 141.
  case closedPipe
  /// Writing failed with this error number.
  case failed(code: Int32)
  /// Binary data would go to a terminal.
  case binaryOnTerminal

  var report: ErrorReport {
    switch self {
    case .closedPipe:
      ErrorReport(code: "host.closed-pipe", kind: .failure, "the reader of standard output closed the pipe")
    case .failed(let code):
      ErrorReport(
        code: "host.output-failed", kind: .failure,
        "cannot write the result: "
          + (code == EBADF ? "standard output is closed" : String(cString: strerror(code))),
        advice: code == ENOSPC
          ? "free some space on the device" : code == EBADF ? "redirect it to a file, or to /dev/null" : nil)
    case .binaryOnTerminal:
      ErrorReport(
        code: "host.binary-on-terminal", kind: .refused, "binary data is not written to a terminal",
        advice: "redirect it, name a file with '--output', or give '--yes'")
    }
  }
}
