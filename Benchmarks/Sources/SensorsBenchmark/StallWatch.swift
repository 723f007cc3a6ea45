import BenchmarkSupport

/// Repeatedly requests a turn of the main actor, and records the waiting time of each.
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

  /// Records the delay of a turn, and the delays of those that could not be requested meanwhile.
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
