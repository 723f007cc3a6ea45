import Dispatch

/// Runs a task that writes to a disk on a thread of its own, so that none of those which all tasks share waits for it.
///
/// One for each such task: queues that run one thing after the other have threads beyond the few that tasks share, and
/// only while there is something to run.
final class WritingThread: TaskExecutor {
  private let queue = DispatchQueue(label: "workbench.wsabi.writing")

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { [self] in job.runSynchronously(on: asUnownedTaskExecutor()) }
  }
}
