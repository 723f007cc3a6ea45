import PluginAPI

/// Compares the speeds that follow from the astronomy with the published ones.
enum ConstituentCheck {
  /// Degrees per mean solar hour.
  ///
  /// - Source: P. Schureman, "Manual of Harmonic Analysis and Prediction of Tides", U.S. Coast and Geodetic Survey
  ///   Special Publication 98 (1958), table 2.
  static let published: [Constituent: Double] = [
    .m2: 28.984_104_2, .s2: 30, .n2: 28.439_729_5, .k2: 30.082_137_3, .k1: 15.041_068_6, .o1: 13.943_035_6,
    .p1: 14.958_931_4, .m4: 57.968_208_4,
  ]

  static func findings() -> [Diagnostic] {
    Constituent.allCases.compactMap { constituent in
      // The published speeds are rounded to seven places.
      guard let speed = published[constituent], abs(constituent.speed - speed) > 2e-7 else { return nil }
      return Diagnostic(
        .error, code: TidesError.wrongSpeed.code,
        "\(constituent.rawValue) has a speed of \(constituent.speed)° per hour instead of \(speed)°")
    }
  }
}
