/// A colour of text: the terminal's own, one of its 256, or red, green and blue.
@frozen public struct Color: Sendable, Hashable {
  /// 0 for the default; `0x01_00_00_nn` for palette entry nn; `0x02_rr_gg_bb` for a colour.
  public var packed: UInt32

  /// Creates a colour from its packed form.
  @inlinable public init(packed: UInt32) {
    self.packed = packed
  }

  /// The terminal's own colour.
  @inlinable public static var standard: Color { Color(packed: 0) }

  /// A palette entry, 0…255; the first 16 are the terminal's theme.
  @inlinable public static func palette(_ index: UInt8) -> Color { Color(packed: 0x0100_0000 | UInt32(index)) }

  /// A colour of 8-bit red, green and blue.
  @inlinable public static func rgb(_ red: UInt8, _ green: UInt8, _ blue: UInt8) -> Color {
    Color(packed: 0x0200_0000 | UInt32(red) << 16 | UInt32(green) << 8 | UInt32(blue))
  }

  /// Red, green and blue, if it is such a colour.
  @inlinable public var components: (red: UInt8, green: UInt8, blue: UInt8)? {
    packed >> 24 == 2 ? (UInt8(packed >> 16 & 255), UInt8(packed >> 8 & 255), UInt8(packed & 255)) : nil
  }

  /// The palette entry, if it is one.
  @inlinable public var paletteIndex: UInt8? { packed >> 24 == 1 ? UInt8(packed & 255) : nil }
}

/// How many colours can be seen.
public enum ColorDepth: Int, Sendable, Hashable, Comparable {
  /// None: bold, underline and reverse only.
  case none
  /// The 16 of the terminal's theme.
  case sixteen
  /// 256.
  case palette
  /// All.
  case trueColor

  /// Orders by the number of colours.
  public static func < (left: ColorDepth, right: ColorDepth) -> Bool { left.rawValue < right.rawValue }
}

/// How a cell looks.
@frozen public struct Style: Sendable, Hashable {
  /// Attributes of text.
  @frozen public struct Attributes: OptionSet, Sendable, Hashable {
    /// The bits.
    public let rawValue: UInt8
    /// Creates a set from its bits.
    @inlinable public init(rawValue: UInt8) { self.rawValue = rawValue }
    /// Bold.
    @inlinable public static var bold: Attributes { Attributes(rawValue: 1) }
    /// Dim.
    @inlinable public static var dim: Attributes { Attributes(rawValue: 2) }
    /// Italic.
    @inlinable public static var italic: Attributes { Attributes(rawValue: 4) }
    /// Underlined.
    @inlinable public static var underline: Attributes { Attributes(rawValue: 8) }
    /// Foreground and background exchanged.
    @inlinable public static var reverse: Attributes { Attributes(rawValue: 16) }
  }

  /// The colour of the text.
  public var foreground: Color
  /// The colour behind it.
  public var background: Color
  /// Attributes.
  public var attributes: Attributes

  /// Creates a style.
  @inlinable public init(
    foreground: Color = .standard, background: Color = .standard, attributes: Attributes = []
  ) {
    self.foreground = foreground
    self.background = background
    self.attributes = attributes
  }

  /// The terminal's own look.
  @inlinable public static var plain: Style { Style() }
  /// Headings.
  @inlinable public static var heading: Style { Style(attributes: .bold) }
  /// What matters less.
  @inlinable public static var secondary: Style { Style(foreground: .palette(8)) }
  /// Things that can be done: keys, links, buttons.
  @inlinable public static var accent: Style { Style(foreground: .palette(6)) }
  /// The selected row of the active list.
  @inlinable public static var selection: Style { Style(attributes: .reverse) }
  /// The selected row of a list that is not active.
  @inlinable public static var inactiveSelection: Style { Style(attributes: .underline) }
  /// What went wrong.
  @inlinable public static var error: Style { Style(foreground: .palette(1), attributes: .bold) }
  /// What deserves attention.
  @inlinable public static var warning: Style { Style(foreground: .palette(3)) }
  /// What went well.
  @inlinable public static var success: Style { Style(foreground: .palette(2)) }
  /// The part of a text that matched a search.
  @inlinable public static var match: Style { Style(foreground: .palette(3), attributes: .bold) }

  /// The style with more attributes.
  public func adding(_ attributes: Attributes) -> Style {
    Style(foreground: foreground, background: background, attributes: self.attributes.union(attributes))
  }

  /// The style over another: what is standard here is taken from there.
  public func over(_ base: Style) -> Style {
    Style(
      foreground: foreground == .standard ? base.foreground : foreground,
      background: background == .standard ? base.background : background,
      attributes: attributes.union(base.attributes))
  }
}
