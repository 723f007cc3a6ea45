/// Checks SBML files by the rules on XML, identifiers and flux balance constraints.
///
/// - Source: SBML Level 3 Version 2 Core, appendix A; Flux Balance Constraints version 2, release 1, appendix A.
struct SBMLValidator {
  let tree: SBMLTree
  private(set) var problems: [SBMLProblem] = []
  /// The most problems that are told of a file.
  static let limit = 1000

  /// All that a file breaks of the rules that are checked, in the order of the rules' groups.
  ///
  /// - Throws: ``SBMLError`` if it is no well-formed XML.
  static func problems(_ bytes: [UInt8]) throws -> [SBMLProblem] {
    let holder = TreeHolder()
    try bytes.withUnsafeBytes { bytes in
      try SBMLSource.read(bytes) { reader, event in holder.tree.take(event, reader) }
    }
    var validator = SBMLValidator(tree: holder.tree)
    holder.tree = SBMLTree()
    validator.checkAttributes()
    validator.checkLists()
    validator.checkIdentifiers()
    validator.checkUnits()
    validator.checkPackage()
    validator.checkElements()
    validator.checkReferences()
    validator.checkBounds()
    validator.checkStrictness()
    return validator.problems
  }

  private init(tree: SBMLTree) { self.tree = tree }

  private final class TreeHolder {
    var tree = SBMLTree()
  }

  /// Notes that an element breaks a rule.
  mutating func report(_ rule: Int, _ index: Int, _ text: String, code: String = "str-003") {
    let node = tree.nodes[index]
    add(
      SBMLProblem(
        code: "pathcase." + code, rule: rule, line: node.line, column: node.column,
        id: node["id"] ?? node.flux("id"), text: text))
  }

  mutating func add(_ problem: SBMLProblem) {
    if problems.count < Self.limit { problems.append(problem) }
  }
}

/// The forms that texts in SBML have.
enum SBMLForm {
  /// Whether it is an identifier: a letter or underscore, then letters, digits and underscores.
  static func isIdentifier(_ text: String) -> Bool {
    guard let first = text.utf8.first, isLetter(first) || first == UInt8(ascii: "_") else { return false }
    return text.utf8.allSatisfy { isLetter($0) || isDigit($0) || $0 == UInt8(ascii: "_") }
  }

  /// Whether it is an identifier of XML.
  ///
  /// - Source: XML 1.0, fourth edition, appendix B: letters are those of Unicode 2.0 that are not made of others.
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
    // Not there in Unicode 2.0, or made of others.
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

  /// Whether it is a term of the Systems Biology Ontology: `SBO:` and seven digits.
  static func isTerm(_ text: String) -> Bool {
    text.hasPrefix("SBO:") && text.utf8.count == 11 && text.utf8.dropFirst(4).allSatisfy(isDigit)
  }

  /// The number of a term of the Systems Biology Ontology; nil if it is none.
  static func term(_ text: String) -> Int? {
    isTerm(text) ? text.utf8.dropFirst(4).reduce(0) { $0 * 10 + Int($1) - 48 } : nil
  }

  /// The term of a number.
  static func term(_ number: Int) -> String {
    let digits = String(number)
    return "SBO:" + String(repeating: "0", count: max(0, 7 - digits.utf8.count)) + digits
  }

  /// Whether it is a chemical formula: names that begin with a capital letter, each with a number or none.
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
