import PluginAPI

/// The ways to show a picture in a terminal.
enum GraphicsMode: String, Sendable, Hashable, CaseIterable {
  /// Two pixels in a cell, one above the other, in two colors.
  case halfBlock = "half-block"
  /// 2×4 dots in a cell, in one color.
  case braille
  /// One ASCII character in a cell, by brightness.
  case ascii
  /// Pixels, six rows at a time.
  case sixel
  /// Pixels, by the kitty graphics protocol.
  case kitty
  /// Pixels, by the inline images of iTerm2, which WezTerm, mintty and others show too.
  case iterm
}
