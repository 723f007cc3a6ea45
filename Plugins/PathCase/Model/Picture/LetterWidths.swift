import PluginAPI

/// The widths of texts in Helvetica and metrically compatible fonts, such as Arial and Liberation Sans.
///
/// - Source: The widths of Helvetica's font metrics, in thousandths of the size.
enum LetterWidths {
  /// The widths of the characters from space (32) to tilde (126).
  private static let ascii: [UInt16] = [
    278, 278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333, 278, 278,
    556, 556, 556, 556, 556, 556, 556, 556, 556, 556, 278, 278, 584, 584, 584, 556,
    1015, 667, 667, 722, 722, 667, 611, 778, 722, 278, 500, 667, 556, 833, 722, 778,
    667, 778, 722, 667, 611, 722, 667, 944, 667, 667, 611, 278, 278, 278, 469, 556,
    333, 556, 556, 500, 556, 556, 278, 556, 556, 222, 222, 500, 222, 833, 556, 556,
    556, 556, 333, 500, 278, 556, 500, 722, 500, 500, 500, 334, 260, 334, 584,
  ]
  /// The average width of bold letters relative to regular ones.
  private static let bold = 1.07

  /// Returns the width of a line of text in a given size.
  static func width(_ text: some StringProtocol, size: Double, isBold: Bool = false) -> Double {
    var sum = 0
    for character in text {
      if let value = character.asciiValue {
        if value >= 32, value < 127 { sum += Int(ascii[Int(value) - 32]) }
      } else {
        sum += TextWidth.columns(character) * width(ofColumn: character)
      }
    }
    return Double(sum) * size / 1000 * (isBold ? bold : 1)
  }

  /// Returns the width per column of a character that Helvetica lacks, in thousandths of the size.
  private static func width(ofColumn character: Character) -> Int {
    if TextWidth.columns(character) == 2 { return 500 }
    // Mathematical operators, such as ⊖, come from fonts as wide as DejaVu Sans; letters of other scripts are about as
    // wide as the widest lowercase ones.
    return ("\u{2200}"..."\u{22FF}").contains(character) ? 838 : 600
  }

  /// Returns a text truncated to a width, with an ellipsis if something is cut.
  static func cut(_ text: String, to width: Double, size: Double, isBold: Bool = false) -> String {
    if Self.width(text, size: size, isBold: isBold) <= width { return text }
    let room = width - Self.width("…", size: size, isBold: isBold)
    var kept = ""
    var used = 0.0
    for character in text {
      used += Self.width(String(character), size: size, isBold: isBold)
      if used > room { break }
      kept.append(character)
    }
    return kept + "…"
  }
}
