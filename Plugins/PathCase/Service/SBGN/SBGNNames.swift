/// Ids as XML takes them, each for one thing of the file.
///
/// - Source: Namespaces in XML 1.0, section 3 (NCName); of letters beyond ASCII all are taken.
struct SBGNNames {
  private var names: [Identifier: String] = [:]
  private var used: Set<Identifier> = []

  /// Whether an id has no name yet and its own would be free.
  func isFree(_ id: Identifier) -> Bool { names[id] == nil && !used.contains(id) }

  /// The name of an id: itself if XML takes it, else one made of it.
  mutating func name(of id: Identifier) -> String {
    if let name = names[id] { return name }
    let name = freshName(of: id)
    names[id] = name
    return name
  }

  /// A name for a thing that nothing refers to.
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

  /// Gives ids their names before others take them.
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
