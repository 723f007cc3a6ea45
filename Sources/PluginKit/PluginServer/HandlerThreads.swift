internal import CDispatch
internal import Synchronization

/// The threads on which handlers run, apart from those that all tasks of the process share.
///
/// A caller may block a shared thread until the server responds, as a test does that runs a program; if handlers needed
/// the shared threads, they would wait for each other.
final class HandlerThreads: TaskExecutor {
  static let shared = HandlerThreads()

  /// Serial queues, as each of these gets a thread whatever other threads do.
  // C handles; a queue may be used on any thread.
  private nonisolated(unsafe) let queues: [dispatch_queue_t]
  private let next = Atomic(0)

  private init() {
    queues = (0..<4).map { _ in dispatch_queue_create("server.handlers", nil) }
  }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    let number = next.wrappingAdd(1, ordering: .relaxed).oldValue
    dispatch_async(queues[number & 3]) { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }
}
