import Dispatch

/// Runs tasks that write to a disk on threads of their own, so that none of those which all tasks share waits for it.
final class WritingThreads: TaskExecutor {
  static let shared = WritingThreads()

  private let queue = DispatchQueue(label: "workbench.wsabi.writing", attributes: .concurrent)

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { [self] in job.runSynchronously(on: asUnownedTaskExecutor()) }
  }
}
