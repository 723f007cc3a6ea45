import PluginAPI

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
