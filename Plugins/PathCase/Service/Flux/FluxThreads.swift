import Glibc

/// Threads of their own for computing, which are gone when the work is done.
enum FluxThreads {
  /// Does a work once for each number below a count, each on a thread of its own, the first on this one.
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
    // Signals belong to the main thread, but for those that tell a fault of the thread itself.
    var signals = sigset_t()
    sigfillset(&signals)
    for fault in [SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGABRT] { sigdelset(&signals, fault) }
    pthread_sigmask(SIG_BLOCK, &signals, nil)
    if let piece { Unmanaged<FluxPiece>.fromOpaque(piece).takeRetainedValue().work() }
    return nil
  }
}

/// The work of a thread on its way there.
private final class FluxPiece: Sendable {
  let work: @Sendable () -> Void

  init(_ work: @escaping @Sendable () -> Void) { self.work = work }
}
