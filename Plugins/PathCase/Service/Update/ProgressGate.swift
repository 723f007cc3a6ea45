internal import Synchronization

/// Passes at most thirty reports a second, and always the last one.
final class ProgressGate: Sendable {
  private let last = Mutex<ContinuousClock.Instant?>(nil)
  private let report: @Sendable (UpdateProgress) -> Void
  private let now: @Sendable () -> ContinuousClock.Instant

  /// The minimum time between two reports.
  static let interval = Duration.milliseconds(34)

  init(
    now: @escaping @Sendable () -> ContinuousClock.Instant = { ContinuousClock.now },
    _ report: @escaping @Sendable (UpdateProgress) -> Void
  ) {
    self.now = now
    self.report = report
  }

  func pass(_ progress: UpdateProgress) {
    let time = now()
    let isLast = progress.documents == progress.totalDocuments
    let passes = last.withLock { last in
      if let last, !isLast, last.duration(to: time) < Self.interval { return false }
      last = time
      return true
    }
    if passes { report(progress) }
  }
}
