import PluginAPI

extension GraphicsMode {
  /// The best mode for a terminal: pixels where it shows them, else half-blocks; without colors braille.
  static func best(for capabilities: TerminalCapabilities, depth: ColorDepth) -> GraphicsMode {
    if capabilities.showsKitty || capabilities.showsSixel, ChafaLibrary.isAvailable {
      return capabilities.showsKitty ? .kitty : .sixel
    }
    return depth == .none ? .braille : .halfBlock
  }
}
