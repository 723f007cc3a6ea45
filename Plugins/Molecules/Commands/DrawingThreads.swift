internal import Glibc
internal import Synchronization

/// A pool of rendering threads; idle threads sleep, and all end when the pool is deallocated.
///
/// The calling thread starts its work at once and executes the remaining pieces itself, so that late helpers cause no
/// delay: it only waits for helpers that have joined the work, and none joins after the last piece was taken.
final class DrawingThreads: Sendable {
  /// The pool of this program, with as many threads as processors.
  static let shared = DrawingThreads(helpers: processors - 1)

  /// The largest number of helpers: more gain nothing for pictures of this size.
  private static let mostHelpers = 15

  private let helpers: Int
  private let bench = DrawingBench()

  /// Creates a pool; its threads start with the first work.
  init(helpers: Int) {
    self.helpers = min(max(0, helpers), Self.mostHelpers)
  }

  deinit { bench.close() }

  /// The number of available processors.
  private static var processors: Int { max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))) }

  /// The pool in the form that drawing takes.
  var work: ParallelWork {
    helpers == 0 ? .serial : ParallelWork(threads: helpers + 1) { count, body in self.perform(count, body) }
  }

  /// Calls `body` with every number below a count on all threads, or on the calling thread alone while the pool is
  /// busy.
  private func perform(_ count: Int, _ body: (Int) -> Void) {
    withoutActuallyEscaping(body) { body in
      withUnsafePointer(to: body) { pointer in
        let work = DrawingBench.Work(body: pointer, count: count)
        guard bench.lay(work, helpers: helpers, starting: startHelper) else {
          for index in 0..<count { pointer.pointee(index) }
          return
        }
        bench.takePieces(of: work)
        bench.clear()
      }
    }
  }

  private func startHelper() -> Bool {
    var thread = pthread_t()
    let handle = Unmanaged.passRetained(bench)
    let status = pthread_create(&thread, nil, Self.entry, handle.toOpaque())
    if status != 0 {
      handle.release()
      return false
    }
    pthread_detach(thread)
    return true
  }

  private static let entry: @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? = { handle in
    guard let handle else { return nil }
    // The main thread handles signals, except those for a fault of the thread itself.
    var signals = sigset_t()
    sigfillset(&signals)
    for fault in [SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGABRT] { sigdelset(&signals, fault) }
    pthread_sigmask(SIG_BLOCK, &signals, nil)
    Unmanaged<DrawingBench>.fromOpaque(handle).takeRetainedValue().help()
    return nil
  }
}
