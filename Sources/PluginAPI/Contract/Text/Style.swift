internal import Synchronization

/// A color of text: the terminal's default, a palette entry, an RGB color, or the color of a role.
@frozen public struct Color: Sendable, Hashable {
  /// The packed form: 0 for the default; `0x01_00_00_nn` for palette entry nn; `0x02_rr_gg_bb` for an RGB color;
  /// `0x03_00_00_nn` for role nn.
  public var packed: UInt32

  /// Creates a color from its packed form.
  @inlinable public init(packed: UInt32) {
    self.packed = packed
  }

  /// The terminal's default color.
  @inlinable public static var standard: Color { Color(packed: 0) }

  /// Returns a palette entry, 0…255; the first 16 are the terminal's theme.
  @inlinable public static func palette(_ index: UInt8) -> Color { Color(packed: 0x0100_0000 | UInt32(index)) }

  /// Returns a color of 8-bit red, green and blue.
  @inlinable public static func rgb(_ red: UInt8, _ green: UInt8, _ blue: UInt8) -> Color {
    Color(packed: 0x0200_0000 | UInt32(red) << 16 | UInt32(green) << 8 | UInt32(blue))
  }

  /// Returns the color of a role in the host's theme.
  @inlinable public static func role(_ role: Role) -> Color { Color(packed: 0x0300_0000 | UInt32(role.rawValue)) }

  /// The role of a text, which determines its color.
  ///
  /// The host's theme assigns a color to each role when it draws.
  @frozen public struct Role: RawRepresentable, Sendable, Hashable {
    /// The number of the role.
    public let rawValue: UInt8
    /// Creates a role from its number.
    ///
    /// A role unknown to the host gets the terminal's default color.
    @inlinable public init(rawValue: UInt8) { self.rawValue = rawValue }
    /// Headings.
    @inlinable public static var heading: Role { Role(rawValue: 1) }
    /// Details.
    @inlinable public static var secondary: Role { Role(rawValue: 2) }
    /// Keys, links, buttons.
    @inlinable public static var accent: Role { Role(rawValue: 3) }
    /// The selected row of the active list.
    @inlinable public static var selection: Role { Role(rawValue: 4) }
    /// The selected row of an inactive list.
    @inlinable public static var inactiveSelection: Role { Role(rawValue: 5) }
    /// Errors.
    @inlinable public static var error: Role { Role(rawValue: 6) }
    /// Warnings.
    @inlinable public static var warning: Role { Role(rawValue: 7) }
    /// Success.
    @inlinable public static var success: Role { Role(rawValue: 8) }
    /// The part of a text that matches a search.
    @inlinable public static var match: Role { Role(rawValue: 9) }
  }

  /// The role, if this is the color of one.
  @inlinable public var role: Role? { packed >> 24 == 3 ? Role(rawValue: UInt8(packed & 255)) : nil }

  /// The red, green and blue components, if this is an RGB color.
  @inlinable public var components: (red: UInt8, green: UInt8, blue: UInt8)? {
    packed >> 24 == 2 ? (UInt8(packed >> 16 & 255), UInt8(packed >> 8 & 255), UInt8(packed & 255)) : nil
  }

  /// The palette entry, if this is one.
  @inlinable public var paletteIndex: UInt8? { packed >> 24 == 1 ? UInt8(packed & 255) : nil }
}

/// The number of colors that the terminal can show.
public enum ColorDepth: Int, Sendable, Hashable, Comparable {
  /// No colors: bold, underline and reverse only.
  case none
  /// The 16 colors of the terminal's theme.
  case sixteen
  /// 256 colors.
  case palette
  /// 24-bit RGB colors.
  case trueColor

  /// Orders by the number of colors.
  public static func < (left: ColorDepth, right: ColorDepth) -> Bool { left.rawValue < right.rawValue }
}

/// The style of a cell.
@frozen public struct Style: Sendable, Hashable {
  /// The attributes of text.
  @frozen public struct Attributes: OptionSet, Sendable, Hashable {
    /// The bits.
    public let rawValue: UInt16
    /// Creates a set from its bits.
    @inlinable public init(rawValue: UInt16) { self.rawValue = rawValue }
    /// Bold.
    @inlinable public static var bold: Attributes { Attributes(rawValue: 1) }
    /// Dim.
    @inlinable public static var dim: Attributes { Attributes(rawValue: 2) }
    /// Italic.
    @inlinable public static var italic: Attributes { Attributes(rawValue: 4) }
    /// Underline.
    @inlinable public static var underline: Attributes { Attributes(rawValue: 8) }
    /// Reverse: foreground and background exchanged.
    @inlinable public static var reverse: Attributes { Attributes(rawValue: 16) }
  }

  /// The color of the text.
  public var foreground: Color
  /// The color of the background.
  public var background: Color
  /// Attributes.
  public var attributes: Attributes
  /// Reserved for the number of a link and the color of an underline; 0 until a contract revision defines it.
  public var extra: UInt16

  /// Creates a style.
  @inlinable public init(
    foreground: Color = .standard, background: Color = .standard, attributes: Attributes = []
  ) {
    self.foreground = foreground
    self.background = background
    self.attributes = attributes
    self.extra = 0
  }

  /// The terminal's default style.
  @inlinable public static var plain: Style { Style() }
  /// Headings.
  @inlinable public static var heading: Style { Style(foreground: .role(.heading), attributes: .bold) }
  /// Details.
  @inlinable public static var secondary: Style { Style(foreground: .role(.secondary)) }
  /// Keys, links, buttons.
  @inlinable public static var accent: Style { Style(foreground: .role(.accent)) }
  /// The selected row of the active list.
  @inlinable public static var selection: Style { Style(foreground: .role(.selection), attributes: .reverse) }
  /// The selected row of an inactive list.
  @inlinable public static var inactiveSelection: Style {
    Style(foreground: .role(.inactiveSelection), attributes: .underline)
  }
  /// Errors.
  @inlinable public static var error: Style { Style(foreground: .role(.error), attributes: .bold) }
  /// Warnings.
  @inlinable public static var warning: Style { Style(foreground: .role(.warning)) }
  /// Success.
  @inlinable public static var success: Style { Style(foreground: .role(.success)) }
  /// The part of a text that matches a search.
  @inlinable public static var match: Style { Style(foreground: .role(.match), attributes: .bold) }

  /// Returns the style with more attributes.
  public func adding(_ attributes: Attributes) -> Style {
    var copy = self
    copy.attributes.formUnion(attributes)
    return copy
  }

  /// Returns the style laid over another: a standard color here takes the other's.
  public func over(_ base: Style) -> Style {
    var copy = self
    if foreground == .standard { copy.foreground = base.foreground }
    if background == .standard { copy.background = base.background }
    copy.attributes.formUnion(base.attributes)
    if extra == 0 { copy.extra = base.extra }
    return copy
  }
}

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
private enum ClusterTable {
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
