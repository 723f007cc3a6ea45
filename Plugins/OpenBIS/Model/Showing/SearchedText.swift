import PluginText

/// The searchable text of a property's value: the visible text, without tags and attributes.
enum SearchedText {
  /// Returns the text of HTML and XML; any other value unchanged.
  ///
  /// - Complexity: O(*n*) in the bytes; a value without `<` is only scanned.
  static func of(_ value: String) -> String {
    guard value.utf8.contains(UInt8(ascii: "<")) else { return value }
    if HTMLText.isHTML(value) { return HTMLText.text(value) }
    return isXML(value) ? xmlText(value) : value
  }

  /// Returns true if a value is an XML document: it begins and ends with a tag, and contains a closing tag.
  private static func isXML(_ value: String) -> Bool {
    let bytes = value.utf8
    guard let first = bytes.firstIndex(where: { $0 > 32 }), let last = bytes.lastIndex(where: { $0 > 32 }),
      bytes[first] == UInt8(ascii: "<"), bytes[last] == UInt8(ascii: ">"), first < last
    else { return false }
    let next = bytes[bytes.index(after: first)]
    let isName = next | 0x20 >= UInt8(ascii: "a") && next | 0x20 <= UInt8(ascii: "z")
    guard isName || next == UInt8(ascii: "?") || next == UInt8(ascii: "!") || next == UInt8(ascii: "_") else {
      return false
    }
    var previous: UInt8 = 0
    for byte in bytes[first...] {
      if previous == UInt8(ascii: "<") && byte == UInt8(ascii: "/") { return true }
      if previous == UInt8(ascii: "/") && byte == UInt8(ascii: ">") { return true }
      previous = byte
    }
    return false
  }

  /// Returns the text between the tags, one element per line, with references decoded.
  private static func xmlText(_ value: String) -> String {
    let bytes = Array(value.utf8)
    var (lines, place): ([String], Int) = ([], 0)
    while place < bytes.count {
      if bytes[place] == UInt8(ascii: "<") {
        let (cdata, end) = markup(at: place, in: bytes)
        if let cdata { lines.append(String(decoding: bytes[cdata], as: UTF8.self)) }
        place = end
      } else {
        let end = bytes[place...].firstIndex(of: UInt8(ascii: "<")) ?? bytes.count
        // Blanks between elements are not text.
        if let first = bytes[place..<end].firstIndex(where: { $0 > 32 }),
          let last = bytes[place..<end].lastIndex(where: { $0 > 32 })
        {
          lines.append(HTMLText.decoded(String(decoding: bytes[first...last], as: UTF8.self)))
        }
        place = end
      }
    }
    return lines.joined(separator: "\n")
  }

  /// Skips a tag, a comment or a declaration.
  ///
  /// - Returns: The content of a CDATA section, if it is one, and the end.
  private static func markup(at start: Int, in bytes: [UInt8]) -> (cdata: Range<Int>?, end: Int) {
    let (opening, closing) = (Array("<![CDATA[".utf8), Array("]]>".utf8))
    if bytes[start...].starts(with: opening) {
      let end = ByteSearch.firstIndex(of: closing, in: bytes[(start + opening.count)...]) ?? bytes.count
      return (start + opening.count..<end, min(bytes.count, end + closing.count))
    }
    if bytes[start...].starts(with: Array("<!--".utf8)) {
      let end = ByteSearch.firstIndex(of: "-->".utf8, in: bytes[min(start + 4, bytes.count)...])
      return (nil, end.map { $0 + 3 } ?? bytes.count)
    }
    var (end, quote): (Int, UInt8?) = (start + 1, nil)
    while end < bytes.count {
      let byte = bytes[end]
      end += 1
      if let open = quote {
        if byte == open { quote = nil }
      } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
        quote = byte
      } else if byte == UInt8(ascii: ">") {
        break
      }
    }
    return (nil, end)
  }
}
