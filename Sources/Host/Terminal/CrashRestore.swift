internal import CHost
internal import Glibc

/// Keeps for the crash handler what gives the terminal back when the process can no longer do it in order.
enum CrashRestore {
  /// Keeps the bytes to write and the line settings to set on a terminal, and sees to it that crashes are caught.
  static func set(_ sequence: [UInt8], attributes: termios, fileDescriptor: Int32) {
    var attributes = attributes
    _ = chost_crash_set_restore(fileDescriptor, sequence, sequence.count, &attributes)
    chost_crash_install()
  }

  /// Starts the process that restores the terminal when this one is killed or stopped by others; before ``set(_:attributes:fileDescriptor:)``.
  static func startRescue(fileDescriptor: Int32) { chost_rescue_start(fileDescriptor) }

  /// Forgets them: the terminal was given back.
  static func clear() { chost_crash_clear_restore() }
}
