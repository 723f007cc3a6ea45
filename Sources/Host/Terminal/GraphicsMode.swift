import PluginAPI
import PluginImages

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

extension GraphicsMode {
  /// Returns the bytes that show a picture in pixels at the cursor.
  ///
  /// - Parameters:
  ///   - picture: The picture, not empty; it fills its place.
  ///   - cells: The size of its place in cells.
  ///   - cellPixels: The pixels of a cell.
  ///   - movesCursor: True if the cursor must end below the picture, as on a stream; sixel and kitty always move it.
  /// - Throws: ``TerminalError`` where sixel or kitty need a library that is missing.
  func encode(
    _ picture: Picture, cells: Size, cellPixels: Size, movesCursor: Bool
  ) throws(TerminalError) -> [UInt8] {
    precondition(needsPixels, "half-blocks, braille and ASCII are drawn by cells")
    guard self == .iterm else {
      return try ChafaLibrary.shared().encode(picture, as: self, cells: cells, cellPixels: cellPixels)
    }
    guard cells.width > 0, cells.height > 0, let file = try? PNGWriter.bytes(of: picture, compressionLevel: 1) else {
      throw .notEncoded(mode: self)
    }
    return Self.inlineImage(file, cells: cells, movesCursor: movesCursor)
  }

  /// Returns a PNG file as an inline image of iTerm2.
  ///
  /// - Source: iTerm2, "Inline Images Protocol", https://iterm2.com/documentation-images.html
  private static func inlineImage(_ file: [UInt8], cells: Size, movesCursor: Bool) -> [UInt8] {
    let place = "width=\(cells.width);height=\(cells.height);preserveAspectRatio=0"
    let cursor = movesCursor ? "" : ";doNotMoveCursor=1"
    let head = "\u{1B}]1337;File=inline=1;size=\(file.count);\(place)\(cursor):"
    return Array(head.utf8) + Base64.encoded(file) + [0x07]
  }
}
