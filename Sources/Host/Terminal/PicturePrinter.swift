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
  /// The most columns the picture may take; larger ones are made smaller.
  var columns: Int
  /// The pixels of a cell, for those that show pixels.
  var cellPixels: Size = usualCellPixels
  /// The background that dots and letters are drawn on.
  var background = Color.black

  /// Returns the bytes that show a picture, ended by a line feed; none for an empty one.
  ///
  /// The picture keeps its proportions and is never enlarged.
  /// - Throws: ``TerminalError`` where sixel or kitty need a library that is missing.
  func bytes(for picture: Picture) throws(TerminalError) -> [UInt8] {
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
    if mode.needsPixels {
      return try mode.encode(whole, cells: cells, cellPixels: cellPixels, movesCursor: true) + [0x0A]
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
    if canAsk, mode == nil || mode?.needsPixels == true || needsBackground { capabilities = asked() }
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
