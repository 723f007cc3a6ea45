import PluginAPI

/// The height of the sea over its mean level at a station, for some time.
struct Prediction: Sendable, Equatable {
  /// High or low water.
  struct Extreme: Sendable, Equatable {
    var time: Instant
    /// Metres.
    var height: Double
    var isHigh: Bool
  }

  var station: String
  var start: Instant
  var stepInSeconds: Int
  /// Metres over mean level, one for each step.
  var heights: [Double]
  var extremes: [Extreme]

  /// The height at an instant: the sum of the constituents.
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

  /// Predicts without looking whether it shall end.
  init(_ station: Station, from start: Instant, hours: Double, stepInMinutes: Int) {
    self.init(station, from: start, hours: hours, stepInMinutes: stepInMinutes, checkCancellation: {})
  }

  private static func instant(_ start: Instant, _ seconds: Int) -> Instant {
    Instant(seconds: start.seconds + Int64(seconds), nanoseconds: start.nanoseconds)
  }

  /// Looks minute by minute where the height turns; an interval of ten minutes is looked into only if it turns there.
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
        found.append(Extreme(time: time, height: height(of: station, at: time), isHigh: isHigh))
      }
      before = (slope, second)
    }
    return found
  }

  private static func slope(_ station: Station, _ start: Instant, _ second: Int) -> Double {
    height(of: station, at: instant(start, second + 30)) - height(of: station, at: instant(start, second - 30))
  }
}

extension Prediction {
  static let typeName = "tides.prediction"

  var value: Value {
    Value(
      .record([
        "station": .text(station), "from": .date(start), "stepMinutes": .integer(stepInSeconds / 60),
        "heights": .list(heights.map(Value.number)),
        "extremes": .list(
          extremes.map {
            ["time": .date($0.time), "height": .number($0.height), "kind": .text($0.isHigh ? "high" : "low")]
          }),
      ]), typeName: Prediction.typeName)
  }

  static let schema = ValueSchema.record([
    ValueSchema.Field("station", .text, "the station's name"),
    ValueSchema.Field("from", .date, "the time of the first height"),
    ValueSchema.Field("stepMinutes", .integer, "minutes from one height to the next"),
    ValueSchema.Field("heights", .list(.number), "metres over mean level"),
    ValueSchema.Field(
      "extremes",
      .list(
        .record([
          ValueSchema.Field("time", .date, "the time, to the minute"),
          ValueSchema.Field("height", .number, "metres over mean level"),
          ValueSchema.Field("kind", .choice(["high", "low"]), "high or low water"),
        ])), "high and low waters"),
  ])
}
