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

  /// Multiples of the hour angle and of the mean longitudes of moon, sun and lunar perigee, a constant in degrees, the
  /// amplitude of the equilibrium tide in meters before the factor of latitude (0 for tides of shallow water), and the
  /// published speed in degrees per mean solar hour.
  ///
  /// - Source: A. T. Doodson, "The harmonic development of the tide-generating potential", Proc. R. Soc. A 100 (1921),
  ///   table of arguments; hour angle counted from midnight. D. T. Pugh, "Tides, Surges and Mean Sea-Level", Wiley 1987,
  ///   section 3:2:2; coefficients of table 4:1 times 0.2687 m (the moon's general coefficient). P. Schureman, "Manual
  ///   of Harmonic Analysis and Prediction of Tides", U.S. Coast and Geodetic Survey Special Publication 98 (1958),
  ///   table 2: speeds.
  var terms:
    (hour: Double, moon: Double, sun: Double, perigee: Double, constant: Double, amplitude: Double, published: Double)
  {
    switch self {
    case .m2: (2, -2, 2, 0, 0, 0.2440, 28.984_104_2)
    case .s2: (2, 0, 0, 0, 0, 0.1136, 30)
    case .n2: (2, -3, 2, 1, 0, 0.0467, 28.439_729_5)
    case .k2: (2, 0, 2, 0, 0, 0.0309, 30.082_137_3)
    case .k1: (1, 0, 1, 0, 90, 0.1425, 15.041_068_6)
    case .o1: (1, -2, 1, 0, 270, 0.1013, 13.943_035_6)
    case .p1: (1, 0, -1, 0, 270, 0.0472, 14.958_931_4)
    case .m4: (4, -4, 4, 0, 0, 0, 57.968_208_4)
    }
  }

  /// The speed in degrees per mean solar hour.
  var speed: Double { angle(15, Astronomy.moonSpeed, Astronomy.sunSpeed, Astronomy.perigeeSpeed) }

  /// Returns the phase at Greenwich, in degrees.
  func phase(_ sky: Astronomy) -> Double { angle(sky.hourAngle, sky.moon, sky.sun, sky.perigee) + terms.constant }

  private func angle(_ hour: Double, _ moon: Double, _ sun: Double, _ perigee: Double) -> Double {
    let terms = terms
    return terms.hour * hour + terms.moon * moon + terms.sun * sun + terms.perigee * perigee
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

  /// Compares the speeds that follow from the astronomy with the published ones, which have seven decimals.
  static func findings() -> [Diagnostic] {
    allCases.filter { abs($0.speed - $0.terms.published) > 2e-7 }.map { constituent in
      Diagnostic(
        .error, code: TidesError.wrongSpeed.code,
        "\(constituent.rawValue) has a speed of \(constituent.speed)° per hour, published are "
          + "\(constituent.terms.published)°")
    }
  }
}
