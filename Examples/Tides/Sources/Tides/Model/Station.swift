import PluginAPI

/// A place with the constants of its tide.
struct Station: Sendable, Equatable {
  /// How strong and how late a constituent is at a place.
  struct Constant: Sendable, Equatable {
    var constituent: Constituent
    /// Half the range, in metres.
    var amplitude: Double
    /// How far the tide lags behind its phase over Greenwich, in degrees.
    var lag: Double
  }

  var name: String
  /// Degrees north, -90…90.
  var latitude: Double
  /// Degrees east, -180…180.
  var longitude: Double
  var constants: [Constant]

  /// The tide of an ocean that follows moon and sun at once, at a place.
  ///
  /// - Source: Pugh 1987, equations 3:12: cos² of the latitude twice a day, sin of twice the latitude once a day.
  static func equilibrium(_ name: String, latitude: Double, longitude: Double) -> Station {
    let constants = Constituent.allCases.compactMap { constituent -> Constant? in
      let cosine = Degrees.cos(latitude)
      let factor = constituent.species == 1 ? Degrees.sin(2 * latitude) : cosine * cosine
      let amplitude = constituent.equilibriumAmplitude * factor
      if amplitude == 0 { return nil }
      // East of Greenwich the moon passes earlier; south of the equator the daily tide is the other way round.
      let lag = -Double(constituent.species) * longitude + (amplitude < 0 ? 180 : 0)
      return Constant(constituent: constituent, amplitude: abs(amplitude), lag: Degrees.reduced(lag))
    }
    return Station(name: name, latitude: latitude, longitude: longitude, constants: constants)
  }
}

extension Station: Model {
  static var typeName: String { "tides.station" }

  init(value: Value) throws {
    guard let name = value["name"].text, let latitude = value["latitude"].number,
      let longitude = value["longitude"].number
    else { throw ValueDecodingError.unexpectedShape(path: "name, latitude, longitude", expected: "a station") }
    let constants = try (value["constants"].list ?? []).map { item in
      guard let constituent = item["constituent"].text.flatMap(Constituent.init(rawValue:)),
        let amplitude = item["amplitude"].number, let lag = item["lag"].number
      else { throw ValueDecodingError.unexpectedShape(path: "constants", expected: "constituent, amplitude and lag") }
      return Constant(constituent: constituent, amplitude: amplitude, lag: lag)
    }
    self.init(name: name, latitude: latitude, longitude: longitude, constants: constants)
  }

  var value: Value {
    Value(
      .record([
        "name": .text(name), "latitude": .number(latitude), "longitude": .number(longitude),
        "constants": .list(
          constants.map {
            [
              "constituent": .text($0.constituent.rawValue), "amplitude": .number($0.amplitude), "lag": .number($0.lag),
            ]
          }),
      ]), typeName: Station.typeName)
  }

  static let schema = ValueSchema.record([
    ValueSchema.Field("name", .text, "the station's name"),
    ValueSchema.Field("latitude", .number, "degrees north"),
    ValueSchema.Field("longitude", .number, "degrees east"),
    ValueSchema.Field(
      "constants",
      .list(
        .record([
          ValueSchema.Field("constituent", .choice(Constituent.allCases.map(\.rawValue)), "the constituent"),
          ValueSchema.Field("amplitude", .number, "amplitude in metres"),
          ValueSchema.Field("lag", .number, "phase lag in degrees"),
        ])), "its tidal constants"),
  ])
}
