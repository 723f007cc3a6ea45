internal import Synchronization

/// One cell of a screen: what is in it and how it looks.
@frozen public struct Cell: Sendable, Hashable {
  /// A Unicode scalar; 0 if nothing was drawn; ``continuation`` behind a wide character; above 0x10FFFF a cluster.
  public var glyph: UInt32
  /// How it looks.
  public var style: Style

  /// Creates a cell.
  @inlinable public init(glyph: UInt32 = 0, style: Style = .plain) {
    self.glyph = glyph
    self.style = style
  }

  /// The mark of the second cell of a wide character.
  @inlinable public static var continuation: UInt32 { 0xFFFF_FFFF }

  /// A cell nothing was drawn into: a picture beneath it shows, else a space.
  @inlinable public static var empty: Cell { Cell() }

  /// Creates a cell of a character.
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

/// Numbers characters of several scalars, so that a cell stays small and cells compare as numbers.
enum ClusterTable {
  private struct Entries {
    var texts: [String] = []
    var glyphs: [String: UInt32] = [:]
  }

  private static let first: UInt32 = 0x11_0000
  /// Beyond so many different clusters only the first scalar is kept: a bound on what hostile text can take.
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
