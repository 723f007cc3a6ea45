/// Runs a task that writes to a disk beside the threads which all tasks share, so that none of those waits for it.
///
/// One for each such task. Of those that are ready at the same time the one that was begun first goes on: with many
/// sensors that finish together the first capture is soon safe, where taking turns would keep all waiting for the last.
final class WritingThread: TaskExecutor {
  /// Its place in the order in which they were made.
  let place = WritingPool.shared.nextPlace()

  func enqueue(_ job: consuming ExecutorJob) { WritingPool.shared.put(UnownedJob(job), of: self) }
}
