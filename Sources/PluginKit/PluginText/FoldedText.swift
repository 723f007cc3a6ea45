@_spi(_Unicode) import Swift

/// Text folded for searching and ordering, without differences of case, diacritics and composition.
///
/// Letters are decomposed, their marks removed and capitals converted to lower case; a final sigma becomes an ordinary
/// sigma. Texts with the same bytes are equal in a search.
///
/// - Source: The Unicode Standard, sections 3.11 (decomposition) and 5.18 (case).
public enum FoldedText {
  /// Returns the folded text as UTF-8.
  public static func bytes(_ text: String) -> [UInt8] {
    var out: [UInt8] = []
    append(text, to: &out)
    return out
  }

  /// Appends a folded text to bytes.
  public static func append(_ text: String, to out: inout [UInt8]) {
    var text = text
    text.withUTF8 { append($0, to: &out) }
  }

  /// Appends a folded text, given as UTF-8, to bytes.
  ///
  /// - Complexity: linear; of ASCII only the case is changed.
  public static func append(_ text: UnsafeBufferPointer<UInt8>, to out: inout [UInt8]) {
    if text.allSatisfy({ $0 < 0x80 }) {
      out.append(contentsOf: text.lazy.map(lower))
    } else {
      for scalar in String(decoding: text, as: UTF8.self)._nfd { append(scalar, to: &out) }
    }
  }

  /// Returns the folded text, with signs that keyboards lack spelled out.
  ///
  /// `α-Ketoglutarate` becomes `alpha-ketoglutarate`, `H₂O` `h2o` and `NAD⁺` `nad+`.
  /// - Parameter limit: The maximum number of scalars used.
  public static func typed(_ text: String, limit: Int = .max) -> [UInt8] {
    let start = text.utf8.count > limit ? String(text.unicodeScalars.prefix(limit)) : text
    var out: [UInt8] = []
    if start.utf8.allSatisfy({ $0 < 0x80 }) {
      append(start, to: &out)
      return out
    }
    for scalar in start._nfd {
      if scalar.isASCII {
        out.append(lower(UInt8(scalar.value)))
      } else if let spelled = spelled(scalar) {
        out.append(contentsOf: spelled.utf8)
      } else {
        append(scalar, to: &out)
      }
    }
    return out
  }

  private static func isMark(_ scalar: Unicode.Scalar) -> Bool {
    scalar.value >= 0x300 && scalar.properties.generalCategory == .nonspacingMark
  }

  private static func append(_ scalar: Unicode.Scalar, to out: inout [UInt8]) {
    if scalar.value < 0x80 {
      out.append(lower(UInt8(scalar.value)))
    } else if scalar.value == 0x3C2 {
      // The sigma at the end of a word is the same letter.
      out.append(contentsOf: [0xCF, 0x83])
    } else if !isMark(scalar) {
      out.append(contentsOf: scalar.properties.lowercaseMapping.utf8)
    }
  }

  private static func lower(_ byte: UInt8) -> UInt8 { 0x41...0x5A ~= byte ? byte | 0x20 : byte }

  /// Returns the spelling of a letter or sign; nil for one that stays.
  private static func spelled(_ scalar: Unicode.Scalar) -> String? {
    switch scalar.value {
    case 0x2080...0x2089: return String(scalar.value - 0x2080)
    case 0x2070, 0x2074...0x2079: return String(scalar.value - 0x2070)
    case 0xB9: return "1"
    case 0xB2, 0xB3: return String(scalar.value - 0xB0)
    case 0x207A, 0x208A: return "+"
    case 0x207B, 0x208B, 0x2010...0x2014, 0x2212: return "-"
    case 0x2019, 0x2032: return "'"
    case 0xB5, 0x391...0x3C9: return greek[scalar.properties.lowercaseMapping]
    default: return nil
    }
  }

  /// Letters in names of metabolites and enzymes.
  private static let greek = [
    "α": "alpha", "β": "beta", "γ": "gamma", "δ": "delta", "ε": "epsilon", "ζ": "zeta", "η": "eta", "κ": "kappa",
    "λ": "lambda", "μ": "mu", "µ": "mu", "ω": "omega",
  ]
}
