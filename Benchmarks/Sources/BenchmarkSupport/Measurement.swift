import Glibc

/// One measurement, printed as a line of JSON.
public struct Measurement {
  /// What was measured.
  public var name: String
  /// Our figure.
  public var value: Double
  /// The unit of our figure and the peer's.
  public var unit: String
  /// The peer and its figure in the same run; nil if there is none.
  public var peer: (name: String, value: Double)?
  /// The bar: our figure shall not be above it; nil if there is none.
  public var bar: Double?

  /// Creates a measurement.
  public init(
    _ name: String, _ value: Double, unit: String, peer: (name: String, value: Double)? = nil, bar: Double? = nil
  ) {
    self.name = name
    self.value = value
    self.unit = unit
    self.peer = peer
    self.bar = bar
  }

  /// Prints the line.
  public func print() {
    var line = "{\"name\":\"\(name)\",\"value\":\(Measurement.rounded(value)),\"unit\":\"\(unit)\""
    if let peer {
      line += ",\"peer\":\"\(peer.name)\",\"peerValue\":\(Measurement.rounded(peer.value))"
      line += ",\"ratio\":\(Measurement.rounded(value / peer.value))"
    }
    if let bar { line += ",\"bar\":\(Measurement.rounded(bar)),\"met\":\(value <= bar)" }
    Swift.print(line + "}")
  }

  private static func rounded(_ value: Double) -> String {
    guard value.isFinite else { return "null" }
    let scaled = (value * 10_000).rounded() / 10_000
    return scaled == scaled.rounded() && abs(scaled) < 1e15 ? "\(Int(scaled))" : "\(scaled)"
  }
}

/// Clocks and repetition.
public enum Timing {
  /// Milliseconds on a clock that never goes back.
  public static func milliseconds() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Double(time.tv_sec) * 1e3 + Double(time.tv_nsec) / 1e6
  }

  /// The shortest time in milliseconds of so many runs.
  public static func best(of runs: Int, _ work: () throws -> Void) rethrows -> Double {
    var best = Double.infinity
    for _ in 0..<runs {
      let start = milliseconds()
      try work()
      best = min(best, milliseconds() - start)
    }
    return best
  }

  /// The middle of some figures.
  public static func median(_ figures: [Double]) -> Double {
    let sorted = figures.sorted()
    return sorted.isEmpty ? .nan : sorted[sorted.count / 2]
  }
}
