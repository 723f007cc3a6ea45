import PluginAPI

/// Writes styled text for a terminal or a pipe.
///
/// Control characters of the text never reach the terminal: data must not be able to command it.
enum StyledTextWriter {
  /// The bytes of a text, every line ended by a line feed; without colours nothing but text.
  static func bytes(of text: StyledText, colorDepth: ColorDepth) -> [UInt8] {
    StyledTextEncoder(depth: colorDepth, isPlain: colorDepth == .none).bytes(of: text)
  }

  /// The text with control characters other than tab shown as replacement characters.
  static func harmless(_ text: String) -> String {
    let isHarmless = text.utf8.allSatisfy { ($0 >= 0x20 && $0 != 0x7F && $0 < 0xC2) || $0 > 0xC2 || $0 == 0x09 }
    if isHarmless { return text }
    var result = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      let isControl = scalar.properties.generalCategory == .control && scalar != "\t"
      result.append(isControl ? "\u{FFFD}" : scalar)
    }
    return String(result)
  }
}
