import PluginText

/// A property's value as people read it.
///
/// HTML becomes text with its tables, an empty XML root `-`, everything is made harmless; of very long values only the
/// start is worked on unless all of it is asked for.
struct ShownValue: Equatable, Sendable {
  /// The text, in lines.
  var text: String
  /// The size of the value in bytes if only its start is shown; nil if all of it is.
  var wholeSizeInBytes: Int?

  /// How many bytes of a value are shown before it is asked for in full.
  static let usualLimit = 16_384

  /// Makes the text of a value.
  ///
  /// - Parameters:
  ///   - value: What the server sent.
  ///   - limit: How many bytes of it are worked on; nil for all.
  /// - Complexity: O(*n*) in the bytes worked on.
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

  /// The text, with a note at its end if there is more.
  var noted: String {
    guard let wholeSizeInBytes else { return text }
    return text + "\n… (\(Self.readableSize(wholeSizeInBytes)) in all)"
  }

  /// The first line, as lists of properties show it; `…` behind it if there is more.
  var firstLine: String {
    let first = text.split(separator: "\n", maxSplits: 1).first.map(String.init) ?? ""
    let isAll = first.utf8.count == text.utf8.count && wholeSizeInBytes == nil
    return SanitizedText.line(first) + (isAll ? "" : " …")
  }

  /// Whether it takes more than a line.
  var hasSeveralLines: Bool { text.utf8.contains(UInt8(ascii: "\n")) || wholeSizeInBytes != nil }

  /// The longest start of a text of no more than so many bytes that ends between characters.
  private static func start(of text: String, bytes limit: Int) -> String {
    if text.utf8.count <= limit { return text }
    let index = text.utf8.index(text.startIndex, offsetBy: limit)
    var end = index
    while end > text.startIndex, text.utf8[end] & 0xC0 == 0x80 { end = text.utf8.index(before: end) }
    return String(text[..<end])
  }

  /// Whether a value is `<root/>` or `<root></root>`: what openBIS keeps for an empty managed property.
  private static func isEmptyRoot(_ text: String) -> Bool {
    guard text.utf8.count < 64 else { return false }
    let marks = text.filter { !$0.isWhitespace }
    return marks == "<root/>" || marks == "<root></root>"
  }

  /// A number of bytes as people read it: `10.4 MB`.
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
