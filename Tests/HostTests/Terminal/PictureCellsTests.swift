import PluginAPI
import Testing

@testable import Host

struct PictureCellsTests {
  /// Returns a picture of random colors; about a third of its pixels are transparent.
  private static func picture(_ size: Size, seed: UInt64) -> Picture {
    var random = RandomFrames(seed: seed)
    var picture = Picture(width: size.width, height: size.height)
    for index in 0..<size.width * size.height {
      for channel in 0..<3 { picture.pixels[4 * index + channel] = UInt8(random.next(256)) }
      picture.pixels[4 * index + 3] = random.next(3) == 0 ? 0 : 255
    }
    return picture
  }

  private static func drawn(
    _ picture: Picture, _ mode: GraphicsMode, _ depth: ColorDepth, cells: Size, on background: Color = .black
  ) -> [Cell] {
    var result = [Cell](repeating: .empty, count: cells.width * cells.height)
    PictureCells(mode, depth: depth, background: background).draw(picture, in: Rect(cells), &result, cells)
    return result
  }

  /// Returns the packed color of a pixel; 0 if it is transparent.
  private static func color(_ picture: Picture, _ x: Int, _ y: Int) -> UInt32 {
    let start = 4 * (y * picture.width + x)
    let pixel = picture.pixels[start..<start + 4].map(\.self)
    return pixel[3] < 128 ? 0 : Color.rgb(pixel[0], pixel[1], pixel[2]).packed
  }

  @Test func `half-blocks show every pixel of the picture`() {
    let cells = Size(width: 37, height: 9)
    let picture = Self.picture(Size(width: 37, height: 18), seed: 5)
    var wrong = 0
    for (index, cell) in Self.drawn(picture, .halfBlock, .trueColor, cells: cells).enumerated() {
      let (x, y) = (index % cells.width, index / cells.width)
      let (front, back) = (cell.style.foreground.packed, cell.style.background.packed)
      let halves: (UInt32, UInt32)? =
        switch cell.glyph {
        case 0: (0, 0)
        case 0x20: (back, back)
        case 0x2580: (front, back)
        case 0x2584: (back, front)
        default: nil
        }
      if halves?.0 != Self.color(picture, x, 2 * y) || halves?.1 != Self.color(picture, x, 2 * y + 1) { wrong += 1 }
    }
    #expect(wrong == 0)
  }

  @Test(arguments: [Color.black, .white, .rgb(0, 0, 100)])
  func `transparent pixels are blended with the background`(background: Color) throws {
    let cells = Size(width: 4, height: 1)
    // 25 %, 50 % and 75 % of orange, and next to nothing.
    let alphas: [UInt8] = [64, 128, 191, 20]
    let row: [UInt8] = alphas.flatMap { [255, 128, 0, $0] }
    let picture = Picture(width: 4, height: 2, pixels: row + row)
    let drawn = Self.drawn(picture, .halfBlock, .trueColor, cells: cells, on: background)
    let ground = try #require(background.components)
    for (cell, alpha) in zip(drawn, alphas).prefix(3) {
      let color = try #require(cell.style.background.components)
      func expected(_ front: Int, _ back: UInt8) -> Int { (front * Int(alpha) + Int(back) * (255 - Int(alpha))) / 255 }
      #expect(abs(Int(color.red) - expected(255, ground.red)) <= 1)
      #expect(abs(Int(color.green) - expected(128, ground.green)) <= 1)
      #expect(abs(Int(color.blue) - expected(0, ground.blue)) <= 1)
    }
    #expect(drawn[3] == .empty)
  }

  @Test func `a faint pixel is blended with its cell's background`() throws {
    let picture = Picture(width: 1, height: 2, pixels: [255, 255, 255, 51, 255, 255, 255, 51])
    var cells = [Cell(glyph: 0, style: Style(background: .rgb(100, 0, 0)))]
    PictureCells(.halfBlock, depth: .trueColor).draw(
      picture, in: Rect(Size(width: 1, height: 1)), &cells, Size(width: 1, height: 1))
    let color = try #require(cells[0].style.background.components)
    #expect(color.red == 131 && color.green == 51 && color.blue == 51)
  }

  @Test(arguments: [ColorDepth.none, .trueColor])
  func `braille draws white on black dot by dot`(depth: ColorDepth) {
    let cells = Size(width: 20, height: 6)
    var picture = Picture(width: 40, height: 24)
    var random = RandomFrames(seed: 9)
    var white: Set<Point> = []
    for y in 0..<24 {
      for x in 0..<40 {
        let isWhite = random.next(2) == 0
        if isWhite { white.insert(Point(x: x, y: y)) }
        let level: UInt8 = isWhite ? 255 : 0
        picture.pixels.replaceSubrange(4 * (y * 40 + x)..<4 * (y * 40 + x) + 4, with: [level, level, level, 255])
      }
    }
    let bits: [(Int, Int, UInt32)] = [
      (0, 0, 1), (0, 1, 2), (0, 2, 4), (1, 0, 8), (1, 1, 16), (1, 2, 32), (0, 3, 64), (1, 3, 128),
    ]
    var seen: Set<Point> = []
    for (index, cell) in Self.drawn(picture, .braille, depth, cells: cells).enumerated() where cell.glyph != 0 {
      for (dx, dy, bit) in bits where cell.glyph & bit != 0 && cell.glyph & ~0xFF == 0x2800 {
        seen.insert(Point(x: index % cells.width * 2 + dx, y: index / cells.width * 4 + dy))
      }
    }
    #expect(seen == white)
  }

  /// Returns a picture of one color under light that falls from left to right, 100 % to 6 %.
  private static func shaded(_ red: Int, _ green: Int, _ blue: Int, cells: Size, mode: GraphicsMode) -> Picture {
    let unit = mode.pixelsPerCell(cellPixels: Size(width: 1, height: 2))
    let (width, height) = (cells.width * unit.width, cells.height * unit.height)
    var picture = Picture(width: width, height: height)
    for index in 0..<width * height {
      let light = 100 - 94 * (index % width) / (width - 1)
      picture.pixels.replaceSubrange(
        4 * index..<4 * index + 4, with: [red, green, blue].map { UInt8($0 * light / 100) } + [255])
    }
    return picture
  }

  private static func luma(_ color: Color) -> Int {
    color.components.map { (77 * Int($0.red) + 150 * Int($0.green) + 29 * Int($0.blue)) >> 8 } ?? -1
  }

  @Test(arguments: [GraphicsMode.braille, .ascii])
  func `shading removes dots instead of dimming them`(mode: GraphicsMode) {
    let cells = Size(width: 40, height: 4)
    let picture = Self.shaded(240, 60, 20, cells: cells, mode: mode)
    let drawn = Self.drawn(picture, mode, .trueColor, cells: cells)
    #expect(drawn.allSatisfy { $0.glyph != 0 && $0.glyph != 0x20 })
    for cell in drawn {
      let (red, green, blue) = cell.style.foreground.components ?? (0, 0, 0)
      #expect(red == 255 && abs(Int(green) - 64) < 16 && abs(Int(blue) - 21) < 16)
    }
    guard mode == .braille else { return }
    func dots(_ columns: Range<Int>) -> Int {
      drawn.indices.filter { columns.contains($0 % 40) }.reduce(0) { $0 + (drawn[$1].glyph & 0xFF).nonzeroBitCount }
    }
    #expect(dots(0..<10) > dots(15..<25) && dots(15..<25) > dots(30..<40))
  }

  @Test(arguments: [GraphicsMode.braille, .ascii])
  func `dots are drawn as ink on a light background`(mode: GraphicsMode) {
    let cells = Size(width: 40, height: 4)
    for (red, green, blue) in [(255, 255, 48), (144, 144, 144), (48, 80, 248)] {
      let picture = Self.shaded(red, green, blue, cells: cells, mode: mode)
      let drawn = Self.drawn(picture, mode, .trueColor, cells: cells, on: .white)
      #expect(drawn.allSatisfy { $0.glyph != 0 && $0.glyph != 0x20 })
      #expect(drawn.allSatisfy { Self.luma($0.style.foreground) <= 112 })
      let weights = drawn.map { cell in
        mode == .braille
          ? (cell.glyph & 0xFF).nonzeroBitCount
          : Array(" .:-=+*#%@".unicodeScalars).firstIndex { $0.value == cell.glyph } ?? 0
      }
      let (lit, shaded) = (weights[0..<10].reduce(0, +), weights[30..<40].reduce(0, +))
      #expect(lit <= shaded)
    }
    // Parts that have faded into the background are gone.
    let paper = Picture(width: 80, height: 16, pixels: [UInt8](repeating: 255, count: 4 * 80 * 16))
    #expect(Self.drawn(paper, mode, .none, cells: cells, on: .white).allSatisfy { $0.glyph == 0 || $0.glyph == 0x20 })
  }

  @Test(arguments: [Color.black, .white])
  func `without colors, every drawn shade remains visible`(background: Color) {
    let cells = Size(width: 20, height: 3)
    for mode in [GraphicsMode.braille, .ascii] {
      for level in stride(from: 24, through: 231, by: 23) {
        let unit = mode.pixelsPerCell(cellPixels: Size(width: 1, height: 2))
        let size = Size(width: cells.width * unit.width, height: cells.height * unit.height)
        var picture = Picture(width: size.width, height: size.height)
        for index in picture.pixels.indices { picture.pixels[index] = index % 4 == 3 ? 255 : UInt8(level) }
        let drawn = Self.drawn(picture, mode, .none, cells: cells, on: background)
        #expect(drawn.allSatisfy { $0.glyph != 0 && $0.glyph != 0x20 }, "\(mode) \(level)")
      }
    }
  }

  @Test func `letters become denser as the picture becomes brighter`() {
    var picture = Picture(width: 16, height: 2)
    for x in 0..<16 {
      for y in 0..<2 {
        let level = UInt8(x * 17)
        picture.pixels.replaceSubrange(4 * (y * 16 + x)..<4 * (y * 16 + x) + 4, with: [level, level, level, 255])
      }
    }
    let ramp = Array(" .:-=+*#%@")
    let steps = Self.drawn(picture, .ascii, .none, cells: Size(width: 16, height: 1)).compactMap { cell in
      cell.text.first.flatMap { ramp.firstIndex(of: $0) }
    }
    #expect(steps.count == 16)
    #expect(steps == steps.sorted())
    #expect(steps.first == 0 && steps.last == ramp.count - 1)
  }

  @Test func `text covers pictures, and later pictures cover earlier ones`() {
    var frame = TextFrame(size: Size(width: 8, height: 3))
    func plain(_ level: UInt8, _ width: Int, _ height: Int) -> Picture {
      Picture(width: width, height: height, pixels: (0..<width * height).flatMap { _ in [level, level, level, 255] })
    }
    frame.place(plain(200, 8, 6), in: Rect(x: 0, y: 0, width: 8, height: 3))
    frame.place(plain(255, 2, 2), in: Rect(x: 6, y: 0, width: 2, height: 1))
    frame.put("hi", x: 1, y: 1)
    PictureCells(.halfBlock, depth: .trueColor).draw(&frame)
    #expect(frame.pictures.isEmpty)
    #expect(frame[1, 1].text == "h")
    #expect(frame[3, 1].style.background == .rgb(200, 200, 200))
    #expect(frame[7, 0].style.background == .rgb(255, 255, 255))
  }

  @Test func `pictures that extend beyond the frame are clipped`() {
    for rect in [
      Rect(x: -3, y: -2, width: 6, height: 4), Rect(x: 3, y: 1, width: 9, height: 9),
      Rect(x: 9, y: 9, width: 2, height: 2),
    ] {
      var frame = TextFrame(size: Size(width: 5, height: 2))
      frame.place(Self.picture(Size(width: 7, height: 5), seed: 1), in: rect)
      PictureCells(.braille, depth: .sixteen).draw(&frame)
      #expect(frame.cells.count == 10)
    }
  }

  @Test func `transparent pixels preserve the background`() {
    var frame = TextFrame(size: Size(width: 2, height: 1))
    frame.fill(Rect(x: 0, y: 0, width: 2, height: 1), Cell(glyph: 0, style: Style(background: .palette(4))))
    var picture = Picture(width: 2, height: 2)
    picture.pixels.replaceSubrange(0..<4, with: [255, 0, 0, 255])
    frame.place(picture, in: Rect(x: 0, y: 0, width: 2, height: 1))
    PictureCells(.halfBlock, depth: .trueColor).draw(&frame)
    #expect(frame[0, 0] == Cell(glyph: 0x2580, style: Style(foreground: .rgb(255, 0, 0), background: .palette(4))))
    #expect(frame[1, 0] == Cell(glyph: 0, style: Style(background: .palette(4))))
  }
}

struct PictureScalerTests {
  @Test func `downscaling averages pixels`() {
    let picture = Picture(
      width: 2, height: 2, pixels: [0, 0, 0, 255, 100, 0, 0, 255, 0, 200, 0, 255, 77, 77, 77, 0])
    let scaled = PictureScaler.scaled(picture, to: Size(width: 1, height: 1))
    // The transparent pixel counts for how opaque the result is, not for its color.
    #expect(scaled.pixels == [33, 67, 0, 191])
  }

  @Test func `upscaling repeats pixels`() {
    let picture = Picture(width: 1, height: 2, pixels: [1, 2, 3, 255, 4, 5, 6, 255])
    let scaled = PictureScaler.scaled(picture, to: Size(width: 2, height: 4))
    #expect(scaled.pixels.prefix(16) == [1, 2, 3, 255, 1, 2, 3, 255, 1, 2, 3, 255, 1, 2, 3, 255])
    #expect(scaled.pixels.suffix(4) == [4, 5, 6, 255])
  }

  @Test func `cropping returns the selected pixels`() {
    let pixels = (0..<48).map { UInt8($0) }
    let part = PictureScaler.cropped(
      Picture(width: 4, height: 3, pixels: pixels), to: Rect(x: 2, y: 1, width: 9, height: 1))
    #expect(part.size == Size(width: 2, height: 1))
    #expect(part.pixels == Array(24..<32))
  }
}
