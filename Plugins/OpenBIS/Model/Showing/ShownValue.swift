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
    guard text.utf8.count < 64 else { return false }
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
