import PluginAPI

/// One of the regular motions a tide is made of; the tests compare their speeds with the published ones.
enum Constituent: String, CaseIterable, FieldValue {
  case m2 = "M2"
  case s2 = "S2"
  case n2 = "N2"
  case k2 = "K2"
  case k1 = "K1"
  case o1 = "O1"
  case p1 = "P1"
  case m4 = "M4"

  /// Multiples of the hour angle and of the mean longitudes of moon, sun and lunar perigee, a constant in degrees, and
  /// the amplitude of the equilibrium tide in meters before the factor of latitude (0 for tides of shallow water).
  ///
  /// - Source: A. T. Doodson, "The harmonic development of the tide-generating potential", Proc. R. Soc. A 100 (1921),
  ///   table of arguments; hour angle counted from midnight. D. T. Pugh, "Tides, Surges and Mean Sea-Level", Wiley 1987,
  ///   section 3:2:2; coefficients of table 4:1 times 0.2687 m (the moon's general coefficient).
  var terms: (hour: Double, moon: Double, sun: Double, perigee: Double, constant: Double, amplitude: Double) {
    switch self {
    case .m2: (2, -2, 2, 0, 0, 0.2440)
    case .s2: (2, 0, 0, 0, 0, 0.1136)
    case .n2: (2, -3, 2, 1, 0, 0.0467)
    case .k2: (2, 0, 2, 0, 0, 0.0309)
    case .k1: (1, 0, 1, 0, 90, 0.1425)
    case .o1: (1, -2, 1, 0, 270, 0.1013)
    case .p1: (1, 0, -1, 0, 270, 0.0472)
    case .m4: (4, -4, 4, 0, 0, 0)
    }
  }

  /// Returns the phase at Greenwich, in degrees.
  func phase(_ sky: Astronomy) -> Double {
    let (hour, moon, sun, perigee, constant, _) = terms
    return hour * sky.hourAngle + moon * sky.moon + sun * sky.sun + perigee * sky.perigee + constant
  }

  /// Returns the effect of the 18.6-year cycle of the moon's node: a factor, and degrees to add to the phase.
  ///
  /// - Source: Pugh 1987, table 4:3.
  func nodal(_ sky: Astronomy) -> (factor: Double, angle: Double) {
    let (cosine, sine) = (Degrees.cos(sky.node), Degrees.sin(sky.node))
    return switch self {
    case .m2, .n2: (1.000 - 0.037 * cosine, -2.1 * sine)
    case .k2: (1.024 + 0.286 * cosine, -17.7 * sine)
    case .k1: (1.006 + 0.115 * cosine, -8.9 * sine)
    case .o1: (1.009 + 0.187 * cosine, 10.8 * sine)
    case .s2, .p1: (1, 0)
    case .m4: ((1.000 - 0.037 * cosine) * (1.000 - 0.037 * cosine), -4.2 * sine)
    }
  }
}
