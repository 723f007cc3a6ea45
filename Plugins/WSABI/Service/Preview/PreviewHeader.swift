import PluginText

/// A parser of the headers of a live preview's parts, whole or broken.
enum PreviewHeader {
  /// So long may a header be.
  static let limitInBytes = 8192

  /// Returns the index of the bytes after an empty line, or after a length in a line of its own.
  static func end(of bytes: ArraySlice<UInt8>) -> Int? {
    var lineStart = bytes.startIndex
    var isLengthDue = false
    var isFirst = true
    while let end = bytes[lineStart...].firstIndex(of: 0x0A), end - bytes.startIndex <= limitInBytes {
      let line = bytes[lineStart..<end].last == 0x0D ? bytes[lineStart..<(end - 1)] : bytes[lineStart..<end]
      // The first line is the rest of the boundary's line.
      if line.isEmpty, !isFirst { return end + 1 }
      if isLengthDue, !line.isEmpty, line.allSatisfy({ (0x30...0x39).contains($0) || $0 == 0x20 }) {
        return behindEmptyLine(bytes, end + 1)
      }
      isLengthDue = lowered(line).hasSuffix("content-length:")
      isFirst = false
      lineStart = end + 1
    }
    return nil
  }

  /// Returns the index itself, or the one after an empty line there; nil if that is not known yet.
  private static func behindEmptyLine(_ bytes: ArraySlice<UInt8>, _ place: Int) -> Int? {
    let next = bytes[place...].prefix(2)
    guard let first = next.first else { return nil }
    if first == 0x0A { return place + 1 }
    if first != 0x0D { return place }
    return next.count < 2 ? nil : next.last == 0x0A ? place + 2 : place
  }

  private static func lowered(_ bytes: ArraySlice<UInt8>) -> String {
    var text = bytes
    while let last = text.last, last <= 0x20 { text = text.dropLast() }
    return String(decoding: text, as: UTF8.self).lowercased()
  }

  /// Returns type and length, in any order within the header.
  static func fields(_ header: ArraySlice<UInt8>) -> (type: String, length: Int?) {
    let text = String(decoding: header, as: UTF8.self).lowercased()
    var length: Int?
    if let value = value(of: "content-length:", in: text) {
      let digits = value.drop { $0 == " " || $0.isNewline }.prefix { $0.isASCII && $0.isNumber }
      length = digits.utf8.count <= 12 ? Int(digits) : nil
    }
    let line = value(of: "content-type:", in: text)?.prefix { !$0.isNewline && $0 != ";" } ?? ""
    let end = place(of: "content-length:", in: line) ?? line.endIndex
    return (String(line[..<end]).trimmed(), length)
  }

  private static func value(of name: String, in text: String) -> Substring? {
    place(of: name, in: text[...]).map { text[$0...].dropFirst(name.utf8.count) }
  }

  static func place(of name: String, in text: Substring) -> String.Index? {
    text.indices.first { text[$0...].hasPrefix(name) }
  }
}
