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
  private let queue = WorkQueue()

  /// Creates a pool; its threads start with the first work.
  init(helpers: Int) {
    self.helpers = min(max(0, helpers), Self.mostHelpers)
  }

  deinit { queue.close() }

  /// The number of available processors.
  private static var processors: Int { max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))) }

  /// The pool in the form that drawing takes.
  var work: ParallelWork {
    helpers == 0 ? .serial : ParallelWork(threads: helpers + 1) { count, body in self.perform(count, body) }
  }

  /// Calls `body` with every number below a count on all threads, or on the calling thread alone while the pool is
  /// busy.
  private func perform(_ count: Int, _ body: (Int) -> Void) {
    // `withoutActuallyEscaping` tells the runtime this file's name, whose path would differ from folder to folder.
    #sourceLocation(file:"DrawingThreads",line:38)
    withoutActuallyEscaping(body) { body in
      withUnsafePointer(to: body) { pointer in
        let work = WorkQueue.Work(body: pointer, count: count)
        guard queue.submit(work, helpers: helpers, starting: startHelper) else {
          for index in 0..<count { pointer.pointee(index) }
          return
        }
        queue.executePieces(of: work)
        queue.finish()
      }
    }
    #sourceLocation()
  }

  private func startHelper() -> Bool {
    var thread = pthread_t()
    let handle = Unmanaged.passRetained(queue)
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
    Unmanaged<WorkQueue>.fromOpaque(handle).takeRetainedValue().help()
    return nil
  }
}

/// A work queue of length one, from which threads take pieces of the current work.
///
/// The mutex guards every variable; the atomic ones are read without it only to avoid needless locking.
// C handles: the mutex and the conditions, and pointers into the stack frame of the caller, which waits until they are
// no longer in use.
private final class WorkQueue: @unchecked Sendable {
  /// A number of pieces, and the closure that executes one of them.
  struct Work {
    /// The closure on the stack of the calling thread; valid until ``WorkQueue/finish()`` has returned.
    let body: UnsafePointer<(Int) -> Void>
    let count: Int
  }

  /// The number of polls for a change before a thread goes to sleep: some ten microseconds.
  private static let mostPolls = 2_000

  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let changed = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
  private let allLeft = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
  private var state = State.idle

  private enum State {
    case idle
    /// Helpers may join the work.
    case open(Work)
    /// The helpers that joined execute their last piece.
    case draining
    case closed
  }

  private var started = 0
  /// The number of submitted works, plus one for closing.
  private let changes = Atomic(0)
  /// The number of helpers inside the current work.
  private let inside = Atomic(0)
  /// The index of the next piece of the work.
  private let next = Atomic(0)

  init() {
    pthread_mutex_init(mutex, nil)
    pthread_cond_init(changed, nil)
    pthread_cond_init(allLeft, nil)
  }

  deinit {
    pthread_cond_destroy(allLeft)
    pthread_cond_destroy(changed)
    pthread_mutex_destroy(mutex)
    allLeft.deallocate()
    changed.deallocate()
    mutex.deallocate()
  }

  private func locked<Result>(_ body: () -> Result) -> Result {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    return body()
  }

  // MARK: For the calling thread

  /// Submits work for helpers; returns false if there is work already.
  ///
  /// - Parameters:
  ///   - helpers: The number of threads that should help.
  ///   - start: Starts one more of them; returns false if that is not possible.
  func submit(_ work: Work, helpers: Int, starting start: () -> Bool) -> Bool {
    locked {
      guard case .idle = state else { return false }
      while started < helpers, start() { started += 1 }
      state = .open(work)
      next.store(0, ordering: .relaxed)
      changes.add(1, ordering: .releasing)
      pthread_cond_broadcast(changed)
      return true
    }
  }

  /// Executes pieces while there are any.
  ///
  /// It is a separate function, so that its reference to the body has ended when it returns.
  @inline(never)
  func executePieces(of work: Work) {
    while true {
      let piece = next.add(1, ordering: .relaxed).oldValue
      if piece >= work.count { return }
      work.body.pointee(piece)
    }
  }

  /// Removes the work and waits for its helpers: all pieces are done then.
  func finish() {
    locked { state = .draining }
    // They are at their last piece: usually it is not worth sleeping.
    var polls = 0
    while inside.load(ordering: .acquiring) > 0, polls < Self.mostPolls { polls += 1 }
    locked {
      while inside.load(ordering: .relaxed) > 0 { pthread_cond_wait(allLeft, mutex) }
      state = .idle
    }
  }

  /// Ends the helpers.
  func close() {
    locked {
      state = .closed
      changes.add(1, ordering: .releasing)
      pthread_cond_broadcast(changed)
    }
  }

  // MARK: For helpers

  /// Helps with one work after the other until the queue is closed.
  func help() {
    var seen = 0
    while let work = join(&seen) {
      executePieces(of: work)
      leave()
    }
  }

  /// Waits for new work; returns nil when the queue is closed.
  private func join(_ seen: inout Int) -> Work? {
    var polls = 0
    while changes.load(ordering: .acquiring) == seen, polls < Self.mostPolls { polls += 1 }
    return locked {
      while true {
        if case .closed = state { return nil }
        let now = changes.load(ordering: .relaxed)
        if now != seen, case .open(let work) = state {
          seen = now
          inside.add(1, ordering: .relaxed)
          return work
        }
        seen = now
        pthread_cond_wait(changed, mutex)
      }
    }
  }

  private func leave() {
    locked {
      if inside.subtract(1, ordering: .releasing).newValue == 0 { pthread_cond_signal(allLeft) }
    }
  }
}
