import PluginAPI

/// Finds the web addresses in a frame that a terminal can open.
///
/// Cells do not store addresses, so addresses are recognized in the text of the rows. A row may show only part of an
/// address: an address is used only if the screen's outline contains it as a whole. A wrapped address is found by its
/// following rows.
@MainActor enum ScreenLinks {
  /// The part of a frame that a screen has drawn.
  struct Area {
    var rect: Rect
    /// The addresses in the screen's content, as far as it was read for earlier frames.
    var addresses = ScreenAddresses()
    /// Returns the screen's content for linear reading; called only if there is an address in the area.
    var outline: @MainActor () -> Outline
  }

  /// Returns the links of a frame, row by row.
  ///
  /// - Parameter areas: The areas of the screens, those in front last. Addresses outside all of them are the host's own,
  ///   which are complete unless they reach the edge.
  static func find(in frame: TextFrame, _ areas: [Area]) -> [FrameLink] {
    let rows = FrameRows(frame)
    var links: [FrameLink] = []
    var read: Set<Int> = []
    for row in 0..<rows.count where rows.mayHaveAddress(row) {
      let bytes = rows.bytes(of: row)
      for columns in TerminalLinks.addresses(in: bytes, isCut: { rows.isCut(row, at: $0) }) {
        let text = String(decoding: bytes[columns], as: UTF8.self)
        let start = Point(x: columns.lowerBound, y: row)
        guard let index = areas.lastIndex(where: { $0.rect.contains(start) }) else {
          if columns.upperBound < bytes.count { links.append(FrameLink(row: row, columns: columns, address: text)) }
          continue
        }
        let area = areas[index]
        if read.insert(index).inserted { area.addresses.update(area.outline) }
        if let wrapped = wrapped(from: start, bytes, rows, area.rect, area.addresses) {
          links += wrapped
        } else if area.addresses.contains(text) {
          links.append(FrameLink(row: row, columns: columns, address: text))
        }
      }
    }
    return links
  }

  /// Returns the parts of an address that is broken at the end of its row; nil if none of the addresses is.
  private static func wrapped(
    from start: Point, _ bytes: [UInt8], _ rows: FrameRows, _ rect: Rect, _ addresses: ScreenAddresses
  ) -> [FrameLink]? {
    let end = TerminalLinks.runEnd(of: bytes, from: start.x)
    guard rows.isBlank(start.y, from: end, in: rect) else { return nil }
    let run = bytes[start.x..<end]
    for address in addresses.continuations(of: run) {
      var links = [FrameLink(row: start.y, columns: start.x..<end, address: address)]
      var remaining = Array(address.utf8)[run.count...]
      while !remaining.isEmpty {
        let row = start.y + links.count
        guard row < min(rows.count, rect.y + rect.height), let columns = rows.columns(of: remaining, row, in: rect)
        else { break }
        remaining = remaining.dropFirst(columns.count)
        // All parts but the last one fill the width of the text.
        guard remaining.isEmpty || columns.upperBound == end && rows.isBlank(row, from: end, in: rect) else { break }
        links.append(FrameLink(row: row, columns: columns, address: address))
      }
      if remaining.isEmpty, links.reduce(0, { $0 + $1.columns.count }) == address.utf8.count { return links }
    }
    return nil
  }
}

/// The text of a frame's rows with a byte for each cell.
private struct FrameRows {
  /// The byte of a cell without an ASCII character.
  private static let other: UInt8 = 0xFF
  private static let ellipsis: UInt32 = 0x2026

  /// The number of rows.
  let count: Int
  private let cells: [Cell]
  private let width: Int

  init(_ frame: TextFrame) {
    (count, cells, width) = (frame.frameSize.height, frame.cells, frame.frameSize.width)
  }

  /// Returns true if a row has a colon, as all addresses do.
  func mayHaveAddress(_ row: Int) -> Bool {
    cells[row * width..<(row + 1) * width].contains { $0.glyph == 0x3A }
  }

  func bytes(of row: Int) -> [UInt8] { (0..<width).map { byte(row, $0) } }

  private func byte(_ row: Int, _ column: Int) -> UInt8 {
    let glyph = cells[row * width + column].glyph
    return glyph == 0 ? 0x20 : glyph < 0x80 ? UInt8(glyph) : Self.other
  }

  /// Returns true if the text of a row was cut off at a column.
  func isCut(_ row: Int, at column: Int) -> Bool {
    column < width && cells[row * width + column].glyph == Self.ellipsis
  }

  /// Returns true if an area is blank from a column to its edge, where a scroll bar may be.
  func isBlank(_ row: Int, from column: Int, in rect: Rect) -> Bool {
    let edge = min(width, rect.x + rect.width)
    return column >= edge
      || (column..<edge).allSatisfy { byte(row, $0) == 0x20 || $0 == edge - 1 && !isCut(row, at: $0) }
  }

  /// Returns the columns of the first text in a row of an area if it is the beginning, or all, of some text.
  func columns(of text: ArraySlice<UInt8>, _ row: Int, in rect: Rect) -> Range<Int>? {
    let edge = min(width, rect.x + rect.width)
    guard let start = (max(0, rect.x)..<max(0, edge)).first(where: { byte(row, $0) != 0x20 }) else { return nil }
    var end = start
    while end < edge, end - start < text.count, byte(row, end) == text[text.startIndex + end - start] { end += 1 }
    // Another character of a word would make it another address.
    let isLonger = end < edge && (UInt8(ascii: "/")...UInt8(ascii: "z")).contains(byte(row, end))
    return end == start || isLonger ? nil : start..<end
  }
}
