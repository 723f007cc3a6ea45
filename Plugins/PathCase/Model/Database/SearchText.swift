extension [UInt8] {
  /// Whether a text that is searched has another one in it; every text has an empty one.
  func has(_ pattern: [UInt8]) -> Bool {
    guard let first = pattern.first else { return true }
    guard count >= pattern.count else { return false }
    return (0...count - pattern.count).contains { start in
      self[start] == first && self[start..<start + pattern.count].elementsEqual(pattern)
    }
  }
}

/// Texts as they are searched: in small letters, with what keyboards have in the place of what they have not.
///
/// `α-Ketoglutarate` is found by `alpha-keto`, `H₂O` by `h2o` and `NAD⁺` by `nad+`.
enum SearchText {
  /// The bytes to compare.
  ///
  /// - Parameter limit: No more scalars of a text count.
  static func folded(_ text: String, limit: Int = .max) -> [UInt8] {
    var bytes: [UInt8] = []
    for scalar in String(text.unicodeScalars.prefix(limit)).lowercased().unicodeScalars {
      if scalar.isASCII {
        bytes.append(UInt8(scalar.value))
      } else {
        bytes += Array((typed(scalar) ?? String(scalar)).utf8)
      }
    }
    return bytes
  }

  /// How a letter or sign is typed; nil for one that is as it is.
  private static func typed(_ scalar: Unicode.Scalar) -> String? {
    switch scalar.value {
    case 0x2080...0x2089: return String(scalar.value - 0x2080)
    case 0x2070, 0x2074...0x2079: return String(scalar.value - 0x2070)
    case 0xB9: return "1"
    case 0xB2, 0xB3: return String(scalar.value - 0xB0)
    case 0x207A, 0x208A: return "+"
    case 0x207B, 0x208B, 0x2010...0x2014, 0x2212: return "-"
    case 0x2019, 0x2032: return "'"
    default: return greek[scalar]
    }
  }

  /// Letters in names of metabolites and enzymes.
  private static let greek: [Unicode.Scalar: String] = [
    "α": "alpha", "β": "beta", "γ": "gamma", "δ": "delta", "ε": "epsilon", "ζ": "zeta", "η": "eta", "κ": "kappa",
    "λ": "lambda", "μ": "mu", "µ": "mu", "ω": "omega",
  ]
}
