/// Texts of services as messages show them.
enum ShownText {
  /// The text with replacement characters where it has control characters or marks that reorder what follows.
  ///
  /// Line ends and tabs become blanks, and what is longer than `limit` characters is cut.
  static func cleaned(_ text: String, limit: Int = 2000) -> String {
    var result = String.UnicodeScalarView()
    for scalar in text.unicodeScalars.prefix(limit) {
      switch scalar.value {
      case 0x09, 0x0A, 0x0D: result.append(" ")
      case _ where isHarmless(scalar): result.append(scalar)
      default: result.append("\u{FFFD}")
      }
    }
    return String(result)
  }

  /// Whether a scalar leaves the terminal, and the order of what follows, alone.
  ///
  /// - Source: Unicode Standard Annex 9, section 2 (the marks of direction).
  static func isHarmless(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0..<0x20, 0x7F..<0xA0, 0x061C, 0x200E...0x200F, 0x2028...0x202E, 0x2066...0x2069, 0xFEFF: false
    default: true
    }
  }
}
