internal import Synchronization

/// A cell of a screen: its glyph and style.
@frozen public struct Cell: Sendable, Hashable {
  /// A Unicode scalar; 0 if the cell is empty; ``continuation`` for the second half of a wide character; above 0x10FFFF
  /// a character cluster.
  public var glyph: UInt32
  /// The style.
  public var style: Style

  /// Creates a cell.
  @inlinable public init(glyph: UInt32 = 0, style: Style = .plain) {
    self.glyph = glyph
    self.style = style
  }

  /// The glyph in the second cell of a wide character.
  @inlinable public static var continuation: UInt32 { 0xFFFF_FFFF }

  /// An empty cell: it shows the picture beneath it, or a space.
  @inlinable public static var empty: Cell { Cell() }

  /// Creates a cell with a character.
  public init(_ character: Character, style: Style = .plain) {
    self.init(glyph: ClusterTable.glyph(of: character), style: style)
  }

  /// The text in the cell; a space for an empty one, nothing for a continuation.
  public var text: String {
    if glyph == Cell.continuation { return "" }
    if glyph == 0 { return " " }
    if let scalar = Unicode.Scalar(glyph) { return String(Character(scalar)) }
    return ClusterTable.text(of: glyph)
  }
}

/// A table that numbers characters of several scalars, so that cells stay small and compare as numbers.
enum ClusterTable {
  private struct Entries {
    var texts: [String] = []
    var glyphs: [String: UInt32] = [:]
  }

  private static let first: UInt32 = 0x11_0000
  /// The maximum number of clusters; of any others only the first scalar is kept.
  ///
  /// Bounds the memory hostile text can take.
  private static let capacity = 65_536
  private static let entries = Mutex(Entries())

  static func glyph(of character: Character) -> UInt32 {
    let scalars = character.unicodeScalars
    guard let leading = scalars.first else { return 0x20 }
    if scalars.count == 1 { return leading.value < 0x20 || leading.value == 0x7F ? 0xFFFD : leading.value }
    return entries.withLock { entries in
      let text = String(character)
      if let known = entries.glyphs[text] { return known }
      if entries.texts.count == capacity || leading.value < 0x20 { return leading.value < 0x20 ? 0x20 : leading.value }
      let glyph = first + UInt32(entries.texts.count)
      entries.texts.append(text)
      entries.glyphs[text] = glyph
      return glyph
    }
  }

  static func text(of glyph: UInt32) -> String {
    entries.withLock { entries in
      let index = Int(glyph) - Int(first)
      return entries.texts.indices.contains(index) ? entries.texts[index] : "\u{FFFD}"
    }
  }
}
