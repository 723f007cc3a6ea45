internal import CHost
internal import Glibc

/// The data with which the crash handler restores the terminal when the process can no longer do it.
enum CrashRestore {
  /// Stores the bytes to write and the line settings to restore on a terminal, and installs the crash handler.
  static func set(_ sequence: [UInt8], attributes: termios, fileDescriptor: Int32) {
    var attributes = attributes
    _ = chost_crash_set_restore(fileDescriptor, sequence, sequence.count, &attributes)
    chost_crash_install()
  }

  /// The time from full screen to the start of the rescue process.
  ///
  /// Copying the process earlier would delay the first frame.
  private static let rescueDelayInSeconds = 0.25
  private static let rescueQueue = WorkQueue("workbench.rescue")

  /// Starts the process that restores the terminal when this one is killed or stopped by others, shortly afterwards and
  /// on another thread; call it before ``set(_:attributes:fileDescriptor:)``.
  static func startRescue(fileDescriptor: Int32) {
    let terminal = chost_rescue_prepare(fileDescriptor)
    guard terminal >= 0 else { return }
    rescueQueue.async(afterSeconds: rescueDelayInSeconds) { chost_rescue_start(terminal) }
  }

  /// Clears them after the terminal was restored.
  static func clear() { chost_crash_clear_restore() }
}
