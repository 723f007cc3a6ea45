/// The name by which things of a network refer to each other.
///
/// Two are the same if their bytes are: texts that look the same in other normal forms, or differ by case, are others.
/// They are ordered by their bytes too, so that what is sorted by them is the same in every run.
struct Identifier: Sendable {
  /// As it was written, never changed.
  let text: String

  init(_ text: String) {
    self.text = text
  }
}

extension Identifier: Hashable, Comparable {
  static func == (left: Identifier, right: Identifier) -> Bool { left.text.utf8.elementsEqual(right.text.utf8) }

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
