internal import Glibc
internal import Synchronization

/// A few threads of our own that help to draw; they sleep as long as there is nothing to do, and end with their owner.
///
/// Whoever asks for a work begins it at once and does what is left of it, so that it ends however late a helper wakes:
/// only helpers that have taken the work up are waited for, and none takes it up after its last piece was given out.
final class DrawingThreads: Sendable {
  /// The threads of this program, as many as it has processors.
  static let shared = DrawingThreads(helpers: processors - 1)

  /// At most so many threads help: more gain nothing in pictures of this size.
  private static let mostHelpers = 15

  private let helpers: Int
  private let bench = DrawingBench()

  /// Makes threads; they begin when the first work comes.
  init(helpers: Int) {
    self.helpers = min(max(0, helpers), Self.mostHelpers)
  }

  deinit { bench.close() }

  /// The processors there are.
  private static var processors: Int { max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))) }

  /// The work as drawing asks for it.
  var work: ParallelWork {
    helpers == 0 ? .serial : ParallelWork(threads: helpers + 1) { count, body in self.perform(count, body) }
  }

  /// Calls the body with every number below a count on all threads; on one alone while another work is being done.
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
    // Signals belong to the main thread, but for those that tell a fault of the thread itself.
    var signals = sigset_t()
    sigfillset(&signals)
    for fault in [SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGABRT] { sigdelset(&signals, fault) }
    pthread_sigmask(SIG_BLOCK, &signals, nil)
    Unmanaged<DrawingBench>.fromOpaque(handle).takeRetainedValue().help()
    return nil
  }
}
