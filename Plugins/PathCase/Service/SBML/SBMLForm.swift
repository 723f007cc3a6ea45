import PluginText

/// Checks the forms of texts in SBML.
enum SBMLForm {
  /// Returns whether a text is an identifier: a letter or underscore, then letters, digits and underscores.
  static func isIdentifier(_ text: String) -> Bool {
    guard let first = text.utf8.first, isLetter(first) || first == UInt8(ascii: "_") else { return false }
    return text.utf8.allSatisfy { isLetter($0) || isDigit($0) || $0 == UInt8(ascii: "_") }
  }

  /// Returns whether a text is an XML identifier.
  ///
  /// - Source: XML 1.0, fourth edition, appendix B: letters are those of Unicode 2.0 that are not composed of others.
  static func isXMLIdentifier(_ text: String) -> Bool {
    var isFirst = true
    for scalar in text.unicodeScalars {
      let isMark = scalar == "_" || scalar == ":"
      let isInner = !isFirst && (scalar == "-" || scalar == "." || scalar == "\u{B7}" || isInnerLetter(scalar))
      if !isMark, !isXMLLetter(scalar), !isInner { return false }
      isFirst = false
    }
    return !isFirst
  }

  private static func isXMLLetter(_ scalar: Unicode.Scalar) -> Bool {
    // These are not in Unicode 2.0, or are composed of others.
    let isExcluded =
      (0x1200...0x1DFF).contains(scalar.value) || (0x132...0x133).contains(scalar.value)
      || (0x13F...0x140).contains(scalar.value) || scalar.value == 0x149 || scalar.value == 0x17F
      || (0x1C4...0x1CC).contains(scalar.value) || (0x1F1...0x1F3).contains(scalar.value)
      || (0xF900...0xFFFE).contains(scalar.value) || scalar.value > 0xFFFF
    if isExcluded { return false }
    switch scalar.properties.generalCategory {
    case .lowercaseLetter, .uppercaseLetter, .otherLetter, .titlecaseLetter, .letterNumber: return true
    default: return false
    }
  }

  private static func isInnerLetter(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .spacingMark, .enclosingMark, .nonspacingMark, .modifierLetter, .decimalNumber: true
    default: false
    }
  }

  /// Returns whether a text is a Systems Biology Ontology term: `SBO:` and seven digits.
  static func isTerm(_ text: String) -> Bool {
    text.hasPrefix("SBO:") && text.utf8.count == 11 && text.utf8.dropFirst(4).allSatisfy(isDigit)
  }

  /// Returns the number of a Systems Biology Ontology term; nil if the text is not a term.
  static func term(_ text: String) -> Int? {
    isTerm(text) ? text.utf8.dropFirst(4).reduce(0) { $0 * 10 + Int($1) - 48 } : nil
  }

  /// Returns the term with a number.
  static func term(_ number: Int) -> String {
    let digits = String(number)
    return "SBO:" + String(repeating: "0", count: max(0, 7 - digits.utf8.count)) + digits
  }

  /// Returns whether a text is a chemical formula: names that begin with a capital letter, each followed by an optional
  /// number.
  static func isFormula(_ text: String) -> Bool {
    var isInName = false
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "A")...UInt8(ascii: "Z"): isInName = true
      case UInt8(ascii: "a")...UInt8(ascii: "z"):
        if !isInName { return false }
      case UInt8(ascii: "0")...UInt8(ascii: "9"):
        if text.utf8.first == byte, !isInName { return false }
        isInName = false
      default: return false
      }
    }
    return true
  }

  private static func isLetter(_ byte: UInt8) -> Bool { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20) }
  private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }
}

/// Numbers in the notation of XML Schema and SBML.
///
/// - Source: XML Schema Part 2, section 3.2.5, type `double`.
enum SBMLNumber {
  static func read(_ raw: String) -> Double? {
    switch raw.trimmed() {
    case "INF", "+INF": .infinity
    case "-INF": -.infinity
    case "NaN": .nan
    default: MapNumber.double(raw)
    }
  }

  /// Returns the text of a number, which is read back exactly.
  static func text(_ number: Double) -> String {
    if number.isNaN { return "NaN" }
    if number.isInfinite { return number > 0 ? "INF" : "-INF" }
    if number == number.rounded(), abs(number) < 1e15 { return String(Int(number)) }
    return "\(number)"
  }
}
