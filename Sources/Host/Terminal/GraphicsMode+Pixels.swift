import PluginAPI

extension GraphicsMode {
  /// Whether it shows pixels and not characters.
  var needsPixels: Bool { self == .sixel || self == .kitty || self == .iterm }

  /// How many picture pixels a cell is wide and high.
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
