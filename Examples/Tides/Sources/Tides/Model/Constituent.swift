import PluginAPI

/// One of the regular motions a tide is made of.
enum Constituent: String, CaseIterable, FieldValue {
  case m2 = "M2"
  case s2 = "S2"
  case n2 = "N2"
  case k2 = "K2"
  case k1 = "K1"
  case o1 = "O1"
  case p1 = "P1"
  case m4 = "M4"

  /// Multiples of the hour angle, of the mean longitudes of moon, sun and lunar perigee, and a constant in degrees.
  ///
  /// - Source: A. T. Doodson, "The harmonic development of the tide-generating potential", Proc. R. Soc. A 100 (1921),
  ///   table of arguments; hour angle counted from midnight.
  private var argument: (hour: Double, moon: Double, sun: Double, perigee: Double, constant: Double) {
    switch self {
    case .m2: (2, -2, 2, 0, 0)
    case .s2: (2, 0, 0, 0, 0)
    case .n2: (2, -3, 2, 1, 0)
    case .k2: (2, 0, 2, 0, 0)
    case .k1: (1, 0, 1, 0, 90)
    case .o1: (1, -2, 1, 0, 270)
    case .p1: (1, 0, -1, 0, 270)
    case .m4: (4, -4, 4, 0, 0)
    }
  }

  /// The speed of the argument, in degrees per mean solar hour.
  var speed: Double {
    let multiple = argument
    return 15 * multiple.hour + Astronomy.moonSpeed * multiple.moon + Astronomy.sunSpeed * multiple.sun
      + Astronomy.perigeeSpeed * multiple.perigee
  }

  /// Returns the phase of the argument at Greenwich, in degrees.
  func phase(_ sky: Astronomy) -> Double {
    let multiple = argument
    return multiple.hour * sky.hourAngle + multiple.moon * sky.moon + multiple.sun * sky.sun
      + multiple.perigee * sky.perigee + multiple.constant
  }

  /// Returns the effect of the 18.6-year cycle of the moon's node: a factor, and degrees to add to the phase.
  ///
  /// - Source: D. T. Pugh, "Tides, Surges and Mean Sea-Level", Wiley 1987, table 4:3.
  func nodal(_ sky: Astronomy) -> (factor: Double, angle: Double) {
    let (cosine, sine) = (Degrees.cos(sky.node), Degrees.sin(sky.node))
    switch self {
    case .m2, .n2: return (1.000 - 0.037 * cosine, -2.1 * sine)
    case .k2: return (1.024 + 0.286 * cosine, -17.7 * sine)
    case .k1: return (1.006 + 0.115 * cosine, -8.9 * sine)
    case .o1: return (1.009 + 0.187 * cosine, 10.8 * sine)
    case .s2, .p1: return (1, 0)
    case .m4:
      let half = 1.000 - 0.037 * cosine
      return (half * half, -4.2 * sine)
    }
  }

  /// The amplitude of the equilibrium tide in meters before the factor of latitude; 0 for tides of shallow water.
  ///
  /// - Source: Pugh 1987, section 3:2:2: an ocean that follows the forces at once; coefficients of table 4:1 times
  ///   0.2687 m (the moon's general coefficient).
  var equilibriumAmplitude: Double {
    switch self {
    case .m2: 0.2440
    case .s2: 0.1136
    case .n2: 0.0467
    case .k2: 0.0309
    case .k1: 0.1425
    case .o1: 0.1013
    case .p1: 0.0472
    case .m4: 0
    }
  }

  /// The approximate number of cycles per day.
  var species: Int { Int(argument.hour) }
}
