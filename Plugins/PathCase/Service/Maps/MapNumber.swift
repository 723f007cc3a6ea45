import PluginText

/// Parses the numbers of files by the rules of XML Schema, without its NaN and infinities.
enum MapNumber {
  /// Returns the number in a text, ignoring surrounding whitespace; nil if it is not a finite number.
  ///
  /// - Source: XML Schema part 2, section 3.2.5 (double).
  static func double(_ text: String) -> Double? {
    let trimmed = text.trimmed()
    // Swift also reads hexadecimal, "nan" and "inf".
    let isPlain = trimmed.utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."),
        UInt8(ascii: "e"), UInt8(ascii: "E"):
        true
      default: false
      }
    }
    guard isPlain, let number = Double(trimmed), number.isFinite else { return nil }
    return number
  }

  /// Returns the number in an attribute; nil if it is absent or empty.
  ///
  /// - Throws: ``MapError/number(text:of:)``.
  static func optional(_ text: String?, of what: @autoclosure () -> String) throws(MapError) -> Double? {
    guard let text, !text.isEmpty else { return nil }
    guard let number = double(text) else { throw .number(text: text, of: what()) }
    return number
  }
}

/// Parses the texts of files.
enum MapText {
  /// Returns a text on one line: each run of whitespace becomes one space.
  static func oneLine(_ text: String) -> String {
    String(decoding: Array(words(text).joined(separator: [0x20])), as: UTF8.self)
  }

  /// Returns the words of a text, separated by whitespace.
  static func list(_ text: String) -> [String] { words(text).map { String(decoding: $0, as: UTF8.self) } }

  private static func words(_ text: String) -> [ArraySlice<UInt8>] { Array(text.utf8).split(whereSeparator: isBlank) }

  private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D }
}
