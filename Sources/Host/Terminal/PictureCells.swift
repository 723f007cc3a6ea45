import PluginAPI

/// Draws pictures with characters: half-blocks, braille dots, or ASCII by brightness.
///
/// The background remains where a pixel is transparent, or nearly so, and shines through where it is not opaque.
struct PictureCells {
  private let graphics: CellGraphics
  private let hasColors: Bool
  private let background: Color
  private let isOnLight: Bool

  /// Creates the drawing of a mode.
  ///
  /// - Parameters:
  ///   - depth: Without colors, brightness is shown by dithering.
  ///   - background: The terminal's background: on a dark one dots are light, on a light one they are ink.
  init(_ mode: GraphicsMode, depth: ColorDepth, background: Color = .black) {
    graphics = mode.cells
    hasColors = depth > .none
    self.background = background
    isOnLight = background.isLight
  }

  /// Draws the pictures of a frame into its cells, the last one on top, and removes them from it.
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
    let unit = graphics.pixelsPerCell
    let scaled = PictureScaler.scaled(
      picture, to: Size(width: rect.width * unit.width, height: rect.height * unit.height))
    scaled.pixels.withUnsafeBytes { bytes in
      cells.withUnsafeMutableBufferPointer { cells in
        for y in visible.y..<visible.y + visible.height {
          let row = UnsafeMutableBufferPointer(rebasing: cells[y * size.width..<(y + 1) * size.width])
          drawRow(
            bytes, scaled.width, top: (y - rect.y) * unit.height, left: rect.x,
            columns: visible.x..<visible.x + visible.width, row)
        }
      }
    }
  }

  /// Draws a row of a picture, of which `left` is the first column.
  @_optimize(speed)
  private func drawRow(
    _ bytes: UnsafeRawBufferPointer, _ width: Int, top: Int, left: Int, columns: Range<Int>,
    _ row: UnsafeMutableBufferPointer<Cell>
  ) {
    let ground = Pixel(background) ?? Pixel(rgba: 0xFF00_0000)
    let unit = graphics.pixelsPerCell.width
    for x in columns where row[x].glyph == 0 {
      let cell = row[x]
      let pixels = Pixels(
        bytes: bytes, width: width, ground: cell == .empty ? ground : Pixel(cell.style.background) ?? ground)
      draw(pixels, (x - left) * unit, top, &row[x])
    }
  }

  @inline(__always) private func draw(_ pixels: Pixels, _ x: Int, _ y: Int, _ cell: inout Cell) {
    switch graphics {
    case .braille: drawDots(pixels, x, y, &cell)
    case .ascii: drawLetter(pixels, x, y, &cell)
    case .halfBlock: hasColors ? drawHalves(pixels, x, y, &cell) : drawPlainHalves(pixels, x, y, &cell)
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
    let bits =
      (Pixel.isDot(strength: strength(upper), x, y) ? 1 : 0)
      | (Pixel.isDot(strength: strength(lower), x, y + 1) ? 2 : 0)
    cell.glyph = glyphs[bits]
  }

  // MARK: Braille

  /// The bits of the dots, row by row, left and right.
  ///
  /// - Source: The Unicode Standard 15, §21.1 (Braille Patterns U+2800…28FF).
  private static let dots: [UInt32] = [0x01, 0x08, 0x02, 0x10, 0x04, 0x20, 0x40, 0x80]

  /// Dots as dense as the picture is bright, or dark on a light background, in one color of full strength.
  @_optimize(speed)
  private func drawDots(_ pixels: Pixels, _ x: Int, _ y: Int, _ cell: inout Cell) {
    var (bits, sum) = (0 as UInt32, SIMD4<Int>.zero)
    for place in 0..<8 {
      let (column, row) = (x + place & 1, y + place >> 1)
      let pixel = pixels[column, row]
      guard pixel.isThere else { continue }
      sum &+= pixel.channels
      if Pixel.isDot(strength: strength(pixel), column, row) { bits |= Self.dots[place] }
    }
    if bits == 0 { return }
    cell = Cell(glyph: 0x2800 | bits, style: style(sum, over: cell))
  }

  // MARK: Shading by dots

  /// The least difference from the background that is drawn, 0…255.
  private static let leastStrength = 8
  /// The strength of the weakest part that is drawn: a few dots in each cell, so that nothing vanishes.
  ///
  /// Dark dots look smaller than light ones, and more are needed.
  private var floor: Int { isOnLight ? 120 : 76 }

  /// Returns the density of a pixel's dots, 0…255: its brightness, or its darkness on a light background.
  @inline(__always) private func strength(_ pixel: Pixel) -> Int {
    guard pixel.isThere else { return 0 }
    // A fully saturated color shows its hue; without colors blue is darker than yellow.
    let level = isOnLight ? 255 - pixel.luminance / 256 : hasColors ? pixel.largest : pixel.luminance / 256
    return level < Self.leastStrength ? 0 : floor + level * (255 - floor) / 255
  }

  /// Returns the style of dots for a sum of pixels: their mean hue, as bright as possible, or dark enough on a light
  /// background.
  @_optimize(speed)
  private func style(_ sum: SIMD4<Int>, over cell: Cell) -> Style {
    guard hasColors else { return cell.style }
    let largest = max(1, sum.x, sum.y, sum.z)
    var color = sum &* SIMD4(repeating: 255) / SIMD4(repeating: largest)
    if isOnLight {
      let luma = (77 * color.x + 150 * color.y + 29 * color.z) >> 8
      if luma > Self.mostLumaOnLight {
        color = color &* SIMD4(repeating: Self.mostLumaOnLight) / SIMD4(repeating: luma)
      }
    }
    return Style(
      foreground: .rgb(UInt8(clamping: color.x), UInt8(clamping: color.y), UInt8(clamping: color.z)),
      background: cell.style.background)
  }

  /// The greatest brightness of dots on a light background, for a contrast of 4 to 1.
  private static let mostLumaOnLight = 112

  // MARK: ASCII

  private static let ramp = Array(" .:-=+*#%@".utf8)

  private func drawLetter(_ pixels: Pixels, _ x: Int, _ y: Int, _ cell: inout Cell) {
    let (upper, lower) = (pixels[x, y], pixels[x, y + 1])
    guard upper.isThere || lower.isThere else { return }
    let mean = (strength(upper) + strength(lower)) / 2
    var sum = SIMD4<Int>.zero
    if upper.isThere { sum &+= upper.channels }
    if lower.isThere { sum &+= lower.channels }
    let step = min(Self.ramp.count - 1, mean * Self.ramp.count / 255)
    cell = Cell(glyph: UInt32(Self.ramp[step]), style: style(sum, over: cell))
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
  /// The opaque pixel that pixels in front of it are blended with.
  let ground: Pixel

  @inline(__always) subscript(x: Int, y: Int) -> Pixel {
    let pixel = Pixel(rgba: bytes.loadUnaligned(fromByteOffset: 4 * (y * width + x), as: UInt32.self))
    return pixel.alpha == 255 || !pixel.isThere ? pixel : pixel.over(ground)
  }
}

/// A pixel as in memory: red in the lowest byte, alpha in the highest.
private struct Pixel {
  let rgba: UInt32

  /// The opaque pixel of a color; nil for colors that are the terminal's to choose.
  init?(_ color: Color) {
    guard let (red, green, blue) = color.components else { return nil }
    rgba = 0xFF00_0000 | UInt32(blue) << 16 | UInt32(green) << 8 | UInt32(red)
  }

  init(rgba: UInt32) { self.rgba = rgba }

  @inline(__always) var alpha: UInt32 { rgba >> 24 }
  /// The least alpha of a pixel that is shown, 0 to 255: fainter ones would only dim the terminal's own background.
  private static let leastAlpha: UInt32 = 32

  @inline(__always) var isThere: Bool { alpha >= Self.leastAlpha }

  /// Returns the pixel laid over an opaque one.
  @_optimize(speed)
  func over(_ ground: Pixel) -> Pixel {
    func mixed(_ shift: UInt32) -> UInt32 {
      let (front, back) = (rgba >> shift & 0xFF, ground.rgba >> shift & 0xFF)
      return ((front * alpha + back * (255 - alpha) + 127) / 255) << shift
    }
    return Pixel(rgba: 0xFF00_0000 | mixed(0) | mixed(8) | mixed(16))
  }
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

  /// Red, green and blue, 0…255 each; the fourth is 0.
  @inline(__always) var channels: SIMD4<Int> {
    SIMD4(Int(rgba & 0xFF), Int(rgba >> 8 & 0xFF), Int(rgba >> 16 & 0xFF), 0)
  }

  /// The strongest channel, 0…255.
  @inline(__always) var largest: Int { Int(max(rgba & 0xFF, rgba >> 8 & 0xFF, rgba >> 16 & 0xFF)) }

  /// True if a pixel at a position becomes a dot.
  ///
  /// - Parameter strength: The density of dots, 0…255.
  static func isDot(strength: Int, _ x: Int, _ y: Int) -> Bool { strength * 16 > 255 * threshold(x, y) }

  /// Returns the 4×4 ordered dither's threshold at a position, 0…15.
  ///
  /// - Source: B. E. Bayer, "An optimum method for two-level rendition of continuous-tone pictures", ICC 1973.
  static func threshold(_ x: Int, _ y: Int) -> Int {
    Int(0x5D7F_91B3_6E4C_A280 as UInt64 >> UInt64(((y & 3) * 4 + (x & 3)) * 4) & 15)
  }
}
