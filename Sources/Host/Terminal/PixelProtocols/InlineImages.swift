import PluginAPI
import PluginImages

/// The inline images of iTerm2, which WezTerm, mintty and others show too; terminals do not announce them.
///
/// - Source: iTerm2, "Inline Images Protocol", https://iterm2.com/documentation-images.html
struct InlineImages: PixelProtocol {
  let name = "iterm"
  let scrollsAtLastRow = true

  func encode(_ picture: Picture, cells: Size, cellPixels: Size, movesCursor: Bool) throws(ErrorReport) -> [UInt8]? {
    guard cells.width > 0, cells.height > 0, let file = try? PNGWriter.bytes(of: picture, compressionLevel: 1) else {
      return nil
    }
    let place = "width=\(cells.width);height=\(cells.height);preserveAspectRatio=0"
    let cursor = movesCursor ? "" : ";doNotMoveCursor=1"
    let head = "\u{1B}]1337;File=inline=1;size=\(file.count);\(place)\(cursor):"
    return Array(head.utf8) + Base64.encoded(file) + [0x07]
  }
}

extension GraphicsMode {
  static let iterm = GraphicsMode.pixels(InlineImages())
}
