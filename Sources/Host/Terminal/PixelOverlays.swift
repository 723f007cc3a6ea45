import PluginAPI

/// The pictures on the screen as pixels, and the output needed when they change.
///
/// A picture is shown in pixels, and as half-blocks if another picture covers it or the connection is too slow for
/// pixels; its rows with text over them are half-blocks too.
struct PixelOverlays {
  /// The output of a frame besides its cells.
  struct Changes {
    /// The bytes to send before the cells, which delete pictures.
    var before: [UInt8] = []
    /// The bytes to send after the cells, which show new pictures.
    var after: [UInt8] = []
    /// The rectangles whose cells must be redrawn, because pixels covered them.
    var uncovered: [Rect] = []
  }

  private let pixels: (any PixelProtocol)?
  private let cells: PictureCells
  private var shown: [TextFrame.PlacedPicture] = []
  /// The places of the pictures that the last frame added.
  private var added: [Rect] = []
  /// The pictures of the last frame that were too large for the connection, encoded.
  private var refused: [(picture: TextFrame.PlacedPicture, bytes: [UInt8])] = []
  /// The size in cells of the last encoded picture, and the bytes it took for each of them.
  private var lastEncoded: (cells: Size, bytesPerCell: Double)?
  /// The bytes that a piece must have for a refused picture of the last frame to be tried again; nil if none was
  /// refused.
  private(set) var neededPiece: Int?
  /// A Boolean value indicating whether earlier pictures may still be on the screen.
  private var needsDeletion = false

  init(mode: GraphicsMode, depth: ColorDepth, background: Color = .black) {
    pixels = mode.pixels
    cells = PictureCells(mode, depth: depth, background: background)
  }

  /// Forgets the content of the screen, which is cleared and redrawn.
  mutating func forget() {
    needsDeletion = true
    (shown, added, refused) = ([], [], [])
    (lastEncoded, neededPiece) = (nil, nil)
  }

  /// Records that ``Changes/after`` of the last frame was not sent: pixels at these places are unknown.
  mutating func revoke() {
    for index in shown.indices where added.contains(shown[index].rect) {
      // An empty picture equals no other: a later one replaces it, and without one its cells are redrawn.
      shown[index].picture = Picture(width: 0, height: 0)
    }
    added = []
  }

  /// Turns the pictures of a frame into cells or into pixels laid over it.
  ///
  /// - Parameter longestPiece: The most bytes that the pictures may take; pixels cannot be sent in parts.
  mutating func compose(_ frame: inout TextFrame, longestPiece: Int = .max) -> Changes {
    guard let pixels else {
      cells.draw(&frame)
      return Changes()
    }
    var changes = Changes()
    if needsDeletion, let deletion = pixels.deletion(at: nil) { changes.before += Array(deletion.utf8) }
    needsDeletion = false
    let earlier = refused
    (added, refused, neededPiece) = ([], [], nil)
    if frame.pictures.isEmpty, shown.isEmpty { return changes }
    let wanted = split(&frame, for: pixels)
    let parts = wanted.flatMap(\.self)
    for old in shown where !parts.contains(old) { remove(old, parts, &changes, by: pixels) }
    var room = longestPiece
    var kept = parts.filter { shown.contains($0) }
    for picture in wanted {
      let new = picture.filter { !shown.contains($0) }
      let pieces = pieces(of: new, earlier, frame.pixelsPerCell, room, by: pixels)
      for (index, part) in new.enumerated() {
        let isReplaced = shown.contains { $0.rect == part.rect }
        // The old picture stays until the new one arrives: between them nothing blank is seen.
        let deletion = isReplaced ? pixels.deletion(at: Point(x: part.rect.x, y: part.rect.y)) ?? "" : ""
        if let pieces {
          room -= pieces[index].count
          added.append(part.rect)
          kept.append(part)
          let start = "\(deletion)\u{1B}[\(part.rect.y + 1);\(part.rect.x + 1)H"
          changes.after += Array(start.utf8) + pieces[index]
        } else {
          changes.before += Array(deletion.utf8)
          if isReplaced { changes.uncovered.append(part.rect) }
          let size = frame.frameSize
          frame.replaceCells { cells.draw(part.picture, in: part.rect, &$0, size) }
        }
      }
    }
    shown = kept
    return changes
  }

  /// Removes the pictures from the frame; those that are covered or cut become cells.
  ///
  /// Rows with text over them become cells alone, as long as half of the rows have none: a button in a corner does not
  /// turn the whole picture into cells, and pixels are not cut into stripes between many labels.
  ///
  /// - Returns: The pictures to show as pixels, each in the parts that are free of text.
  private func split(_ frame: inout TextFrame, for pixels: any PixelProtocol) -> [[TextFrame.PlacedPicture]] {
    let screen = Rect(frame.frameSize)
    let placed = frame.takePictures()
    var free: [[TextFrame.PlacedPicture]] = []
    var taken: [Rect] = []
    frame.replaceCells { all in
      for picture in placed.reversed() {
        let rect = picture.rect
        var isFree = [Bool](repeating: false, count: max(0, rect.height))
        if rect.intersection(screen) == rect, !taken.contains(where: { !$0.intersection(rect).isEmpty }) {
          isFree = Self.rowsWithoutText(rect, all, screen.width)
          if 2 * isFree.count(where: \.self) < rect.height { isFree = isFree.map { _ in false } }
          if pixels.scrollsAtLastRow, rect.y + rect.height == screen.height { isFree[rect.height - 1] = false }
        }
        taken.append(rect)
        var parts: [TextFrame.PlacedPicture] = []
        for rows in Self.runs(isFree) {
          let part = Self.part(rows, of: picture)
          if !isFree[rows.lowerBound] || part.picture.isEmpty {
            cells.draw(part.picture, in: part.rect, &all, screen.size)
          } else {
            Self.blank(part.rect, &all, screen.width)
            parts.append(part)
          }
        }
        free.append(parts)
      }
    }
    return free.reversed()
  }

  /// Returns, for each row of a rectangle, whether its cells are empty.
  private static func rowsWithoutText(_ rect: Rect, _ cells: [Cell], _ width: Int) -> [Bool] {
    (rect.y..<rect.y + rect.height).map { y in
      cells[y * width + rect.x..<y * width + rect.x + rect.width].allSatisfy { $0.glyph == 0 }
    }
  }

  /// Returns the ranges of equal neighbors.
  private static func runs(_ values: [Bool]) -> [Range<Int>] {
    var runs: [Range<Int>] = []
    for index in values.indices {
      if let last = runs.last, values[last.lowerBound] == values[index] {
        runs[runs.count - 1] = last.lowerBound..<index + 1
      } else {
        runs.append(index..<index + 1)
      }
    }
    return runs
  }

  /// Returns the part of a picture in some of its rows of cells.
  private static func part(_ rows: Range<Int>, of placed: TextFrame.PlacedPicture) -> TextFrame.PlacedPicture {
    let (rect, picture) = (placed.rect, placed.picture)
    if rows.count == rect.height { return placed }
    let top = picture.height * rows.lowerBound / rect.height
    let bottom = picture.height * rows.upperBound / rect.height
    var part = placed
    part.picture = PictureScaler.cropped(
      picture, to: Rect(x: 0, y: top, width: picture.width, height: bottom - top))
    part.rect = Rect(x: rect.x, y: rect.y + rows.lowerBound, width: rect.width, height: rows.count)
    return part
  }

  /// Makes the cells below a picture equal, so that no change of theirs is drawn over it.
  private static func blank(_ rect: Rect, _ cells: inout [Cell], _ width: Int) {
    for y in rect.y..<rect.y + rect.height {
      for x in rect.x..<rect.x + rect.width { cells[y * width + x] = .empty }
    }
  }

  /// Removes a picture; one that is replaced in the same rectangle is deleted with its replacement.
  private func remove(
    _ old: TextFrame.PlacedPicture, _ wanted: [TextFrame.PlacedPicture], _ changes: inout Changes,
    by pixels: any PixelProtocol
  ) {
    if let deletion = pixels.deletion(at: Point(x: old.rect.x, y: old.rect.y)) {
      if !wanted.contains(where: { $0.rect == old.rect }) { changes.before += Array(deletion.utf8) }
    } else if !wanted.contains(where: { $0.rect == old.rect && $0.picture.isOpaque }) {
      // An opaque picture in the same rectangle covers the old one anyway.
      changes.uncovered.append(old.rect)
    }
  }

  /// Returns the bytes of the new parts of a picture; nil if they cannot be encoded or do not fit together.
  ///
  /// Parts that are probably too large, as their size in cells and the last part show, are not encoded: that takes
  /// longer than drawing their cells. Each time the estimate is lowered a little, as pictures may become simpler.
  private mutating func pieces(
    of parts: [TextFrame.PlacedPicture], _ earlier: [(picture: TextFrame.PlacedPicture, bytes: [UInt8])],
    _ cellPixels: Size, _ room: Int, by pixels: any PixelProtocol
  ) -> [[UInt8]]? {
    let known = parts.map { part in earlier.first { $0.picture == part }?.bytes }
    if let (cells, bytesPerCell) = lastEncoded {
      let unknown = zip(parts, known).filter { $0.1 == nil }.map(\.0.rect.size)
      let area = Double(unknown.reduce(0) { $0 + $1.width * $1.height })
      let least = bytesPerCell * area * (unknown.contains(cells) ? 0.9 : 0.5)
      let size = known.reduce(0) { $0 + ($1?.count ?? 0) }
      if area > 0, least > Double(room - size) {
        // More than the room, also after rounding.
        noteRefusal(size + Int(least.rounded(.up)))
        lastEncoded = (cells, bytesPerCell * 0.97)
        return nil
      }
    }
    var pieces: [[UInt8]] = []
    for (part, bytes) in zip(parts, known) {
      guard let bytes = bytes ?? encoded(part, cellPixels, by: pixels) else { return nil }
      pieces.append(bytes)
    }
    let size = pieces.reduce(0) { $0 + $1.count }
    if size <= room { return pieces }
    // For the same picture in a later frame.
    for (part, bytes) in zip(parts, pieces) { refused.append((part, bytes)) }
    noteRefusal(size)
    return nil
  }

  /// Returns the bytes of a part of a picture; nil if it cannot be encoded.
  private mutating func encoded(
    _ placed: TextFrame.PlacedPicture, _ cellPixels: Size, by pixels: any PixelProtocol
  ) -> [UInt8]? {
    let size = placed.rect.size
    let bytes = try? pixels.encode(placed.picture, cells: size, cellPixels: cellPixels, movesCursor: false)
    if let bytes { lastEncoded = (size, Double(bytes.count) / Double(size.width * size.height)) }
    return bytes
  }

  private mutating func noteRefusal(_ byteCount: Int) { neededPiece = min(neededPiece ?? .max, byteCount) }
}

extension Picture {
  /// A Boolean value indicating whether all pixels are opaque.
  fileprivate var isOpaque: Bool {
    pixels.withUnsafeBufferPointer { pixels in
      stride(from: 3, to: pixels.count, by: 4).allSatisfy { pixels[$0] >= 128 }
    }
  }
}
