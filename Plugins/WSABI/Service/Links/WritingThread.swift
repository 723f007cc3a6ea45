/// An executor for a task that writes to a disk, so that none of the shared threads waits for the disk.
///
/// There is one for each such task. Among those ready at the same time the oldest runs first: with many sensors that
/// finish together the first capture is soon safe, where taking turns would delay all of them until the last.
final class WritingThread: TaskExecutor {
  /// Its position in the order of creation.
  let place = WritingPool.shared.nextPlace()

  func enqueue(_ job: consuming ExecutorJob) { WritingPool.shared.put(UnownedJob(job), of: self) }
}
