internal import CHost
internal import Glibc
import Synchronization

/// Exclusive access to the terminal on standard input, for commands that read from it.
enum TerminalReading {
  private static let turn = Mutex(())

  /// Runs a function while no one else reads from the terminal or changes its line settings.
  ///
  /// A response to one reader must not be taken for a key by another.
  static func alone<Outcome: Sendable>(_ body: () -> Outcome) -> Outcome { turn.withLock { _ in body() } }

  /// A Boolean value indicating whether the terminal may be accessed: a process in the background is stopped for it.
  static var isForeground: Bool {
    let group = tcgetpgrp(STDIN_FILENO)
    // A terminal that does not control this process does not stop it.
    return group < 0 || group == getpgrp()
  }

  /// Runs work with other line settings, which are restored even if the work fails or the process ends.
  static func withSettings<Outcome: Sendable>(
    _ change: (inout termios) -> Void, _ body: () -> Outcome
  ) -> Outcome {
    let isChanged = alone {
      var settings = termios()
      guard tcgetattr(STDIN_FILENO, &settings) == 0 else { return false }
      CrashRestore.set([], attributes: settings, fileDescriptor: STDIN_FILENO)
      chost_crash_restore_at_end(true)
      change(&settings)
      tcsetattr(STDIN_FILENO, TCSANOW, &settings)
      return true
    }
    guard isChanged else { return body() }
    defer {
      // In the background the settings are those of the shell by now.
      alone { isForeground ? chost_crash_restore() : chost_crash_clear_restore() }
      chost_crash_restore_at_end(false)
    }
    return body()
  }
}

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
