import PluginAPI

/// The height of the sea over its mean level at a station, for some time.
struct Prediction: Model, Equatable {
  /// High or low water.
  struct Extreme: Model, Equatable {
    enum Kind: String, CaseIterable, FieldValue { case high, low }

    var time: Instant
    /// Meters over mean level.
    var height: Double
    var kind: Kind

    static let typeName = "tides.extreme"
    static let fields = Fields<Extreme> {
      Field("time", \.time, "Time, to the minute", heading: "Time")
      Field("height", \.height, "Height above mean level", heading: "Height", unit: "metre", decimals: 2)
      Field("kind", \.kind, "High or low water", heading: "Water")
    }
  }

  var station: String
  var start: Instant
  var stepInSeconds: Int
  /// Meters over mean level, one for each step.
  var heights: [Double]
  var extremes: [Extreme]

  static let typeName = "tides.prediction"
  static let fields = Fields<Prediction> {
    Field("station", \.station, "Name of the station")
    Field("from", \.start, "Time of the first height")
    Field("stepMinutes", { $0.stepInSeconds / 60 }, "Time between heights", unit: "minute")
    Field("heights", \.heights, "Heights above mean level, in meters")
    Field("extremes", \.extremes, "High and low waters")
  }

  /// Returns the height at an instant, which is the sum of the constituents.
  ///
  /// - Source: Pugh 1987, equation 4:1: H f cos(V + u − g), V as it is at the instant.
  static func height(of station: Station, at instant: Instant) -> Double {
    let sky = Astronomy(instant)
    return station.constants.reduce(0) { sum, constant in
      let (factor, angle) = constant.constituent.nodal(sky)
      let phase = constant.constituent.phase(sky) + angle - constant.lag
      return sum + constant.amplitude * factor * Degrees.cos(phase)
    }
  }

  /// Predicts from an instant on, with high and low waters to the minute.
  ///
  /// - Parameter checkCancellation: Called once a step; throws to end the work.
  /// - Complexity: O(*steps* × *constituents*).
  init(
    _ station: Station, from start: Instant, hours: Double, stepInMinutes: Int,
    checkCancellation: () throws -> Void
  ) rethrows {
    self.station = station.name
    self.start = start
    stepInSeconds = 60 * stepInMinutes
    let count = Int(hours * 60) / stepInMinutes + 1
    heights = []
    heights.reserveCapacity(count)
    for index in 0..<count {
      try checkCancellation()
      heights.append(Prediction.height(of: station, at: Prediction.instant(start, index * stepInSeconds)))
    }
    extremes = try Prediction.extremes(of: station, from: start, seconds: Int(hours * 3600), checkCancellation)
  }

  /// Predicts without support for cancellation.
  init(_ station: Station, from start: Instant, hours: Double, stepInMinutes: Int) {
    self.init(station, from: start, hours: hours, stepInMinutes: stepInMinutes, checkCancellation: {})
  }

  private static func instant(_ start: Instant, _ seconds: Int) -> Instant {
    Instant(seconds: start.seconds + Int64(seconds), nanoseconds: start.nanoseconds)
  }

  /// Finds the minutes at which the height turns, within those intervals of ten minutes in which it does.
  private static func extremes(
    of station: Station, from start: Instant, seconds: Int, _ checkCancellation: () throws -> Void
  ) rethrows -> [Extreme] {
    var found: [Extreme] = []
    var before = (slope(station, start, 0), 0)
    for second in stride(from: 600, through: seconds, by: 600) {
      try checkCancellation()
      let slope = slope(station, start, second)
      let isHigh = slope <= 0
      if isHigh != (before.0 <= 0) {
        let minutes = stride(from: before.1, to: second, by: 60)
        let turn = minutes.first { (self.slope(station, start, $0 + 60) <= 0) == isHigh } ?? second
        let time = instant(start, turn + 30)
        found.append(Extreme(time: time, height: height(of: station, at: time), kind: isHigh ? .high : .low))
      }
      before = (slope, second)
    }
    return found
  }

  private static func slope(_ station: Station, _ start: Instant, _ second: Int) -> Double {
    height(of: station, at: instant(start, second + 30)) - height(of: station, at: instant(start, second - 30))
  }
}
