internal import Glibc

/// Takes what gives the terminal back when the process can no longer do it in order: the crash handler.
protocol RestoreSink: Sendable {
  /// Keeps the bytes to write and the line settings to set on a terminal.
  func setRestore(_ sequence: [UInt8], attributes: termios, fileDescriptor: Int32)

  /// Forgets them: the terminal was given back.
  func clearRestore()
}

/// Keeps nothing.
struct NoRestoreSink: RestoreSink {
  func setRestore(_ sequence: [UInt8], attributes: termios, fileDescriptor: Int32) {}
  func clearRestore() {}
}
