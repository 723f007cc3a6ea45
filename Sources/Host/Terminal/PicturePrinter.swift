internal import Glibc
import PluginAPI
import Synchronization

/// Makes the bytes that show a picture on a stream, from the cursor's line down.
struct PicturePrinter {
  /// The size of a cell in pixels if the terminal does not report it.
  static let usualCellPixels = Size(width: 8, height: 16)

  /// The graphics mode.
  var mode: GraphicsMode
  /// The colors the stream shows.
  var depth: ColorDepth
  /// The maximum number of columns for the picture; larger pictures are scaled down.
  var columns: Int
  /// The pixels of a cell, for those that show pixels.
  var cellPixels: Size = usualCellPixels
  /// The background that dots and letters are drawn on.
  var background = Color.black

  /// Returns the bytes that show a picture, ended by a line feed; none for an empty one.
  ///
  /// The picture keeps its proportions and is never enlarged.
  /// - Throws: ``TerminalError`` if the mode needs a library that is missing.
  func bytes(for picture: Picture) throws(ErrorReport) -> [UInt8] {
    let unit = mode.pixelsPerCell(cellPixels: cellPixels)
    let widest = max(1, columns) * unit.width
    let size =
      picture.width <= widest
      ? picture.size
      : Size(width: widest, height: max(1, (picture.height * widest + picture.width / 2) / max(1, picture.width)))
    guard !picture.isEmpty else { return [] }
    let cells = Size(
      width: (size.width + unit.width - 1) / unit.width, height: (size.height + unit.height - 1) / unit.height)
    let scaled = PictureScaler.scaled(picture, to: size)
    let whole = Self.padded(scaled, to: Size(width: cells.width * unit.width, height: cells.height * unit.height))
    if let pixels = mode.pixels {
      guard let bytes = try pixels.encode(whole, cells: cells, cellPixels: cellPixels, movesCursor: true) else {
        throw TerminalError.notEncoded(mode: mode)
      }
      return bytes + [0x0A]
    }
    return lines(of: whole, cells)
  }

  private func lines(of picture: Picture, _ size: Size) -> [UInt8] {
    var cells = [Cell](repeating: .empty, count: size.width * size.height)
    PictureCells(mode, depth: depth, background: background).draw(picture, in: Rect(size), &cells, size)
    let out = TerminalBytes()
    var style = StyleWriter(depth, background: background)
    for y in 0..<size.height {
      var row = cells[y * size.width..<(y + 1) * size.width]
      while let last = row.last, last == .empty || last == Cell(glyph: 0x20) { row.removeLast() }
      out.reserve((row.count + 1) * (StyleWriter.longestChange + 4) + 1)
      style.assumeReset()
      for cell in row {
        let isBlank = cell.glyph <= 0x20
        if isBlank { style.setForBlank(cell.style, in: out) } else { style.set(cell.style, in: out) }
        out.putScalar(isBlank ? 0x20 : cell.glyph)
      }
      style.reset(in: out)
      out.put(0x0A)
    }
    return Array(out.bytes)
  }

  /// Returns a picture with transparent pixels added at the right and at the bottom.
  private static func padded(_ picture: Picture, to size: Size) -> Picture {
    if size == picture.size { return picture }
    var result = Picture(width: size.width, height: size.height)
    for y in 0..<picture.height {
      let row = picture.pixels[4 * y * picture.width..<4 * (y + 1) * picture.width]
      result.pixels.replaceSubrange(4 * y * size.width..<4 * (y * size.width + picture.width), with: row)
    }
    return result
  }
}

extension PicturePrinter {
  /// Returns the printer for standard output, with the requested mode or the best one.
  ///
  /// The terminal is queried only if standard input and output are terminals and no mode was requested.
  /// - Parameters:
  ///   - mode: The requested mode; nil to choose.
  ///   - color: `--color`.
  ///   - background: The setting `host.background`.
  ///   - columns: The requested columns; nil for those of the terminal, or 80.
  ///   - environment: The process's environment.
  static func standardOutput(
    mode: GraphicsMode?, color: GlobalOptions.ColorChoice, background: GlobalOptions.BackgroundChoice, columns: Int?,
    environment: [String: String]
  ) -> PicturePrinter {
    let isTerminal = isatty(StandardOutput.descriptor) == 1
    let term = environment["TERM"] ?? ""
    let canAsk = isTerminal && isatty(STDIN_FILENO) == 1 && !["", "dumb", "linux"].contains(term)
    var capabilities = TerminalCapabilities()
    let needsBackground = background == .auto && environment["COLORFGBG"] == nil
    if canAsk, mode == nil || mode?.pixels != nil || needsBackground { capabilities = asked() }
    let depth = ColorDepth.chosen(color, environment: environment, isTerminal: isTerminal)
    var window = winsize()
    let isSized = ioctl(StandardOutput.descriptor, UInt(TIOCGWINSZ), &window) == 0 && window.ws_col > 0
    var printer = PicturePrinter(
      mode: mode ?? .best(for: capabilities, depth: depth), depth: depth,
      columns: columns ?? (isSized ? Int(window.ws_col) : 80))
    if let cell = capabilities.cellPixels { printer.cellPixels = cell }
    printer.background = TerminalBackground.chosen(
      background, reported: capabilities.background, environment: isTerminal ? environment : [:])
    return printer
  }

  private static let answer = Mutex<TerminalCapabilities?>(nil)

  /// Returns the terminal's capabilities; it is queried once, not before every picture of a stream.
  private static func asked() -> TerminalCapabilities {
    answer.withLock { known in
      if let known { return known }
      let found = TerminalReading.alone {
        guard let device = try? TerminalDevice() else { return TerminalCapabilities() }
        defer { device.close() }
        device.enterRawMode()
        defer { device.leaveRawMode() }
        return TerminalDetection.askOnly(device, longestInSeconds: 0.2)
      }
      known = found
      return found
    }
  }
}

/// Brings pictures to the size of their place.
enum PictureScaler {
  /// Returns a scaled picture: each pixel is the mean of those it covers, weighted by opacity.
  ///
  /// - Parameters:
  ///   - picture: The picture, not empty.
  ///   - size: The size in pixels; an empty one gives an empty picture.
  /// - Complexity: O(*pixels of the larger one*).
  static func scaled(_ picture: Picture, to size: Size) -> Picture {
    if size == picture.size { return picture }
    guard size.width > 0, size.height > 0, !picture.isEmpty else { return Picture(width: 0, height: 0) }
    let columns = ranges(from: picture.width, to: size.width)
    let rows = ranges(from: picture.height, to: size.height)
    let pixels = picture.pixels.withUnsafeBufferPointer { source in
      [UInt8](unsafeUninitializedCapacity: 4 * size.width * size.height) { target, count in
        var place = 0
        for row in rows {
          for column in columns {
            let mean = mean(source, picture.width, column, row)
            for channel in 0..<4 { target[place + channel] = mean[channel] }
            place += 4
          }
        }
        count = place
      }
    }
    return Picture(width: size.width, height: size.height, pixels: pixels)
  }

  /// Returns the part of a picture inside a rectangle of its pixels.
  static func cropped(_ picture: Picture, to rect: Rect) -> Picture {
    let part = rect.intersection(Rect(picture.size))
    var pixels: [UInt8] = []
    pixels.reserveCapacity(4 * part.width * part.height)
    for y in part.y..<part.y + part.height {
      let start = 4 * (y * picture.width + part.x)
      pixels += picture.pixels[start..<start + 4 * part.width]
    }
    return Picture(width: part.width, height: part.height, pixels: pixels)
  }

  /// Returns the range of source pixels for each target pixel; at least one.
  private static func ranges(from source: Int, to target: Int) -> [Range<Int>] {
    (0..<target).map { index in
      let start = index * source / target
      return start..<max(start + 1, (index + 1) * source / target)
    }
  }

  private static func mean(
    _ source: UnsafeBufferPointer<UInt8>, _ width: Int, _ columns: Range<Int>, _ rows: Range<Int>
  ) -> SIMD4<UInt8> {
    if columns.count == 1, rows.count == 1 {
      let start = 4 * (rows.lowerBound * width + columns.lowerBound)
      return SIMD4(source[start], source[start + 1], source[start + 2], source[start + 3])
    }
    var sum = SIMD4<UInt64>.zero
    for row in rows {
      var place = 4 * (row * width + columns.lowerBound)
      for _ in columns {
        let alpha = UInt64(source[place + 3])
        let color = SIMD4(UInt64(source[place]), UInt64(source[place + 1]), UInt64(source[place + 2]), 1)
        sum &+= color &* SIMD4(repeating: alpha)
        place += 4
      }
    }
    let alpha = sum[3]
    if alpha == 0 { return .zero }
    let half = alpha / 2
    let count = UInt64(columns.count * rows.count)
    return SIMD4(
      UInt8((sum[0] + half) / alpha), UInt8((sum[1] + half) / alpha), UInt8((sum[2] + half) / alpha),
      UInt8((alpha + count / 2) / count))
  }
}
