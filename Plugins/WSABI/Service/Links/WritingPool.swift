internal import CDispatch
import Glibc
import PluginStore
import Synchronization

/// An executor for a task that writes to a disk, so that none of the shared threads waits for the disk.
///
/// There is one for each such task. Among those ready at the same time the oldest runs first: with many sensors that
/// finish together the first capture is soon safe, where taking turns would delay all of them until the last.
final class WritingThread: TaskExecutor {
  /// Its number in the order of creation.
  fileprivate let number = WritingPool.shared.nextNumber()

  func enqueue(_ job: consuming ExecutorJob) { WritingPool.shared.put(UnownedJob(job), of: self) }
}

/// The threads of all tasks that write to a disk: one per processor, and one more whenever all of them wait for a disk.
///
/// They have low priority, so that a sensor can be requested while earlier data is sealed and written.
private final class WritingPool: Sendable {
  static let shared = WritingPool()

  private struct Entry {
    let job: UnownedJob
    let executor: WritingThread
    /// Its number in the order of all jobs.
    let count: Int
  }

  private struct State {
    /// The next one to run is last.
    var waiting: [Entry] = []
    var count = 0
    var taken = 0
    var threads = 0
    var idle = 0
    var isWatched = false

    mutating func insert(_ entry: Entry) {
      let key = (entry.executor.number, entry.count)
      var (low, high) = (0, waiting.count)
      while low < high {
        let middle = (low + high) / 2
        if (waiting[middle].executor.number, waiting[middle].count) > key { low = middle + 1 } else { high = middle }
      }
      waiting.insert(entry, at: low)
    }
  }

  /// A handle of C, which any thread may use.
  private struct Semaphore: @unchecked Sendable {
    let handle: dispatch_semaphore_t = dispatch_semaphore_create(0)
  }

  private let state = Mutex(State())
  private let created = Atomic(0)
  private let work = Semaphore()
  private let fewest = max(2, Processors.count)

  /// The time without progress after which one more thread is started, in nanoseconds.
  private static let pause: Int64 = 20_000_000
  /// The time for which an idle thread waits for work before it ends, in nanoseconds.
  private static let waitInNanoseconds: Int64 = 5_000_000_000

  func nextNumber() -> Int { created.add(1, ordering: .relaxed).newValue }

  /// Schedules a job.
  func put(_ job: UnownedJob, of executor: WritingThread) {
    enum Need { case signal, thread, nothing }
    let need: Need = state.withLock { state in
      state.count += 1
      state.insert(Entry(job: job, executor: executor, count: state.count))
      if state.idle > 0 {
        state.idle -= 1
        return .signal
      }
      guard state.threads < fewest else { return .nothing }
      state.threads += 1
      return .thread
    }
    switch need {
    case .signal: dispatch_semaphore_signal(work.handle)
    case .thread: OwnThread.run { self.run() }
    case .nothing: watch()
    }
  }

  /// Compared with a thread of normal priority, one of these gets about a tenth of the time.
  ///
  /// - Source: sched(7), "The nice value".
  private static let niceness: Int32 = 10

  private func run() {
    QuietThread.stepBack(to: Self.niceness)
    while true {
      let entry = state.withLock { state in
        state.taken += 1
        if let entry = state.waiting.popLast() { return Optional(entry) }
        state.idle += 1
        return nil
      }
      if let entry {
        entry.job.runSynchronously(on: entry.executor.asUnownedTaskExecutor())
      } else if dispatch_semaphore_wait(work.handle, dispatch_time(DISPATCH_TIME_NOW, Self.waitInNanoseconds)) != 0 {
        if leave() { return }
        // Called all the same: each call is one signal for one thread.
        dispatch_semaphore_wait(work.handle, UInt64.max)
      }
    }
  }

  /// Ends an idle thread, unless all that are idle have just been called.
  private func leave() -> Bool {
    state.withLock { state in
      guard state.idle > 0 else { return false }
      state.idle -= 1
      state.threads -= 1
      return true
    }
  }

  /// Checks after a while whether all threads are blocked.
  private func watch() {
    let taken: Int? = state.withLock { state in
      if state.isWatched || state.waiting.isEmpty { return nil }
      state.isWatched = true
      return state.taken
    }
    guard let taken else { return }
    dispatch_after(dispatch_time(DISPATCH_TIME_NOW, Self.pause), dispatch_get_global_queue(0, 0)) { [self] in
      let standsStill = state.withLock { state in
        state.isWatched = false
        guard state.taken == taken, !state.waiting.isEmpty else { return false }
        state.threads += 1
        return true
      }
      if standsStill { OwnThread.run { self.run() } }
      watch()
    }
  }
}
