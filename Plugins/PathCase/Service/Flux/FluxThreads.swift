import Glibc

/// Dedicated threads for computations, which end with the work.
enum FluxThreads {
  /// Runs a function once for each number below a count, each on its own thread, the first on the calling thread.
  static func run(_ count: Int, _ body: @escaping @Sendable (Int) -> Void) {
    var threads: [pthread_t] = []
    for index in 1..<max(count, 1) {
      var thread = pthread_t()
      let piece = Unmanaged.passRetained(FluxPiece { body(index) })
      if pthread_create(&thread, nil, entry, piece.toOpaque()) == 0 {
        threads.append(thread)
      } else {
        piece.takeRetainedValue().work()
      }
    }
    body(0)
    for thread in threads { pthread_join(thread, nil) }
  }

  private static let entry: @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? = { piece in
    // Signals are handled on the main thread, except for those that report a fault of the thread itself.
    var signals = sigset_t()
    sigfillset(&signals)
    for fault in [SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGABRT] { sigdelset(&signals, fault) }
    pthread_sigmask(SIG_BLOCK, &signals, nil)
    if let piece { Unmanaged<FluxPiece>.fromOpaque(piece).takeRetainedValue().work() }
    return nil
  }
}

/// The work passed to a thread.
private final class FluxPiece: Sendable {
  let work: @Sendable () -> Void

  init(_ work: @escaping @Sendable () -> Void) { self.work = work }
}
