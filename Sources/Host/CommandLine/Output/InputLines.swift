import Glibc
import PluginAPI
import Synchronization

/// Reads lines that a command asks for from standard input, on a thread of its own.
enum InputLines {
  /// The longest line taken, in bytes.
  private static let longest = 1 << 16

  /// The next line without its end.
  ///
  /// - Parameters:
  ///   - isShown: Whether a terminal shows what is typed.
  ///   - sink: Where the line feed goes that the user typed unseen.
  /// - Returns: The line; nil at the end of the input.
  /// - Throws: `CancellationError` soon after the task was cancelled, with the terminal as it was.
  static func line(isShown: Bool, _ sink: ByteSink?) async throws -> String? {
    let flag = CancelFlag()
    let bytes = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        queue.async { continuation.resume(returning: read(isShown: isShown, flag)) }
      }
    } onCancel: {
      flag.set()
    }
    if !isShown, let sink {
      try? sink.write("\n")
      try? sink.flush()
    }
    try Task.checkCancellation()
    return bytes.map { String(decoding: $0, as: UTF8.self) }
  }

  private static let queue = WorkQueue("workbench.input")

  /// Reads one byte at a time: what follows the line belongs to somebody else.
  private static func read(isShown: Bool, _ flag: CancelFlag) -> [UInt8]? {
    var before = termios()
    let hides = !isShown && tcgetattr(STDIN_FILENO, &before) == 0
    if hides {
      var hidden = before
      hidden.c_lflag &= ~UInt32(ECHO)
      tcsetattr(STDIN_FILENO, TCSANOW, &hidden)
    }
    defer { if hides { tcsetattr(STDIN_FILENO, TCSANOW, &before) } }
    var bytes: [UInt8] = []
    while !flag.isSet {
      var watched = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
      // Short enough to give the terminal back before an interrupt ends the process.
      guard poll(&watched, 1, 20) > 0 else { continue }
      var byte: UInt8 = 0
      let count = Glibc.read(STDIN_FILENO, &byte, 1)
      if count < 0, errno == EINTR || errno == EAGAIN { continue }
      if count <= 0 { return bytes.isEmpty ? nil : bytes }
      if byte == UInt8(ascii: "\n") { break }
      bytes.append(byte)
      if bytes.count >= longest { break }
    }
    if flag.isSet { return nil }
    if bytes.last == UInt8(ascii: "\r") { bytes.removeLast() }
    return bytes
  }
}

/// Whether somebody gave up.
private final class CancelFlag: Sendable {
  private let value = Mutex(false)
  var isSet: Bool { value.withLock { $0 } }
  func set() { value.withLock { $0 = true } }
}
