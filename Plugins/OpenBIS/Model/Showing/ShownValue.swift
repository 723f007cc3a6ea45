import PluginAPI
import PluginText

/// A property's value for people.
///
/// HTML becomes text with tables, an empty XML root becomes `-`, and everything is sanitized. Only the start of very
/// long values is processed, unless the whole value is requested.
struct ShownValue: Equatable, Sendable {
  /// The text, in lines.
  var text: String
  /// The size of the value in bytes if only its start is shown; nil if the whole value is shown.
  var wholeSizeInBytes: Int?

  /// The number of bytes of a value that are shown unless the whole value is requested.
  static let usualLimit = 16_384

  /// Creates the text of a value.
  ///
  /// - Parameters:
  ///   - value: The server's value.
  ///   - limit: The number of bytes to process; nil for all.
  /// - Complexity: O(*n*) in the bytes processed.
  init(_ value: String, limit: Int? = Self.usualLimit) {
    let size = value.utf8.count
    let part = limit.map { Self.start(of: value, bytes: $0) } ?? value
    if Self.isEmptyRoot(part) {
      text = "-"
    } else {
      text = HTMLText.isHTML(part) ? HTMLText.text(part) : SanitizedText.block(part)
    }
    wholeSizeInBytes = part.utf8.count < size ? size : nil
  }

  /// The text, followed by a note if there is more.
  var noted: String {
    guard let wholeSizeInBytes else { return text }
    return text + "\n… (\(Self.readableSize(wholeSizeInBytes)) in all)"
  }

  /// The first line, for lists of properties; followed by `…` if there is more.
  var firstLine: String {
    let first = text.split(separator: "\n", maxSplits: 1).first.map(String.init) ?? ""
    let isAll = first.utf8.count == text.utf8.count && wholeSizeInBytes == nil
    return SanitizedText.line(first) + (isAll ? "" : " …")
  }

  /// A Boolean value indicating whether the text takes more than one line.
  var hasSeveralLines: Bool { text.utf8.contains(UInt8(ascii: "\n")) || wholeSizeInBytes != nil }

  /// Returns the longest prefix of a text within a number of bytes that ends between characters.
  private static func start(of text: String, bytes limit: Int) -> String {
    if text.utf8.count <= limit { return text }
    let index = text.utf8.index(text.startIndex, offsetBy: limit)
    var end = index
    while end > text.startIndex, text.utf8[end] & 0xC0 == 0x80 { end = text.utf8.index(before: end) }
    return String(text[..<end])
  }

  /// Returns true if a value is `<root/>` or `<root></root>`, which openBIS stores for an empty managed property.
  private static func isEmptyRoot(_ text: String) -> Bool {
    guard text.utf8.count < 64, text.utf8.contains(UInt8(ascii: "<")) else { return false }
    let marks = text.filter { !$0.isWhitespace }
    return marks == "<root/>" || marks == "<root></root>"
  }

  /// Returns a number of bytes for people: `10.4 MB`.
  static func readableSize(_ bytes: Int) -> String {
    var amount = Double(bytes)
    for unit in ["bytes", "KB", "MB", "GB"] {
      if amount < 999.95 || unit == "GB" {
        return unit == "bytes" ? "\(bytes) bytes" : "\(Double(Int(amount * 10 + 0.5)) / 10) \(unit)"
      }
      amount /= 1000
    }
    return "\(bytes) bytes"
  }
}

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
    var (lines, offset): ([String], Int) = ([], 0)
    while offset < bytes.count {
      if bytes[offset] == UInt8(ascii: "<") {
        let (cdata, end) = markup(at: offset, in: bytes)
        if let cdata { lines.append(String(decoding: bytes[cdata], as: UTF8.self)) }
        offset = end
      } else {
        let end = bytes[offset...].firstIndex(of: UInt8(ascii: "<")) ?? bytes.count
        // Blanks between elements are not text.
        if let first = bytes[offset..<end].firstIndex(where: { $0 > 32 }),
          let last = bytes[offset..<end].lastIndex(where: { $0 > 32 })
        {
          lines.append(HTMLText.decoded(String(decoding: bytes[first...last], as: UTF8.self)))
        }
        offset = end
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

extension ErrorReport {
  /// The report with sanitized text: ids, addresses and messages in it may come from a server.
  var sanitized: ErrorReport {
    var report = self
    report.message = SanitizedText.line(message, limit: 4000)
    report.advice = advice.map { SanitizedText.line($0, limit: 4000) }
    return report
  }
}

extension Diagnostic {
  /// The diagnostic with sanitized text.
  var sanitized: Diagnostic {
    var notice = self
    notice.message = SanitizedText.line(message, limit: 4000)
    notice.advice = advice.map { SanitizedText.line($0, limit: 4000) }
    return notice
  }
}
