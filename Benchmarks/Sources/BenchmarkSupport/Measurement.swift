import Glibc

/// One measurement, printed as a line of JSON.
public struct Measurement {
  /// The name of the measurement.
  public var name: String
  /// Our figure.
  public var value: Double
  /// The unit of our figure and the peer's.
  public var unit: String
  /// The peer and its figure in the same run; nil if there is none.
  public var peer: (name: String, value: Double)?
  /// The bar: our figure shall not be above it; nil if there is none.
  public var bar: Double?
  /// The bar of a figure that is better the larger it is: it shall not be below it; nil if there is none.
  public var floor: Double?
  /// The bar of the ratio of our figure to the peer's: it shall not be above it; nil if there is none.
  public var maximumRatio: Double?

  /// Creates a measurement.
  public init(
    _ name: String, _ value: Double, unit: String, peer: (name: String, value: Double)? = nil, bar: Double? = nil,
    floor: Double? = nil, maximumRatio: Double? = nil
  ) {
    self.name = name
    self.value = value
    self.unit = unit
    self.peer = peer
    self.bar = bar
    self.floor = floor
    self.maximumRatio = maximumRatio
  }

  /// Prints the line.
  public func print() {
    var line = "{\"name\":\"\(name)\",\"value\":\(Measurement.rounded(value)),\"unit\":\"\(unit)\""
    if let peer {
      line += ",\"peer\":\"\(peer.name)\",\"peerValue\":\(Measurement.rounded(peer.value))"
      line += ",\"ratio\":\(Measurement.rounded(value / peer.value))"
      if let maximumRatio {
        line += ",\"maximumRatio\":\(Measurement.rounded(maximumRatio)),\"met\":\(value / peer.value <= maximumRatio)"
      }
    }
    if let bar { line += ",\"bar\":\(Measurement.rounded(bar)),\"met\":\(value <= bar)" }
    if let floor { line += ",\"floor\":\(Measurement.rounded(floor)),\"met\":\(value >= floor)" }
    Measurement.write(line + "}")
  }

  /// Prints that something was not measured, and why.
  public static func skip(_ name: String, because reason: String) {
    write("{\"name\":\"\(name)\",\"skipped\":\"\(reason)\"}")
  }

  private static func write(_ line: String) {
    Swift.print(line)
    fflush(nil)
  }

  private static func rounded(_ value: Double) -> String {
    guard value.isFinite else { return "null" }
    let scaled = (value * 10_000).rounded() / 10_000
    return scaled == scaled.rounded() && abs(scaled) < 1e15 ? "\(Int(scaled))" : "\(scaled)"
  }
}
