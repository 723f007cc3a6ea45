import BenchmarkSupport

/// Asks the main actor for a turn again and again, and keeps how long each turn was waited for.
@MainActor
final class StallWatch {
  private var times: [Double] = []

  nonisolated init() {}

  /// The interval between two checks, in milliseconds.
  private static let interval = 2.0

  /// Asks every two milliseconds.
  ///
  /// - Parameter end: On the clock of ``Timing/milliseconds()``.
  nonisolated func watch(until end: Double) async {
    while Timing.milliseconds() < end {
      let asked = Timing.milliseconds()
      await take(asked)
      try? await Task.sleep(for: .milliseconds(Self.interval))
    }
  }

  /// Keeps how late a turn came, and how late those would have come that could not be asked for meanwhile.
  ///
  /// Without them a long stall would count as one turn among thousands.
  /// - Source: Tene, "How not to measure latency" (coordinated omission, and its correction by the expected interval).
  private func take(_ asked: Double) {
    var late = Timing.milliseconds() - asked
    repeat {
      times.append(late)
      late -= Self.interval
    } while late > 0
  }

  /// Returns a quantile of the turns' waiting times, in milliseconds.
  func quantile(_ part: Double) -> Double { Timing.quantile(times, part) }
}
