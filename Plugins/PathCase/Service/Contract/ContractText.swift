import PluginText

/// Checks a document's bytes before they reach an XML reader.
enum ContractText {
  /// Rejects documents that are empty, have a document type, or are not valid text in the declared encoding.
  static func check(_ bytes: [UInt8], name: String) throws(ContractError) {
    if bytes.isEmpty { throw .notWellFormed(document: name, line: 1, column: 1, reason: "it is empty") }
    let isWide = bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF])
    // A document starts with ASCII characters; in a wide encoding each has a zero byte beside it.
    let start = isWide ? bytes.prefix(1 << 17).filter { $0 != 0 } : bytes
    if MarkupProlog.isWebPage(start[...]) { throw .documentType(document: name, reason: "is a web page") }
    if let line = documentTypeLine(start[...]) {
      throw .documentType(document: name, reason: "has a document type in line \(line), which is not supported")
    }
    if !isWide, declaresUTF8(start) { try checkUTF8(bytes, name: name) }
    // The zero bytes of wide characters do not affect the check.
    if !AttributeBudget.suffices(for: bytes) {
      throw .beyondLimits(document: name, reason: "its elements have too many attributes")
    }
  }

  /// Returns the line of a document type; nil if none precedes the root element.
  private static func documentTypeLine(_ bytes: ArraySlice<UInt8>) -> Int? {
    var remaining = bytes.drop { $0 == 0xEF || $0 == 0xBB || $0 == 0xBF || $0 == 0xFE || $0 == 0xFF }
    while true {
      remaining = remaining.drop(while: ContractNumber.isBlank)
      if remaining.starts(with: Array("<?".utf8)) {
        remaining = behind(Array("?>".utf8), in: remaining)
      } else if remaining.starts(with: Array("<!--".utf8)) {
        remaining = behind(Array("-->".utf8), in: remaining.dropFirst(4))
      } else {
        guard remaining.prefix(9).map({ $0 & 0xDF }) == Array("<!DOCTYPE".utf8).map({ $0 & 0xDF }) else { return nil }
        return bytes[..<remaining.startIndex].count { $0 == 0x0A } + 1
      }
    }
  }

  private static func behind(_ mark: [UInt8], in bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    let start = ByteSearch.firstIndex(of: mark, in: bytes) ?? bytes.endIndex
    return bytes[start...].dropFirst(mark.count)
  }

  /// Returns true if a document declares no encoding, or UTF-8 or a subset of it.
  private static func declaresUTF8(_ bytes: [UInt8]) -> Bool {
    let start = bytes.withoutByteOrderMark
    guard start.starts(with: Array("<?xml".utf8)) else { return true }
    let declaration = start.prefix(256).prefix { $0 != UInt8(ascii: ">") }
    let lowercased = Array(declaration.map { $0 | 0x20 })
    guard let offset = ByteSearch.firstIndex(of: "encoding".utf8, in: lowercased) else { return true }
    let value = lowercased[(offset + 8)...].drop { $0 == 0x20 || $0 == UInt8(ascii: "=") || ContractNumber.isBlank($0) }
    return value.dropFirst().starts(with: Array("utf-8".utf8)) || value.dropFirst().starts(with: Array("us-ascii".utf8))
  }

  /// Returns true if a libxml2 message concerns encodings.
  static func isAboutEncoding(_ reason: String) -> Bool {
    let lowercased = reason.utf8.map { $0 | 0x20 }
    return ["encod", "conversion"].contains { ByteSearch.contains($0.utf8, in: lowercased) }
  }

  /// Rejects bytes that are not valid UTF-8, and characters that XML does not permit.
  ///
  /// - Source: The Unicode Standard 15, table 3-7; XML 1.0, production 2.
  private static func checkUTF8(_ bytes: [UInt8], name: String) throws(ContractError) {
    var index = 0
    while index < bytes.count {
      let byte = bytes[index]
      if byte < 0x80 {
        if byte < 0x20, !ContractNumber.isBlank(byte) {
          throw position(of: index, in: bytes, name: name, byte: byte)
        }
        index += 1
        continue
      }
      let length = sequenceLength(bytes[index..<min(index + 4, bytes.count)])
      if length == 0 {
        let word = Hexadecimal.text(byte, digits: 2, isUppercase: true)
        throw .encoding(document: name, offset: index, reason: "the byte 0x\(word), which is not valid UTF-8")
      }
      index += length
    }
  }

  /// Returns the number of bytes in the character at the start, from 2 to 4; 0 if it is malformed.
  private static func sequenceLength(_ bytes: ArraySlice<UInt8>) -> Int {
    guard let first = bytes.first else { return 0 }
    let (length, second): (Int, ClosedRange<UInt8>) =
      switch first {
      case 0xC2...0xDF: (2, 0x80...0xBF)
      case 0xE0: (3, 0xA0...0xBF)
      case 0xED: (3, 0x80...0x9F)
      case 0xE1...0xEF: (3, 0x80...0xBF)
      case 0xF0: (4, 0x90...0xBF)
      case 0xF1...0xF3: (4, 0x80...0xBF)
      case 0xF4: (4, 0x80...0x8F)
      default: (0, 0x80...0xBF)
      }
    guard length > 0, bytes.count >= length, second.contains(bytes[bytes.startIndex + 1]) else { return 0 }
    return bytes.prefix(length).dropFirst(2).allSatisfy { (0x80...0xBF).contains($0) } ? length : 0
  }

  private static func position(of index: Int, in bytes: [UInt8], name: String, byte: UInt8) -> ContractError {
    let before = bytes[..<index]
    let line = before.count { $0 == 0x0A } + 1
    let start = before.lastIndex(of: 0x0A).map { $0 + 1 } ?? 0
    let column = String(decoding: bytes[start..<index], as: UTF8.self).unicodeScalars.count + 1
    return .notWellFormed(
      document: name, line: line, column: column,
      reason: "the character U+00\(Hexadecimal.text(byte, digits: 2, isUppercase: true)) is not allowed in XML")
  }
}
