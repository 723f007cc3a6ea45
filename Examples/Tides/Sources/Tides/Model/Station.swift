import PluginAPI

/// A place with the constants of its tide.
struct Station: Model, Equatable {
  /// The strength and delay of a constituent at a place.
  struct Constant: Model, Equatable {
    var constituent: Constituent
    /// Half the range, in meters.
    var amplitude: Double
    /// The phase lag behind Greenwich, in degrees.
    var lag: Double

    static let typeName = "tides.constant"
    static let fields = Fields<Constant> {
      Field("constituent", \.constituent, "Constituent", heading: "Constituent")
      Field("amplitude", \.amplitude, "Half the range", heading: "Amplitude", unit: "metre", decimals: 2)
      Field("lag", \.lag, "Phase lag behind Greenwich", heading: "Phase lag", unit: "degree", decimals: 1)
    }
  }

  var name: String
  /// Degrees north, -90…90.
  var latitude: Double
  /// Degrees east, -180…180.
  var longitude: Double
  var constants: [Constant]

  static let typeName = "tides.station"
  static let fields = Fields<Station> {
    Field("name", \.name, "Name of the station", heading: "Station")
    Field("latitude", \.latitude, "Degrees north", heading: "North", unit: "degree", decimals: 2)
    Field("longitude", \.longitude, "Degrees east", heading: "East", unit: "degree", decimals: 2)
    Field("strongest", \.constants.first?.constituent, "Constituent of the largest amplitude", heading: "Strongest")
    Field("constants", \.constants, "Tidal constants, largest amplitude first")
  }

  /// Returns a station with the equilibrium tide, that of an ocean that follows moon and sun without delay.
  ///
  /// - Source: Pugh 1987, equations 3:12: cos² of the latitude twice a day, sin of twice the latitude once a day.
  static func equilibrium(_ name: String, latitude: Double, longitude: Double) -> Station {
    let constants = Constituent.allCases.compactMap { constituent -> Constant? in
      let (terms, cosine) = (constituent.terms, Degrees.cos(latitude))
      let amplitude = terms.amplitude * (terms.hour == 1 ? Degrees.sin(2 * latitude) : cosine * cosine)
      if amplitude == 0 { return nil }
      // East of Greenwich the moon passes earlier; south of the equator the daily tide is inverted.
      let lag = -terms.hour * longitude + (amplitude < 0 ? 180 : 0)
      return Constant(constituent: constituent, amplitude: abs(amplitude), lag: Degrees.reduced(lag))
    }
    return Station(name: name, latitude: latitude, longitude: longitude, constants: constants)
  }
}
