internal import Glibc
internal import Synchronization

/// A few threads of our own that help to draw; they sleep as long as there is nothing to do and end with the program.
// C handles: the mutex and the conditions guard everything that is not atomic.
final class DrawingThreads: @unchecked Sendable {
  /// The threads of this program, as many as it has processors.
  static let shared = DrawingThreads(helpers: processors - 1)

  /// At most so many threads help: more gain nothing in pictures of this size.
  private static let mostHelpers = 15
  /// How often a thread looks for new work before it goes to sleep: some ten microseconds.
  private static let looks = 2_000

  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let woken = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
  private let wanted: Int
  private var helpers = 0
  private var body: ((Int) -> Void)?
  private var count = 0
  private var isBusy = false
  /// Counts the works; even while there is none.
  private let generation = Atomic(0)
  private let next = Atomic(0)
  /// Helpers that are not done with the present work.
  private let active = Atomic(0)

  /// Makes threads; they begin when the first work comes.
  init(helpers: Int) {
    wanted = min(max(0, helpers), Self.mostHelpers)
    pthread_mutex_init(mutex, nil)
    pthread_cond_init(woken, nil)
  }

  /// The processors there are.
  private static var processors: Int { max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))) }

  /// The work as drawing asks for it.
  var work: ParallelWork {
    wanted == 0 ? .serial : ParallelWork(threads: wanted + 1) { count, body in self.perform(count, body) }
  }

  /// Calls the body with every number below a count on all threads; on one alone while another work is being done.
  private func perform(_ count: Int, _ body: (Int) -> Void) {
    guard begin() else {
      for index in 0..<count { body(index) }
      return
    }
    withoutActuallyEscaping(body) { body in
      self.body = body
      self.count = count
      next.store(0, ordering: .relaxed)
      active.store(helpers, ordering: .relaxed)
      pthread_mutex_lock(mutex)
      generation.add(1, ordering: .releasing)
      pthread_cond_broadcast(woken)
      pthread_mutex_unlock(mutex)
      takePieces(body, count)
      // The others are at their last piece: they are waited for without sleep, but others may run.
      var looks = 0
      while active.load(ordering: .acquiring) > 0 {
        looks += 1
        if looks > Self.looks { sched_yield() }
      }
      self.body = nil
    }
    pthread_mutex_lock(mutex)
    isBusy = false
    pthread_mutex_unlock(mutex)
  }

  /// Takes the threads for one work and starts them the first time; false if they are busy.
  private func begin() -> Bool {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    if isBusy { return false }
    isBusy = true
    while helpers < wanted, startHelper() { helpers += 1 }
    return true
  }

  private func startHelper() -> Bool {
    var thread = pthread_t()
    let handle = Unmanaged.passRetained(self)
    let status = pthread_create(&thread, nil, DrawingThreads.entry, handle.toOpaque())
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
    Unmanaged<DrawingThreads>.fromOpaque(handle).takeUnretainedValue().help()
    return nil
  }

  /// Helps with one work after the other and never returns.
  private func help() {
    var done = 0
    while true {
      done = waitForWork(after: done)
      takeShare()
      active.subtract(1, ordering: .acquiringAndReleasing)
    }
  }

  /// Takes pieces of the present work.
  ///
  /// A function of its own, so that its hold on the body has ended before the helper says that it is done.
  @inline(never)
  private func takeShare() {
    if let body { takePieces(body, count) }
  }

  /// Waits until there is newer work than the one done last.
  private func waitForWork(after done: Int) -> Int {
    for _ in 0..<Self.looks {
      let now = generation.load(ordering: .acquiring)
      if now != done { return now }
    }
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    while generation.load(ordering: .acquiring) == done { pthread_cond_wait(woken, mutex) }
    return generation.load(ordering: .acquiring)
  }

  private func takePieces(_ body: @escaping (Int) -> Void, _ count: Int) {
    while true {
      let piece = next.add(1, ordering: .relaxed).oldValue
      if piece >= count { return }
      body(piece)
    }
  }
}
