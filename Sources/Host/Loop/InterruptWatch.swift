internal import CHost
import PluginAPI

/// Takes Ctrl-C (SIGINT): the loop is told; pressed again before the loop saw it, it restores the terminal and ends
/// the process with status 130.
@MainActor final class InterruptWatch {
  private let watch: any Cancellable

  /// Begins to take interrupts.
  ///
  /// - Returns: nil if the system refuses.
  init?(loop: HostEventLoop, onInterrupt: @escaping @MainActor @Sendable () -> Void) {
    let descriptor = chost_interrupt_install()
    guard descriptor >= 0 else { return nil }
    loop.watchdog.start()
    watch = loop.watch(fileDescriptor: descriptor, for: .reading) {
      chost_interrupt_taken()
      onInterrupt()
    }
  }

  /// Ends telling the loop.
  func cancel() { watch.cancel() }
}
