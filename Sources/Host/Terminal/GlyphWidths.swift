import PluginAPI

/// The width of a cell's glyph on a terminal, and its certainty.
struct GlyphWidths {
  /// The bytes sent for a glyph, and the resulting movement of the cursor.
  enum Form: Equatable {
    /// A space.
    case blank
    /// A scalar that is one column wide on every terminal.
    case narrow(UInt32)
    /// A scalar that is two columns wide on every terminal.
    case wide(UInt32)
    /// A scalar whose width may differ between terminals.
    case uncertain(UInt32)
    /// Several scalars.
    case cluster
  }

  private var columns: [UInt32: Int] = [:]

  /// Returns the form of a glyph.
  ///
  /// - Parameters:
  ///   - glyph: The glyph of a cell; control characters and lone second halves become spaces.
  ///   - isWide: True if the cell after it is its second half.
  ///   - isLast: True if it is in the last column, which cannot hold a wide character.
  @_optimize(speed)
  mutating func form(of glyph: UInt32, isWide: Bool, isLast: Bool) -> Form {
    if glyph <= 0x20 || glyph == Cell.continuation || (0x7F..<0xA0).contains(glyph) { return .blank }
    if glyph > 0x10_FFFF { return .cluster }
    if !isWide, Self.isNarrowEverywhere(glyph) { return .narrow(glyph) }
    switch width(glyph) {
    case 0: return .narrow(0xFFFD)
    case 2 where isLast: return .blank
    case 2 where isWide && glyph < 0x1_F000: return .wide(glyph)
    default: return .uncertain(glyph)
    }
  }

  /// Returns the text of a cluster for the last columns of a line.
  ///
  /// A terminal that does not combine its characters shows them side by side; if there is no room for that, only the
  /// first one is sent.
  mutating func text(of cell: Cell, columns: Int) -> String {
    let text = cell.text
    if columns >= 16 { return text }
    let widest = text.unicodeScalars.reduce(0) { $0 + width($1.value) }
    guard widest > columns, let first = text.unicodeScalars.first else { return text }
    return width(first.value) <= columns ? String(Character(first)) : " "
  }

  /// Latin, Greek and Cyrillic; punctuation, arrows and mathematics; lines, blocks and simple shapes; braille.
  private static func isNarrowEverywhere(_ glyph: UInt32) -> Bool {
    glyph < 0x300 || (0x370..<0x483).contains(glyph) || (0x2010..<0x2028).contains(glyph)
      || (0x2030..<0x2060).contains(glyph) || (0x2070..<0x20D0).contains(glyph) || (0x2100..<0x2300).contains(glyph)
      || (0x2500..<0x25FD).contains(glyph) || (0x2800..<0x2900).contains(glyph)
  }

  private mutating func width(_ glyph: UInt32) -> Int {
    if let known = columns[glyph] { return known }
    guard let scalar = Unicode.Scalar(glyph) else { return 0 }
    let width = TextWidth.columns(Character(scalar))
    columns[glyph] = width
    return width
  }
}
