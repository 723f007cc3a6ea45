import PluginAPI

extension GraphicsMode {
  /// Returns the best mode for a terminal: pixels if it supports them, otherwise half-blocks; braille without colors.
  static func best(for capabilities: TerminalCapabilities, depth: ColorDepth) -> GraphicsMode {
    if capabilities.showsKitty || capabilities.showsSixel, ChafaLibrary.isAvailable {
      return capabilities.showsKitty ? .kitty : .sixel
    }
    return depth == .none ? .braille : .halfBlock
  }
}
