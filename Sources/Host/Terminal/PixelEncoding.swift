import PluginAPI
import PluginImages

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
