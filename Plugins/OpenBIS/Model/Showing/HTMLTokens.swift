/// A tokenizer that splits HTML into texts and tags; any input is accepted.
struct HTMLTokens: Sequence, IteratorProtocol {
  /// A piece of a page.
  enum Token: Equatable {
    /// Text with undecoded references.
    case text(String)
    /// A tag, its name in lower case.
    case tag(String, isClosing: Bool)
  }

  /// The length of the longest tag name; longer ones are text.
  private static let longestName = 16

  private let bytes: [UInt8]
  private var place = 0

  init(_ html: String) {
    bytes = Array(html.utf8)
  }

  mutating func next() -> Token? {
    while place < bytes.count {
      if bytes[place] == UInt8(ascii: "<") {
        if skipComment() { continue }
        if let tag = tag() { return tag }
      }
      return text()
    }
    return nil
  }

  /// Reads text up to the next `<`, at least one byte.
  private mutating func text() -> Token {
    let start = place
    place += 1
    while place < bytes.count, bytes[place] != UInt8(ascii: "<") { place += 1 }
    return .text(String(decoding: bytes[start..<place], as: UTF8.self))
  }

  /// Skips a comment or a declaration; returns true if there was one.
  private mutating func skipComment() -> Bool {
    guard place + 1 < bytes.count, bytes[place + 1] == UInt8(ascii: "!") || bytes[place + 1] == UInt8(ascii: "?") else {
      return false
    }
    let isComment = bytes[place...].starts(with: Array("<!--".utf8))
    var end = place + (isComment ? 4 : 2)
    while end < bytes.count {
      if bytes[end] == UInt8(ascii: ">"), !isComment || bytes[..<end].suffix(2).elementsEqual(Array("--".utf8)) {
        break
      }
      end += 1
    }
    place = Swift.min(bytes.count, end + 1)
    return true
  }

  /// Reads the tag at the current index; returns nil if there is none.
  private mutating func tag() -> Token? {
    var end = place + 1
    let isClosing = end < bytes.count && bytes[end] == UInt8(ascii: "/")
    if isClosing { end += 1 }
    let start = end
    while end < bytes.count, Self.isNamePart(bytes[end]) { end += 1 }
    guard end > start, end - start <= Self.longestName, !(0x30...0x39).contains(bytes[start]) else { return nil }
    let name = String(decoding: bytes[start..<end].map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }, as: UTF8.self)
    guard let close = endOfTag(from: end) else { return nil }
    place = close + 1
    return .tag(name, isClosing: isClosing)
  }

  /// Returns the index of a tag's `>` outside of quotes; nil if there is none before the next `<`.
  private func endOfTag(from start: Int) -> Int? {
    var quote: UInt8?
    for index in start..<bytes.count {
      let byte = bytes[index]
      if let open = quote {
        if byte == open { quote = nil }
      } else if byte == UInt8(ascii: ">") {
        return index
      } else if byte == UInt8(ascii: "<") {
        return nil
      } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
        quote = byte
      }
    }
    return nil
  }

  private static func isNamePart(_ byte: UInt8) -> Bool {
    (0x61...0x7A).contains(byte | 0x20) || (0x30...0x39).contains(byte)
  }
}
