internal import CDispatch
import Synchronization

/// Runs a task that writes to a disk on a thread of its own, so that none of those which all tasks share waits for it.
///
/// One for each such task: queues that run one thing after the other have threads beyond the few that tasks share, and
/// only while there is something to run. Queues are used again: there are as many as there were tasks at once.
final class WritingThread: TaskExecutor {
  /// A handle of C, which any thread may use.
  private struct Queue: @unchecked Sendable {
    let handle: dispatch_queue_t
  }

  private static let free = Mutex<[Queue]>([])
  private let queue: Queue

  init() {
    queue = Self.free.withLock { $0.popLast() } ?? Queue(handle: dispatch_queue_create("wsabi.writing", nil))
  }

  deinit { Self.free.withLock { [queue] free in free.append(queue) } }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    dispatch_async(queue.handle) { [self] in job.runSynchronously(on: asUnownedTaskExecutor()) }
  }
}
