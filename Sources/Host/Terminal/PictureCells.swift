import PluginAPI

/// Draws pictures with characters: half-blocks, braille dots, or ASCII by brightness.
///
/// A pixel is there if it is at least half opaque; where it is not, the background stays.
struct PictureCells {
  /// How they are drawn; pixel modes fall back to half-blocks.
  let mode: GraphicsMode
  private let hasColors: Bool

  /// Creates the drawing of a mode.
  ///
  /// - Parameter depth: Without colours, brightness is shown by dithering.
  init(_ mode: GraphicsMode, depth: ColorDepth) {
    self.mode = mode.needsPixels ? .halfBlock : mode
    hasColors = depth > .none
  }

  /// Draws the pictures of a frame into its cells, the last one on top, and takes them out of it.
  func draw(_ frame: inout TextFrame) {
    if frame.pictures.isEmpty { return }
    let pictures = frame.takePictures()
    let size = frame.frameSize
    frame.replaceCells { cells in
      for placed in pictures.reversed() { draw(placed.picture, in: placed.rect, &cells, size) }
    }
  }

  /// Draws a picture where the cells of a rectangle are empty.
  func draw(_ picture: Picture, in rect: Rect, _ cells: inout [Cell], _ size: Size) {
    let visible = rect.intersection(Rect(size))
    guard !visible.isEmpty, !picture.isEmpty else { return }
    let unit = mode.pixelsPerCell(cellPixels: Size(width: 1, height: 2))
    let scaled = PictureScaler.scaled(
      picture, to: Size(width: rect.width * unit.width, height: rect.height * unit.height))
    scaled.pixels.withUnsafeBytes { bytes in
      let pixels = Pixels(bytes: bytes, width: scaled.width)
      cells.withUnsafeMutableBufferPointer { cells in
        for y in visible.y..<visible.y + visible.height {
          for x in visible.x..<visible.x + visible.width where cells[y * size.width + x].glyph == 0 {
            let (left, top) = ((x - rect.x) * unit.width, (y - rect.y) * unit.height)
            draw(pixels, left, top, &cells[y * size.width + x])
          }
        }
      }
    }
  }

  @inline(__always) private func draw(_ pixels: Pixels, _ x: Int, _ y: Int, _ cell: inout Cell) {
    switch mode {
    case .braille: hasColors ? drawColoredDots(pixels, x, y, &cell) : drawPlainDots(pixels, x, y, &cell)
    case .ascii: drawLetter(pixels, x, y, &cell)
    default: hasColors ? drawHalves(pixels, x, y, &cell) : drawPlainHalves(pixels, x, y, &cell)
    }
  }

  // MARK: Half-blocks

  @inline(__always) private func drawHalves(_ pixels: Pixels, _ x: Int, _ y: Int, _ cell: inout Cell) {
    let (upper, lower) = (pixels[x, y], pixels[x, y + 1])
    switch (upper.isThere, lower.isThere) {
    case (true, true):
      if upper.rgb == lower.rgb {
        cell = Cell(glyph: 0x20, style: Style(background: upper.color))
      } else {
        cell = Cell(glyph: 0x2580, style: Style(foreground: upper.color, background: lower.color))
      }
    case (true, false):
      cell = Cell(glyph: 0x2580, style: Style(foreground: upper.color, background: cell.style.background))
    case (false, true):
      cell = Cell(glyph: 0x2584, style: Style(foreground: lower.color, background: cell.style.background))
    case (false, false): break
    }
  }

  private func drawPlainHalves(_ pixels: Pixels, _ x: Int, _ y: Int, _ cell: inout Cell) {
    let glyphs: [UInt32] = [0x20, 0x2580, 0x2584, 0x2588]
    let (upper, lower) = (pixels[x, y], pixels[x, y + 1])
    if !upper.isThere, !lower.isThere { return }
    let bits = (upper.isBright(x, y) ? 1 : 0) | (lower.isBright(x, y + 1) ? 2 : 0)
    cell.glyph = glyphs[bits]
  }

  // MARK: Braille

  /// The bits of the dots, row by row, left and right.
  ///
  /// - Source: The Unicode Standard 15, §21.1 (Braille Patterns U+2800…28FF).
  private static let dots: [UInt32] = [0x01, 0x08, 0x02, 0x10, 0x04, 0x20, 0x40, 0x80]

  /// Dots as dense as their brightness is to that of the brightest, which gives the colour.
  private func drawColoredDots(_ pixels: Pixels, _ x: Int, _ y: Int, _ cell: inout Cell) {
    var brightest = Pixel(rgba: 0)
    for place in 0..<8 {
      let pixel = pixels[x + place & 1, y + place >> 1]
      if pixel.isThere, pixel.luminance > brightest.luminance { brightest = pixel }
    }
    // What is nearly black is background.
    let most = brightest.luminance
    if most < 8 * 256 { return }
    var bits: UInt32 = 0
    for place in 0..<8 {
      let (column, row) = (x + place & 1, y + place >> 1)
      let pixel = pixels[column, row]
      if pixel.isThere, pixel.luminance * 16 > most * Pixel.threshold(column, row) { bits |= Self.dots[place] }
    }
    cell = Cell(glyph: 0x2800 | bits, style: Style(foreground: brightest.color, background: cell.style.background))
  }

  private func drawPlainDots(_ pixels: Pixels, _ x: Int, _ y: Int, _ cell: inout Cell) {
    var bits: UInt32 = 0
    for place in 0..<8 {
      let (column, row) = (x + place & 1, y + place >> 1)
      let pixel = pixels[column, row]
      if pixel.isThere, pixel.isBright(column, row) { bits |= Self.dots[place] }
    }
    if bits != 0 { cell.glyph = 0x2800 | bits }
  }

  // MARK: ASCII

  private static let ramp = Array(" .:-=+*#%@".utf8)

  private func drawLetter(_ pixels: Pixels, _ x: Int, _ y: Int, _ cell: inout Cell) {
    let there = [pixels[x, y], pixels[x, y + 1]].filter(\.isThere)
    guard let first = there.first, let last = there.last else { return }
    // A pixel that is not there is dark.
    let sum = there.reduce(0) { $0 + $1.luminance } / 2
    let step = min(Self.ramp.count - 1, sum * Self.ramp.count / (255 * 256))
    let brighter = first.luminance > last.luminance ? first : last
    let foreground = hasColors ? brighter.color : cell.style.foreground
    cell = Cell(
      glyph: UInt32(Self.ramp[step]), style: Style(foreground: foreground, background: cell.style.background))
  }
}

extension TextFrame {
  /// True for each cell that a picture shows through; empty if there are no pictures.
  var pictureCells: [Bool] {
    if pictures.isEmpty { return [] }
    var isPicture = [Bool](repeating: false, count: cells.count)
    for picture in pictures {
      let rect = picture.rect.intersection(Rect(frameSize))
      for y in rect.y..<rect.y + rect.height {
        for index in y * frameSize.width + rect.x..<y * frameSize.width + rect.x + rect.width {
          isPicture[index] = cells[index].glyph == 0
        }
      }
    }
    return isPicture
  }
}

/// The pixels of a picture, read by column and row.
private struct Pixels {
  let bytes: UnsafeRawBufferPointer
  let width: Int

  @inline(__always) subscript(x: Int, y: Int) -> Pixel {
    Pixel(rgba: bytes.loadUnaligned(fromByteOffset: 4 * (y * width + x), as: UInt32.self))
  }
}

/// A pixel as it lies in memory: red in the lowest byte, alpha in the highest.
private struct Pixel {
  let rgba: UInt32

  @inline(__always) var isThere: Bool { rgba >> 24 >= 128 }
  @inline(__always) var rgb: UInt32 { rgba & 0xFF_FFFF }
  @inline(__always) var color: Color {
    Color(packed: 0x0200_0000 | (rgba & 0xFF) << 16 | (rgba & 0xFF00) | (rgba >> 16 & 0xFF))
  }

  /// The brightness, 0…65 280.
  ///
  /// - Source: ITU-R BT.601-7 §2.5.1: 0.299 R + 0.587 G + 0.114 B.
  @inline(__always) var luminance: Int {
    Int(77 * (rgba & 0xFF) + 150 * (rgba >> 8 & 0xFF) + 29 * (rgba >> 16 & 0xFF))
  }

  /// Whether it is shown as a dot where there are no colours.
  func isBright(_ x: Int, _ y: Int) -> Bool { luminance * 16 > 255 * 256 * Self.threshold(x, y) }

  /// The 4×4 ordered dither's threshold at a position, 0…15.
  ///
  /// - Source: B. E. Bayer, "An optimum method for two-level rendition of continuous-tone pictures", ICC 1973.
  static func threshold(_ x: Int, _ y: Int) -> Int {
    Int(0x5D7F_91B3_6E4C_A280 as UInt64 >> UInt64(((y & 3) * 4 + (x & 3)) * 4) & 15)
  }
}
