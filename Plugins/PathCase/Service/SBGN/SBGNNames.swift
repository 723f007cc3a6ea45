/// Assigns unique XML ids to the elements of a file.
///
/// - Source: Namespaces in XML 1.0, section 3 (NCName); all letters beyond ASCII are accepted.
struct SBGNNames {
  private var names: [Identifier: String] = [:]
  private var used: Set<Identifier> = []

  /// Returns whether an id has no name yet and is itself available as one.
  func isFree(_ id: Identifier) -> Bool { names[id] == nil && !used.contains(id) }

  /// Returns the name of an id: the id itself if XML permits it, or else one derived from it.
  mutating func name(of id: Identifier) -> String {
    if let name = names[id] { return name }
    let name = freshName(of: id)
    names[id] = name
    return name
  }

  /// Returns a name for an element that nothing refers to.
  mutating func freshName(of id: Identifier) -> String {
    let plain = Self.isName(id.text) ? id.text : Self.made(of: id.text)
    var name = plain
    var number = max(2, used.count)
    while !used.insert(Identifier(name)).inserted {
      name = "\(plain)_\(number)"
      number += 1
    }
    return name
  }

  /// Reserves names for ids before others take them.
  mutating func reserve(_ ids: [Identifier]) {
    for id in ids { _ = name(of: id) }
  }

  private static func isName(_ text: String) -> Bool {
    guard let first = text.utf8.first else { return false }
    return isStart(first) && text.utf8.allSatisfy { isStart($0) || isFurther($0) }
  }

  private static func made(of text: String) -> String {
    "id_" + String(decoding: text.utf8.map { isStart($0) || isFurther($0) ? $0 : UInt8(ascii: "_") }, as: UTF8.self)
  }

  private static func isStart(_ byte: UInt8) -> Bool {
    byte >= 0x80 || byte == UInt8(ascii: "_") || (byte | 0x20 >= UInt8(ascii: "a") && byte | 0x20 <= UInt8(ascii: "z"))
  }

  private static func isFurther(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "-") || byte == UInt8(ascii: ".") || (byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9"))
  }
}
