/// A decoder of HTML character references.
///
/// - Source: HTML Living Standard, section 13.5 (named) and 13.2.5.80 (numeric), 2026-11-21; only the names that occur
///   in lab texts.
enum HTMLEntity {
  private static let named: [String: Unicode.Scalar] = [
    "amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'", "nbsp": "\u{A0}", "copy": "©", "reg": "®",
    "deg": "°", "plusmn": "±", "sup1": "¹", "sup2": "²", "sup3": "³", "micro": "µ", "middot": "·", "frac12": "½",
    "frac14": "¼", "frac34": "¾", "times": "×", "divide": "÷", "szlig": "ß", "auml": "ä", "ouml": "ö", "uuml": "ü",
    "Auml": "Ä", "Ouml": "Ö", "Uuml": "Ü", "eacute": "é", "egrave": "è", "agrave": "à", "ccedil": "ç", "ntilde": "ñ",
    "alpha": "α", "beta": "β", "gamma": "γ", "delta": "δ", "Delta": "Δ", "epsilon": "ε", "theta": "θ", "kappa": "κ",
    "lambda": "λ", "mu": "μ", "pi": "π", "rho": "ρ", "sigma": "σ", "tau": "τ", "phi": "φ", "chi": "χ", "psi": "ψ",
    "omega": "ω", "Omega": "Ω", "ndash": "–", "mdash": "—", "lsquo": "‘", "rsquo": "’", "ldquo": "“", "rdquo": "”",
    "laquo": "«", "raquo": "»", "bull": "•", "hellip": "…", "prime": "′", "Prime": "″", "euro": "€", "trade": "™",
    "larr": "←", "uarr": "↑", "rarr": "→", "darr": "↓", "harr": "↔", "le": "≤", "ge": "≥", "ne": "≠", "asymp": "≈",
    "infin": "∞", "sum": "∑", "radic": "√", "minus": "−", "shy": "\u{AD}", "ensp": " ", "emsp": " ", "thinsp": " ",
  ]

  /// The length of the longest reference, without `&` and `;`.
  static let longest = 32

  /// Returns the character of a reference such as `amp`, `#8211` and `#x2013`; nil if it is unknown.
  static func scalar(_ name: some StringProtocol) -> Unicode.Scalar? {
    guard name.hasPrefix("#") else { return named[String(name)] }
    let digits = name.dropFirst()
    let isHexadecimal = digits.hasPrefix("x") || digits.hasPrefix("X")
    let text = isHexadecimal ? digits.dropFirst() : digits
    // A sign is not a digit, even if number parsers accept it.
    guard let first = text.unicodeScalars.first, first.properties.isASCIIHexDigit else { return nil }
    guard let value = UInt32(text, radix: isHexadecimal ? 16 : 10) else { return "\u{FFFD}" }
    return value == 0 ? "\u{FFFD}" : Unicode.Scalar(value) ?? "\u{FFFD}"
  }
}
