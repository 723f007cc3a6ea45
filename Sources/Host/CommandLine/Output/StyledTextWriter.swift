import PluginAPI

/// Writes styled text for a terminal or a pipe.
///
/// Control characters of the text never reach the terminal: data must not be able to command it.
enum StyledTextWriter {
  /// Returns the bytes of a text, with a line feed after every line; without colors, only the text.
  ///
  /// - Parameter linkedWidth: The width of the text if its addresses are marked as links.
  static func bytes(
    of text: StyledText, colorDepth: ColorDepth, background: Color = .black, theme: Theme = .standard,
    linkedWidth: Int? = nil
  ) -> [UInt8] {
    var encoder = StyledTextEncoder(
      depth: colorDepth, isPlain: colorDepth == .none, background: background, theme: theme)
    encoder.linkedWidth = linkedWidth
    return encoder.bytes(of: text)
  }

  /// Returns the text with replacement characters for control characters other than tab, and for reordering marks.
  static func harmless(_ text: String) -> String {
    let isPlain = text.utf8.allSatisfy {
      ($0 >= 0x20 && $0 != 0x7F && $0 < 0xC2) || ($0 > 0xC2 && $0 != 0xE2) || $0 == 0x09
    }
    if isPlain { return text }
    var result = String.UnicodeScalarView()
    for scalar in text.unicodeScalars { result.append(isHarmless(scalar) ? scalar : "\u{FFFD}") }
    return String(result)
  }

  /// Returns true for a scalar that neither controls a terminal nor reorders the text after it.
  static func isHarmless(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x09: true
    case 0..<0x20, 0x7F..<0xA0: false
    // Embeddings, overrides and isolates of writing direction, and separators of lines and paragraphs.
    case 0x2028...0x202E, 0x2066...0x2069: false
    default: true
    }
  }
}
