import PluginText

/// Checks the prolog of an XML document, before its root element.
enum MarkupProlog {
  /// The maximum number of bytes checked; a document type is at the beginning.
  private static let limitInBytes = 1 << 16

  /// Rejects document types: those with internal declarations always, others unless they are permitted.
  ///
  /// - Source: XML 1.0, section 2.8.
  static func check(_ bytes: [UInt8], allowsDoctype: Bool) throws(MapError) {
    // In UTF-16 every second byte of ASCII is zero.
    let isWide = bytes.prefix(4).contains(0) || bytes.first == 0xFE || bytes.first == 0xFF
    let start = bytes.prefix(limitInBytes)
    let head = isWide ? start.filter { $0 != 0 }[...] : start
    guard let mark = doctype(head) else { return }
    let line = head[..<mark].count { $0 == 0x0A } + 1
    var quote: UInt8?
    for byte in head[mark...] {
      if let open = quote {
        if byte == open { quote = nil }
      } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
        quote = byte
      } else if byte == UInt8(ascii: "[") {
        throw .forbidden("the file declares a document type of its own in line \(line)")
      } else if byte == UInt8(ascii: ">") {
        break
      }
    }
    if !allowsDoctype { throw .forbidden("the file names a document type in line \(line)") }
  }

  /// Returns whether a document is a web page, ignoring case.
  static func isWebPage(_ bytes: ArraySlice<UInt8>) -> Bool {
    let head = bytes.prefix(512).drop { $0 <= 0x20 || $0 >= 0x80 }.map { $0 >= 0x41 && $0 <= 0x5A ? $0 | 0x20 : $0 }
    return head.starts(with: "<!doctype html".utf8) || head.starts(with: "<html".utf8)
  }

  /// Returns the offset of a document type; nil if there is none before the root element.
  private static func doctype(_ head: ArraySlice<UInt8>) -> Int? {
    var place = head.startIndex
    while let mark = head[place...].firstIndex(of: UInt8(ascii: "<")) {
      let rest = head[mark...]
      if rest.starts(with: "<!--".utf8) {
        guard let end = ByteSearch.firstIndex(of: "-->".utf8, in: rest.dropFirst(4)) else { return nil }
        place = end + 3
      } else if rest.starts(with: "<?".utf8) {
        guard let end = ByteSearch.firstIndex(of: "?>".utf8, in: rest.dropFirst(2)) else { return nil }
        place = end + 2
      } else {
        return rest.starts(with: "<!DOCTYPE".utf8) ? mark : nil
      }
    }
    return nil
  }

  /// Returns the offset of the first byte that is not valid UTF-8; nil if there is none, or if the file has another
  /// encoding.
  static func firstOddByte(_ bytes: [UInt8]) -> Int? {
    let declaration = bytes.prefix { $0 != UInt8(ascii: ">") }.prefix(200)
    if declaration.first == 0xFE || declaration.first == 0xFF { return nil }
    func declares(_ word: String) -> Bool { ByteSearch.contains(word.utf8, in: declaration) }
    if declares("encoding"), !declares("UTF-8"), !declares("utf-8") { return nil }
    do {
      _ = try UTF8Span(validating: bytes.span)
      return nil
    } catch {
      return error.byteOffsets.lowerBound
    }
  }
}
