import PluginAPI
import Testing

@testable import Host

/// Pictures in pixels, through libchafa.
@Suite(.enabled(if: (try? ChafaLibrary.shared()) != nil, "libchafa is not installed"))
struct PixelPictureTests {
  private static func picture(_ level: UInt8, _ width: Int, _ height: Int) -> Picture {
    let pixel: [UInt8] = [level, 0, 255 - level, 255]
    return Picture(width: width, height: height, pixels: (0..<width * height).flatMap { _ in pixel })
  }

  private static func frame(_ picture: Picture, in rect: Rect, size: Size = Size(width: 20, height: 6)) -> TextFrame {
    var frame = TextFrame(size: size, pixelsPerCell: Size(width: 8, height: 16))
    frame.place(picture, in: rect)
    return frame
  }

  private static let rect = Rect(x: 2, y: 1, width: 5, height: 3)

  @Test func `a sixel picture is a sixel sequence with the size of its cells`() throws {
    let bytes = try SixelGraphics().encode(
      Self.picture(200, 40, 48), cells: Size(width: 5, height: 3), cellPixels: Size(width: 8, height: 16),
      movesCursor: true)
    let text = String(decoding: try #require(bytes), as: UTF8.self)
    #expect(text.hasPrefix("\u{1B}P") && text.hasSuffix("\u{1B}\\"))
    #expect(text.contains("\"1;1;40;48"))
  }

  @Test func `a kitty picture is a series of graphics commands`() throws {
    let bytes = try KittyGraphics().encode(
      Self.picture(200, 40, 48), cells: Size(width: 5, height: 3), cellPixels: Size(width: 8, height: 16),
      movesCursor: true)
    let text = String(decoding: try #require(bytes), as: UTF8.self)
    #expect(text.hasPrefix("\u{1B}_Ga=T") && text.hasSuffix("\u{1B}\\"))
    #expect(text.contains("c=5") && text.contains("r=3"))
  }

  @Test func `kitty is preferred to sixel, and an unsupported protocol is never chosen`() {
    func best(_ announced: Set<GraphicsMode>) -> GraphicsMode {
      GraphicsMode.best(for: TerminalCapabilities(pixelModes: announced), depth: .trueColor)
    }
    #expect(best([.sixel, .kitty]) == .kitty && best([.sixel]) == .sixel && best([]) == .halfBlock)
  }

  @Test(arguments: [GraphicsMode.sixel, .kitty])
  func `a picture is sent once, and again only after a change`(mode: GraphicsMode) {
    var overlays = PixelOverlays(mode: mode, depth: .trueColor)
    var frame = Self.frame(Self.picture(1, 40, 48), in: Self.rect)
    let first = overlays.compose(&frame)
    #expect(String(decoding: first.after, as: UTF8.self).hasPrefix("\u{1B}[2;3H\u{1B}"))
    #expect(frame.cells.allSatisfy { $0 == .empty })
    var same = Self.frame(Self.picture(1, 40, 48), in: Self.rect)
    let second = overlays.compose(&same)
    #expect(second.before.isEmpty && second.after.isEmpty && second.uncovered.isEmpty)
    var other = Self.frame(Self.picture(99, 40, 48), in: Self.rect)
    #expect(!overlays.compose(&other).after.isEmpty)
  }

  @Test func `a picture with text on most rows becomes half-blocks, and its pixels are erased`() {
    var overlays = PixelOverlays(mode: .sixel, depth: .trueColor)
    var frame = Self.frame(Self.picture(7, 40, 48), in: Self.rect)
    _ = overlays.compose(&frame)
    var covered = Self.frame(Self.picture(7, 40, 48), in: Self.rect)
    for y in [2, 3] { covered.put("x", x: 3, y: y) }
    let changes = overlays.compose(&covered)
    #expect(changes.uncovered == [Self.rect])
    #expect(changes.after.isEmpty)
    #expect(covered[2, 1].style.background == .rgb(7, 0, 248))
    #expect(covered[3, 2].text == "x")
    var free = Self.frame(Self.picture(7, 40, 48), in: Self.rect)
    #expect(!overlays.compose(&free).after.isEmpty)
  }

  @Test(arguments: [GraphicsMode.sixel, .kitty])
  func `rows with text over them become half-blocks, the others stay in pixels`(mode: GraphicsMode) {
    var overlays = PixelOverlays(mode: mode, depth: .trueColor)
    let rect = Rect(x: 2, y: 0, width: 5, height: 5)
    var frame = Self.frame(Self.picture(7, 40, 80), in: rect)
    frame.put("x", x: 3, y: 1)
    let text = String(decoding: overlays.compose(&frame).after, as: UTF8.self)
    #expect(text.contains("\u{1B}[1;3H\u{1B}") && text.contains("\u{1B}[3;3H\u{1B}"))
    #expect(frame[3, 1].text == "x" && frame[2, 1].style.background == .rgb(7, 0, 248))
    for y in [0, 2, 3, 4] { #expect(frame[2, y] == .empty) }
    // The text goes: the picture is whole again.
    var whole = Self.frame(Self.picture(7, 40, 80), in: rect)
    #expect(String(decoding: overlays.compose(&whole).after, as: UTF8.self).contains("\u{1B}[1;3H\u{1B}"))
    #expect(whole[2, 1] == .empty)
  }

  @Test(arguments: [GraphicsMode.sixel, .kitty])
  func `parts of a picture that are too large together all become half-blocks`(mode: GraphicsMode) throws {
    let rect = Rect(x: 2, y: 0, width: 5, height: 5)
    func divided(_ level: UInt8) -> TextFrame {
      var frame = Self.frame(Self.picture(level, 40, 80), in: rect)
      frame.put("x", x: 3, y: 2)
      return frame
    }
    var overlays = PixelOverlays(mode: mode, depth: .trueColor)
    var first = divided(7)
    let byteCount = overlays.compose(&first).after.count
    overlays = PixelOverlays(mode: mode, depth: .trueColor)
    for level in 8..<12 as Range<UInt8> {
      var slow = divided(level)
      #expect(overlays.compose(&slow, longestPiece: byteCount * 2 / 3).after.isEmpty)
      #expect(try #require(overlays.neededPiece) > byteCount * 2 / 3)
      for y in [0, 4] { #expect(slow[2, y].style.background == .rgb(level, 0, 255 - level)) }
    }
    var fast = divided(12)
    #expect(!overlays.compose(&fast, longestPiece: byteCount).after.isEmpty && fast[2, 0] == .empty)
  }

  @Test(arguments: [GraphicsMode.sixel, .kitty])
  func `a picture too large for a slow line becomes half-blocks until the line is fast`(mode: GraphicsMode) {
    var overlays = PixelOverlays(mode: mode, depth: .trueColor)
    var frame = Self.frame(Self.picture(7, 40, 48), in: Self.rect)
    _ = overlays.compose(&frame)
    var slow = Self.frame(Self.picture(9, 40, 48), in: Self.rect)
    let changes = overlays.compose(&slow, longestPiece: 20)
    #expect(changes.uncovered.contains(Self.rect))
    #expect(changes.after.isEmpty)
    #expect(slow[2, 1].style.background == .rgb(9, 0, 246))
    var fast = Self.frame(Self.picture(9, 40, 48), in: Self.rect)
    #expect(!overlays.compose(&fast).after.isEmpty)
  }

  @Test(arguments: [GraphicsMode.sixel, .kitty])
  func `a refused picture states the bytes that it needs, and is sent once they are allowed`(mode: GraphicsMode) throws
  {
    var overlays = PixelOverlays(mode: mode, depth: .trueColor)
    var slow = Self.frame(Self.picture(7, 40, 48), in: Self.rect)
    #expect(overlays.compose(&slow, longestPiece: 20).after.isEmpty)
    let needed = try #require(overlays.neededPiece)
    var same = Self.frame(Self.picture(7, 40, 48), in: Self.rect)
    #expect(overlays.compose(&same, longestPiece: needed - 1).after.isEmpty)
    #expect(overlays.neededPiece == needed && same[2, 1].style.background == .rgb(7, 0, 248))
    var fast = Self.frame(Self.picture(7, 40, 48), in: Self.rect)
    #expect(overlays.compose(&fast, longestPiece: needed).after.count > needed)
    #expect(overlays.neededPiece == nil && fast[2, 1] == .empty)
  }

  /// Composes a frame of a spinning picture that is refused.
  ///
  /// - Returns: The bytes that it is said to need.
  private static func needed(
    _ level: UInt8, in rect: Rect = Self.rect, _ longestPiece: Int, _ overlays: inout PixelOverlays
  ) throws -> Int {
    var next = frame(picture(level, 8 * rect.width, 16 * rect.height), in: rect)
    #expect(overlays.compose(&next, longestPiece: longestPiece).after.isEmpty)
    return try #require(overlays.neededPiece)
  }

  @Test func `a picture that is too large, as the last one shows, is not encoded`() throws {
    var overlays = PixelOverlays(mode: .kitty, depth: .trueColor)
    let byteCount = try Self.needed(7, 20, &overlays)
    // Of the same size in cells: nine tenths of its bytes are expected.
    let estimate = try Self.needed(8, byteCount * 4 / 5, &overlays)
    #expect((byteCount * 9 / 10...byteCount * 9 / 10 + 1).contains(estimate))
    // Of another size: half of them.
    let taller = Rect(x: 2, y: 0, width: 5, height: 6)
    let half = try Self.needed(8, in: taller, byteCount / 2, &overlays)
    #expect(half < byteCount)
    // Now it may fit: it is encoded, and needs all its bytes.
    var again = Self.frame(Self.picture(9, 40, 48), in: Self.rect)
    _ = overlays.compose(&again, longestPiece: byteCount - 1)
    #expect(overlays.neededPiece == byteCount)
    overlays.forget()
    #expect(overlays.neededPiece == nil)
  }

  @Test func `after some frames a picture is encoded again, as it may have become simpler`() throws {
    var overlays = PixelOverlays(mode: .kitty, depth: .trueColor)
    let byteCount = try Self.needed(7, 20, &overlays)
    var encodings = 0
    for level in 0..<40 as Range<UInt8> {
      if try Self.needed(level, byteCount * 4 / 5, &overlays) == byteCount { encodings += 1 }
    }
    #expect((2...15).contains(encodings))
  }

  /// A retry that is refused again would neither draw nor find out the speed.
  @Test(arguments: 1...6)
  func `the bytes that a picture needs are more than those it was refused`(height: Int) throws {
    var overlays = PixelOverlays(mode: .kitty, depth: .trueColor)
    let rect = Rect(x: 2, y: 0, width: 7, height: height)
    let piece = try Self.needed(7, in: rect, 20, &overlays) * 9 / 10
    let needed = try Self.needed(8, in: rect, piece, &overlays)
    #expect(needed > piece)
  }

  @Test func `a kitty picture stays until the next one in its rectangle arrives`() {
    var overlays = PixelOverlays(mode: .kitty, depth: .trueColor)
    var frame = Self.frame(Self.picture(7, 40, 48), in: Self.rect)
    _ = overlays.compose(&frame)
    let deletion = "\u{1B}_Ga=d,d=P,x=3,y=2\u{1B}\\"
    var next = Self.frame(Self.picture(9, 40, 48), in: Self.rect)
    let changes = overlays.compose(&next)
    #expect(changes.before.isEmpty)
    #expect(String(decoding: changes.after, as: UTF8.self).hasPrefix(deletion + "\u{1B}[2;3H\u{1B}_Ga=T"))
    // Half-blocks replace it before their cells are drawn.
    var slow = Self.frame(Self.picture(11, 40, 48), in: Self.rect)
    let refusal = overlays.compose(&slow, longestPiece: 20)
    #expect(String(decoding: refusal.before, as: UTF8.self) == deletion && refusal.after.isEmpty)
  }

  @Test func `all pictures of a frame share the allowed bytes`() throws {
    var overlays = PixelOverlays(mode: .kitty, depth: .trueColor)
    let byteCount = try #require(
      try KittyGraphics().encode(
        Self.picture(7, 40, 48), cells: Self.rect.size, cellPixels: Size(width: 8, height: 16), movesCursor: false)
    ).count
    for isShown in [false, true] {
      var frame = Self.frame(Self.picture(7, 40, 48), in: Self.rect)
      frame.place(Self.picture(9, 40, 48), in: Rect(x: 10, y: 1, width: 5, height: 3))
      #expect((byteCount..<byteCount * 2).contains(overlays.compose(&frame, longestPiece: byteCount).after.count))
      #expect((overlays.neededPiece == nil) == isShown)
    }
  }

  @Test(arguments: [GraphicsMode.sixel, .kitty])
  func `pixels that were not sent are sent with the next frame, or their cells are drawn`(mode: GraphicsMode) {
    var overlays = PixelOverlays(mode: mode, depth: .trueColor)
    var frame = Self.frame(Self.picture(7, 40, 48), in: Self.rect)
    _ = overlays.compose(&frame)
    overlays.revoke()
    var again = Self.frame(Self.picture(7, 40, 48), in: Self.rect)
    #expect(!overlays.compose(&again).after.isEmpty)
    overlays.revoke()
    var empty = TextFrame(size: frame.frameSize)
    let changes = overlays.compose(&empty)
    #expect(changes.after.isEmpty)
    #expect(mode == .sixel ? changes.uncovered == [Self.rect] : !changes.before.isEmpty)
  }

  @Test func `a removed kitty picture is deleted at its position`() {
    var overlays = PixelOverlays(mode: .kitty, depth: .trueColor)
    var frame = Self.frame(Self.picture(7, 40, 48), in: Self.rect)
    _ = overlays.compose(&frame)
    var empty = TextFrame(size: frame.frameSize)
    #expect(String(decoding: overlays.compose(&empty).before, as: UTF8.self) == "\u{1B}_Ga=d,d=P,x=3,y=2\u{1B}\\")
  }

  // Sixels come in rows of six: 80 pixels of five cells are cut to 78.
  @Test func `sixels leave out the last row`() {
    var overlays = PixelOverlays(mode: .sixel, depth: .trueColor)
    var frame = Self.frame(Self.picture(7, 160, 96), in: Rect(x: 0, y: 0, width: 20, height: 6))
    let text = String(decoding: overlays.compose(&frame).after, as: UTF8.self)
    #expect(text.contains("\"1;1;160;78"))
    #expect(frame[0, 4] == .empty)
    #expect(frame[0, 5].style.background == .rgb(7, 0, 248))
  }

  @Test func `pictures that are clipped become half-blocks`() {
    var overlays = PixelOverlays(mode: .kitty, depth: .trueColor)
    var frame = Self.frame(Self.picture(7, 40, 48), in: Rect(x: -2, y: 0, width: 5, height: 3))
    #expect(overlays.compose(&frame).after.isEmpty)
    #expect(frame[0, 0].style.background == .rgb(7, 0, 248))
  }
}

struct PicturePrinterTests {
  private static func picture(_ width: Int, _ height: Int) -> Picture {
    var random = RandomFrames(seed: 4)
    let pixels = (0..<width * height).flatMap { _ -> [UInt8] in
      [UInt8(random.next(256)), UInt8(random.next(256)), UInt8(random.next(256)), 255]
    }
    return Picture(width: width, height: height, pixels: pixels)
  }

  @Test func `a printed picture shows its pixels`() throws {
    let picture = Self.picture(20, 12)
    let bytes = try PicturePrinter(mode: .halfBlock, depth: .trueColor, columns: 80).bytes(for: picture)
    #expect(bytes.last == 0x0A)
    let terminal = try VirtualTerminal(Size(width: 20, height: 6))
    terminal.write(bytes.dropLast().flatMap { $0 == 0x0A ? [0x0D, 0x0A] : [$0] })
    var wrong = 0
    for y in 0..<6 {
      for x in 0..<20 {
        let cell = terminal[x, y]
        let top = 4 * (2 * y * 20 + x)
        let rows = [top, top + 80].map {
          Color.rgb(picture.pixels[$0], picture.pixels[$0 + 1], picture.pixels[$0 + 2]).packed
        }
        if cell.scalars == [0x2580], cell.foreground == rows[0], cell.background == rows[1] { continue }
        wrong += 1
      }
    }
    #expect(wrong == 0)
  }

  @Test(arguments: [(GraphicsMode.halfBlock, 10), (.braille, 20), (.ascii, 10)])
  func `a wide picture is scaled to the columns`(mode: GraphicsMode, pixels: Int) throws {
    let bytes = try PicturePrinter(mode: mode, depth: .none, columns: 10).bytes(for: Self.picture(100, 40))
    let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
    #expect(lines.allSatisfy { $0.count <= 10 })
    let rows = (pixels * 40 / 100 + (mode == .braille ? 3 : 1)) / (mode == .braille ? 4 : 2)
    #expect(lines.count == rows + 1)
    #expect(!bytes.contains(0x1B))
  }

  @Test func `white paper has no dots on a light background`() throws {
    let paper = Picture(width: 8, height: 8, pixels: [UInt8](repeating: 255, count: 4 * 8 * 8))
    var printer = PicturePrinter(mode: .braille, depth: .none, columns: 80)
    #expect(try String(decoding: printer.bytes(for: paper), as: UTF8.self) == "⣿⣿⣿⣿\n⣿⣿⣿⣿\n")
    printer.background = .white
    #expect(try String(decoding: printer.bytes(for: paper), as: UTF8.self) == "\n\n")
  }

  @Test func `pictures of odd sizes and of size zero are printed`() throws {
    let printer = PicturePrinter(mode: .braille, depth: .trueColor, columns: 80)
    #expect(try printer.bytes(for: Picture(width: 0, height: 0)).isEmpty)
    let lines = try printer.bytes(for: Self.picture(3, 5)).filter { $0 == 0x0A }.count
    #expect(lines == 2)
    let narrow = try PicturePrinter(mode: .halfBlock, depth: .trueColor, columns: 0).bytes(for: Self.picture(1000, 1))
    #expect(narrow.filter { $0 == 0x0A }.count == 1)
  }

  @Test func `the error for a missing library names its package`() throws {
    let error = #expect(throws: ErrorReport.self) { try ChafaLibrary.open("libchafa-of-nobody.so.0").get() }
    let report = try #require(error).report
    #expect(report.message.contains("'libchafa-of-nobody.so.0'"))
    #expect(report.advice?.contains("sudo apt install libchafa0") == true)
    #expect(throws: TerminalError.libraryUnusable(name: "libc.so.6", symbol: "chafa_canvas_config_new")) {
      try ChafaLibrary.open("libc.so.6").get()
    }
  }
}
