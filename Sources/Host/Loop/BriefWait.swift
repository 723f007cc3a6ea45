import Glibc

/// Waits of at most a tenth of a millisecond for another thread or process, without sleeping: waking a thread takes
/// longer than many commands.
enum BriefWait {
  private static let time = Duration.microseconds(100)

  /// Waits until a condition holds, or until the time is over; other threads get the processor in the meantime.
  ///
  /// - Returns: True if the condition holds.
  @discardableResult
  static func wait(until isSo: () -> Bool) -> Bool {
    let end = ContinuousClock.now + time
    repeat {
      if isSo() { return true }
      sched_yield()
    } while ContinuousClock.now < end
    return false
  }
}
