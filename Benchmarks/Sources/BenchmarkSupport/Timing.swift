import Glibc

/// Clocks and repetition.
public enum Timing {
  /// Milliseconds on a clock that never goes back.
  public static func milliseconds() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Double(time.tv_sec) * 1e3 + Double(time.tv_nsec) / 1e6
  }

  /// Returns the processor time of all threads of a process so far, in milliseconds; nil if the process has ended.
  public static func processorMilliseconds(of process: Int32) -> Double? {
    var clock: clockid_t = 0
    var time = timespec()
    guard clock_getcpuclockid(process, &clock) == 0, clock_gettime(clock, &time) == 0 else { return nil }
    return Double(time.tv_sec) * 1e3 + Double(time.tv_nsec) / 1e6
  }

  /// Returns the shortest time of several runs, in milliseconds.
  public static func best(of runs: Int, _ work: () throws -> Void) rethrows -> Double {
    var best = Double.infinity
    for _ in 0..<runs {
      let start = milliseconds()
      try work()
      best = min(best, milliseconds() - start)
    }
    return best
  }

  /// Returns the times of several runs, in milliseconds.
  public static func all(_ runs: Int, _ work: () throws -> Void) rethrows -> [Double] {
    try (0..<runs).map { _ in
      let start = milliseconds()
      try work()
      return milliseconds() - start
    }
  }

  /// Returns the median of the values.
  public static func median(_ figures: [Double]) -> Double { quantile(figures, 0.5) }

  /// Returns a quantile of the values.
  public static func quantile(_ figures: [Double], _ part: Double) -> Double {
    let sorted = figures.sorted()
    return sorted.isEmpty ? .nan : sorted[min(sorted.count - 1, Int(Double(sorted.count) * part))]
  }
}
