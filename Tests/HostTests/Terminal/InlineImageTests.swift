import Foundation
import PluginAPI
import PluginImages
import Testing

@testable import Host

/// Pictures as inline images of iTerm2, read back.
struct InlineImageTests {
  private static let picture: Picture = {
    var pixels: [UInt8] = []
    for y in 0..<48 {
      for x in 0..<40 { pixels += [UInt8(x * 6), UInt8(y * 5), 90, x < 30 ? 255 : 0] }
    }
    return Picture(width: 40, height: 48, pixels: pixels)
  }()

  /// Returns the text before the colon, and the picture after it.
  private func parts(_ bytes: [UInt8]) throws -> (keys: [String], picture: Picture) {
    let text = String(decoding: bytes, as: UTF8.self)
    #expect(text.hasPrefix("\u{1B}]1337;File=") && text.hasSuffix("\u{7}"))
    let pieces = text.dropFirst(12).dropLast().split(separator: ":", maxSplits: 1)
    let file = Array(try #require(Data(base64Encoded: String(pieces[1]))))
    return (pieces[0].split(separator: ";").map(String.init), try ImageReader.picture(from: file))
  }

  @Test func `an inline image has the exact pixels and its size in cells`() throws {
    let encoded = try InlineImages().encode(
      Self.picture, cells: Size(width: 5, height: 3), cellPixels: Size(width: 8, height: 16), movesCursor: true)
    let (keys, picture) = try parts(#require(encoded))
    #expect(keys.filter { !$0.hasPrefix("size=") } == ["inline=1", "width=5", "height=3", "preserveAspectRatio=0"])
    #expect(picture.size == Self.picture.size)
    let isSame = (0..<picture.pixels.count / 4).allSatisfy { pixel in
      let (found, wanted) = (picture.pixels[(4 * pixel)...].prefix(4), Self.picture.pixels[(4 * pixel)...].prefix(4))
      return wanted.last == 0 ? found.last == 0 : Array(found) == Array(wanted)
    }
    #expect(isSame)
  }

  @Test func `on a screen the cursor does not move, and the lowest row uses half-blocks`() throws {
    var overlays = PixelOverlays(mode: .iterm, depth: .trueColor)
    var frame = TextFrame(size: Size(width: 20, height: 6), pixelsPerCell: Size(width: 8, height: 16))
    frame.place(Self.picture, in: Rect(x: 0, y: 0, width: 20, height: 6))
    let changes = overlays.compose(&frame)
    let text = String(decoding: changes.after, as: UTF8.self)
    #expect(text.hasPrefix("\u{1B}[1;1H\u{1B}]1337;") && text.contains(";height=5;"))
    #expect(text.contains(";doNotMoveCursor=1:") && frame[0, 5].glyph != 0)
    var empty = TextFrame(size: frame.frameSize)
    let gone = overlays.compose(&empty)
    #expect(gone.before.isEmpty && gone.uncovered == [Rect(x: 0, y: 0, width: 20, height: 5)])
  }

  @Test func `the printer ends an inline image with a line feed`() throws {
    let bytes = try PicturePrinter(mode: .iterm, depth: .trueColor, columns: 80).bytes(for: Self.picture)
    #expect(bytes.last == 0x0A && bytes.dropLast().last == 0x07)
    let (_, picture) = try parts(bytes.dropLast())
    #expect(picture.size == Self.picture.size)
  }
}
