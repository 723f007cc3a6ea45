import BenchmarkSupport

/// Asks the main actor for a turn again and again, and keeps how long each turn was waited for.
@MainActor
final class StallWatch {
  private var times: [Double] = []

  nonisolated init() {}

  /// Asks every two milliseconds.
  ///
  /// - Parameter end: On the clock of ``Timing/milliseconds()``.
  nonisolated func watch(until end: Double) async {
    while Timing.milliseconds() < end {
      let asked = Timing.milliseconds()
      await take(asked)
      try? await Task.sleep(for: .milliseconds(2))
    }
  }

  private func take(_ asked: Double) { times.append(Timing.milliseconds() - asked) }

  /// The time in milliseconds that so large a part of the turns did not wait longer than.
  func quantile(_ part: Double) -> Double { Timing.quantile(times, part) }
}
