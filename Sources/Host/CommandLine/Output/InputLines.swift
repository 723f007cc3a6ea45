import Glibc
import PluginAPI
import Synchronization

/// Reads lines and keys that a command asks for from standard input, on a thread of its own.
enum InputLines {
  /// The maximum length of a line, in bytes.
  private static let longest = 1 << 16
  /// Short enough to restore the terminal before an interrupt ends the process.
  private static let lookInMilliseconds: Int32 = 20

  /// Returns the next line without its end.
  ///
  /// - Parameters:
  ///   - isShown: True if a terminal shows what is typed.
  ///   - sink: The output for the line feed that the user typed without echo.
  /// - Returns: The line; nil at the end of the input.
  /// - Throws: `CancellationError` soon after the task was canceled, with the terminal as it was.
  static func line(isShown: Bool, _ sink: ByteSink?) async throws -> String? {
    let bytes = await onQueue { flag in
      if isShown { return read(flag) }
      return TerminalReading.withSettings({ $0.c_lflag &= ~UInt32(ECHO) }) { read(flag) }
    }
    if !isShown, let sink {
      try? sink.write("\n")
      try? sink.flush()
    }
    try Task.checkCancellation()
    return bytes.map { String(decoding: $0, as: UTF8.self) }
  }

  /// Waits for any key, which is not shown; Ctrl-C stays a signal.
  ///
  /// - Returns: True if one was pressed; false for a process in the background, and at the end of the input.
  /// - Throws: `CancellationError` soon after the task was canceled, with the terminal as it was.
  static func key() async throws -> Bool {
    let isPressed = await onQueue { flag in
      guard TerminalReading.isForeground else { return false }
      return TerminalReading.withSettings({ $0.c_lflag &= ~UInt32(ICANON | ECHO) }) { readKey(flag) }
    }
    try Task.checkCancellation()
    return isPressed
  }

  private static let queue = WorkQueue("workbench.input")

  private static func onQueue<Outcome: Sendable>(
    _ read: @escaping @Sendable (CancelFlag) -> Outcome
  ) async -> Outcome {
    let flag = CancelFlag()
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        queue.async { continuation.resume(returning: read(flag)) }
      }
    } onCancel: {
      flag.set()
    }
  }

  private static func isReadable(milliseconds: Int32) -> Bool {
    var watched = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
    return poll(&watched, 1, milliseconds) > 0
  }

  /// Reads one byte at a time: the bytes after the line belong to another reader.
  private static func read(_ flag: CancelFlag) -> [UInt8]? {
    var bytes: [UInt8] = []
    while !flag.isSet {
      guard isReadable(milliseconds: lookInMilliseconds) else { continue }
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

  /// Reads all that the terminal sends for a key at once: the rest of it is not for the shell.
  private static func readKey(_ flag: CancelFlag) -> Bool {
    while !flag.isSet {
      guard isReadable(milliseconds: lookInMilliseconds) else { continue }
      guard TerminalReading.isForeground else {
        poll(nil, 0, lookInMilliseconds)
        continue
      }
      let isPressed: Bool? = TerminalReading.alone {
        // It was a response of the terminal if it is gone by now.
        guard isReadable(milliseconds: 0) else { return nil }
        var bytes = [UInt8](repeating: 0, count: 64)
        let count = Glibc.read(STDIN_FILENO, &bytes, bytes.count)
        if count < 0, errno == EINTR || errno == EAGAIN { return nil }
        return isAnswer(bytes.prefix(max(0, count))) ? nil : count > 0
      }
      if let isPressed { return isPressed }
    }
    return false
  }

  /// Returns true for a late response of a terminal to a question about its abilities.
  private static func isAnswer(_ bytes: ArraySlice<UInt8>) -> Bool {
    bytes.count > 2 && ["\u{1B}[?", "\u{1B}[6;", "\u{1B}_", "\u{1B}P"].contains { bytes.starts(with: $0.utf8) }
  }
}

/// A flag that indicates cancellation.
private final class CancelFlag: Sendable {
  private let value = Mutex(false)
  var isSet: Bool { value.withLock { $0 } }
  func set() { value.withLock { $0 = true } }
}
