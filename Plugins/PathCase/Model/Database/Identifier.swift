/// An identifier by which parts of a network refer to each other.
///
/// Identifiers are equal if their bytes are equal: texts that differ in Unicode normalization or case are different.
/// They are ordered by their bytes too, so sorting gives the same result in every run.
struct Identifier: Sendable {
  /// The text as written, never normalized.
  let text: String

  init(_ text: String) {
    self.text = text
  }
}

extension Identifier {
  /// Returns the ids that a user's word may stand for, best first.
  ///
  /// Species and reactions of SBML files have the prefixes `M_` and `R_`, which users omit.
  static func meant(by word: String) -> [Identifier] { ["", "M_", "R_"].map { Identifier($0 + word) } }
}

extension Identifier: Hashable, Comparable {
  static func == (left: Identifier, right: Identifier) -> Bool { left.text.hasSameBytes(as: right.text) }

  static func < (left: Identifier, right: Identifier) -> Bool {
    left.text.utf8.lexicographicallyPrecedes(right.text.utf8)
  }

  func hash(into hasher: inout Hasher) {
    var text = text
    text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
  }
}

extension Identifier: ExpressibleByStringLiteral, CustomStringConvertible {
  init(stringLiteral text: String) { self.init(text) }

  var description: String { text }
}

extension String {
  /// Returns whether two texts have the same bytes; `==` also takes different Unicode normalizations for equal.
  func hasSameBytes(as other: String) -> Bool {
    if utf8.count != other.utf8.count || self != other { return false }
    // Of texts that are equal and as long, those of ASCII alone, which have a byte for each UTF-16 unit, have the same
    // bytes.
    return utf16.count == utf8.count || utf8.elementsEqual(other.utf8)
  }
}
