import Glibc
import PluginAPI
import Synchronization

/// Takes bytes for standard output or error, gathers them and writes them in few system calls.
final class ByteSink: Sendable {
  private let descriptor: Int32?
  private let pending = Mutex<[UInt8]>([])
  private static let capacity = 1 << 16

  /// Whether a person looks at it.
  let isTerminal: Bool

  /// Creates a sink on an open file descriptor; nil keeps everything in memory.
  ///
  /// - Parameter isTerminal: Whether a person looks at it; nil to ask the system.
  init(descriptor: Int32?, isTerminal: Bool? = nil) {
    self.descriptor = descriptor
    self.isTerminal = isTerminal ?? descriptor.map { isatty($0) == 1 } ?? false
  }

  /// Adds bytes; they are written when enough are there.
  ///
  /// - Throws: ``OutputError``.
  func write(_ bytes: [UInt8]) throws(OutputError) {
    let isFull = pending.withLock { pending in
      pending += bytes
      return pending.count >= Self.capacity
    }
    if isFull { try flush() }
  }

  /// Adds a text.
  func write(_ text: String) throws(OutputError) {
    try write(Array(text.utf8))
  }

  /// Writes what was gathered.
  func flush() throws(OutputError) {
    guard let descriptor else { return }
    // The lock is held while writing, so that bytes of two tasks keep their order.
    let failure = pending.withLock { pending in
      defer { pending.removeAll(keepingCapacity: true) }
      return HostFile.writeAll(pending, to: descriptor)
    }
    if failure == EPIPE { throw .closedPipe }
    if failure != 0 { throw .failed(code: failure) }
  }

  /// What was written, for a sink in memory.
  var contents: String { pending.withLock { String(decoding: $0, as: UTF8.self) } }
}

/// Why results could not be written.
enum OutputError: Error, Equatable, ReportableError {
  /// The reader of the pipe is gone; the program ends without a word, with status 141.
  case closedPipe
  /// Writing failed with this error number.
  case failed(code: Int32)

  var report: ErrorReport {
    switch self {
    case .closedPipe:
      ErrorReport(code: "host.closed-pipe", kind: .failure, "the reader of standard output is gone")
    case .failed(let code):
      ErrorReport(
        code: "host.output-failed", kind: .failure,
        "the result cannot be written: "
          + (code == EBADF ? "standard output is closed" : String(cString: strerror(code))),
        advice: code == ENOSPC
          ? "make room on the device" : code == EBADF ? "redirect it to a file, or to /dev/null" : nil)
    }
  }
}
