import PluginText

/// Numbers of files, by the rules of XML Schema and without its NaN and infinities.
enum MapNumber {
  /// The number that a text is, blanks around it left out; nil if it is none or not finite.
  ///
  /// - Source: XML Schema part 2, section 3.2.5 (double).
  static func double(_ text: String) -> Double? {
    let trimmed = text.trimmed()
    // Swift reads hexadecimal, "nan" and "inf" too.
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

  /// The number that an attribute is; nil if it is not there or empty.
  ///
  /// - Throws: ``MapError/number(text:of:)``.
  static func optional(_ text: String?, of what: @autoclosure () -> String) throws(MapError) -> Double? {
    guard let text, !text.isEmpty else { return nil }
    guard let number = double(text) else { throw .number(text: text, of: what()) }
    return number
  }
}

/// Texts of files.
enum MapText {
  /// A text on one line: each run of blanks becomes one.
  static func oneLine(_ text: String) -> String {
    String(decoding: Array(words(text).joined(separator: [0x20])), as: UTF8.self)
  }

  /// The words of a text, apart by blanks.
  static func list(_ text: String) -> [String] { words(text).map { String(decoding: $0, as: UTF8.self) } }

  private static func words(_ text: String) -> [ArraySlice<UInt8>] { Array(text.utf8).split(whereSeparator: isBlank) }

  private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D }
}
