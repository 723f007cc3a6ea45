import Glibc

/// Waits of some microseconds for another thread or process, without sleeping: waking a thread takes longer than many
/// commands.
enum BriefWait {
  /// The number of times that other threads get the processor in the meantime.
  private static let rounds = 40

  /// Waits until a condition holds, or for a short time.
  ///
  /// - Returns: True if the condition holds.
  @discardableResult
  static func wait(until isSo: () -> Bool) -> Bool {
    for _ in 0..<rounds {
      if isSo() { return true }
      sched_yield()
    }
    return false
  }
}
