import PluginAPI

/// The height of the sea over its mean level at a station, for some time.
struct Prediction: Model, Equatable {
  /// High or low water.
  struct Extreme: Model, Equatable {
    enum Kind: String, CaseIterable, ReadableField { case high, low }

    let time: Instant
    /// Meters over mean level.
    let height: Double
    let kind: Kind

    static let typeName = "tides.extreme"
    static let fields = Fields<Extreme> {
      Field("time", \.time, "Time, to the minute", heading: "Time")
      Field("height", \.height, "Height above mean level", heading: "Height", unit: "metre", decimals: 2)
      Field("kind", \.kind, "High or low water", heading: "Water")
    }
  }

  let station: String
  let start: Instant
  let stepInMinutes: Int
  /// Meters over mean level, one for each step.
  let heights: [Double]
  let extremes: [Extreme]

  static let typeName = "tides.prediction"
  static let fields = Fields<Prediction> {
    Field("station", \.station, "Name of the station")
    Field("from", \.start, "Time of the first height")
    Field("stepMinutes", \.stepInMinutes, "Time between heights", unit: "minute")
    Field("heights", \.heights, "Heights above mean level, in meters")
    Field("extremes", \.extremes, "High and low waters")
  }

  /// Predicts from an instant on, with high and low waters to the minute.
  ///
  /// - Parameter checkCancellation: Called once per predicted minute; throws to end the work.
  /// - Complexity: O(*minutes* × *constituents*).
  init(
    _ station: Station, from start: Instant, hours: Double, stepInMinutes: Int,
    checkCancellation: () throws -> Void = {}
  ) throws {
    (self.station, self.start, self.stepInMinutes) = (station.name, start, stepInMinutes)
    var heights: [Double] = []
    var extremes: [Extreme] = []
    // The water turns between two minutes of which one rises and one falls.
    var lastHeight = station.height(at: start.adding(seconds: -30))
    var wasRising: Bool?
    for minute in 0...Int(hours * 60) {
      try checkCancellation()
      if minute % stepInMinutes == 0 { heights.append(station.height(at: start.adding(seconds: 60 * minute))) }
      let height = station.height(at: start.adding(seconds: 60 * minute + 30))
      let isRising = height > lastHeight
      if let wasRising, wasRising != isRising {
        let time = start.adding(seconds: 60 * minute - 30)
        extremes.append(Extreme(time: time, height: lastHeight, kind: wasRising ? .high : .low))
      }
      (lastHeight, wasRising) = (height, isRising)
    }
    (self.heights, self.extremes) = (heights, extremes)
  }
}

extension Station {
  /// Returns the height at an instant, which is the sum of the constituents.
  ///
  /// - Source: Pugh 1987, equation 4:1: H f cos(V + u − g), V as it is at the instant.
  fileprivate func height(at instant: Instant) -> Double {
    let sky = Astronomy(instant)
    return constants.reduce(0) { sum, constant in
      let (factor, angle) = constant.constituent.nodal(sky)
      let phase = constant.constituent.phase(sky) + angle - constant.lag
      return sum + constant.amplitude * factor * Degrees.cos(phase)
    }
  }
}
