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

extension GraphicsMode {
  /// Returns the best mode for a terminal: pixels if it supports them, otherwise half-blocks; braille without colors.
  static func best(for capabilities: TerminalCapabilities, depth: ColorDepth) -> GraphicsMode {
    if capabilities.showsKitty || capabilities.showsSixel, ChafaLibrary.isAvailable {
      return capabilities.showsKitty ? .kitty : .sixel
    }
    return depth == .none ? .braille : .halfBlock
  }
}

extension GraphicsMode {
  /// A Boolean value indicating whether the mode shows pixels rather than characters.
  var needsPixels: Bool { self == .sixel || self == .kitty || self == .iterm }

  /// Returns the size of a cell in picture pixels.
  ///
  /// - Parameter cellPixels: The pixels of the terminal's cells, for the modes that show them.
  func pixelsPerCell(cellPixels: Size) -> Size {
    switch self {
    case .halfBlock, .ascii: Size(width: 1, height: 2)
    case .braille: Size(width: 2, height: 4)
    case .sixel, .kitty, .iterm: cellPixels
    }
  }
}
