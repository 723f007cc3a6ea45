import PluginAPI

/// The pictures on the screen as pixels, and the output needed when they change.
///
/// A picture is shown in pixels while nothing covers it, and as half-blocks if text or another picture covers it or the
/// connection is too slow for pixels.
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
  /// The pictures that were too large for the connection, with their sizes in bytes.
  private var refused: [(picture: TextFrame.PlacedPicture, byteCount: Int)] = []
  /// A Boolean value indicating whether earlier pictures may still be on the screen.
  private var needsDeletion = false

  init(mode: GraphicsMode, depth: ColorDepth, background: Color = .black) {
    pixels = mode.pixels
    cells = PictureCells(mode, depth: depth, background: background)
  }

  /// Forgets the content of the screen, which is cleared and redrawn.
  mutating func forget() {
    needsDeletion = true
    (shown, refused) = ([], [])
  }

  /// Turns the pictures of a frame into cells or into pixels laid over it.
  ///
  /// - Parameter longestPiece: The maximum number of bytes a picture may take; pixels cannot be sent in parts.
  mutating func compose(_ frame: inout TextFrame, longestPiece: Int = .max) -> Changes {
    guard let pixels else {
      cells.draw(&frame)
      return Changes()
    }
    var changes = Changes()
    if needsDeletion, let deletion = pixels.deletion(at: nil) { changes.before += Array(deletion.utf8) }
    needsDeletion = false
    if frame.pictures.isEmpty, shown.isEmpty { return changes }
    var wanted = split(&frame, for: pixels)
    for old in shown where !wanted.contains(old) { remove(old, wanted, &changes, by: pixels) }
    wanted = wanted.filter { picture in
      if shown.contains(picture) { return true }
      guard let bytes = encoded(picture, frame.pixelsPerCell, longestPiece, by: pixels) else {
        if shown.contains(where: { $0.rect == picture.rect }) { changes.uncovered.append(picture.rect) }
        let size = frame.frameSize
        frame.replaceCells { cells.draw(picture.picture, in: picture.rect, &$0, size) }
        return false
      }
      changes.after += Array("\u{1B}[\(picture.rect.y + 1);\(picture.rect.x + 1)H".utf8) + bytes
      return true
    }
    shown = wanted
    return changes
  }

  /// Removes the pictures from the frame; those that are covered or cut become cells.
  ///
  /// - Returns: The pictures to show as pixels.
  private func split(_ frame: inout TextFrame, for pixels: any PixelProtocol) -> [TextFrame.PlacedPicture] {
    let screen = Rect(frame.frameSize)
    let placed = frame.takePictures()
    var free: [TextFrame.PlacedPicture] = []
    var taken: [Rect] = []
    frame.replaceCells { all in
      for picture in placed.reversed() {
        let rect = picture.rect
        let isFree = rect.intersection(screen) == rect && !taken.contains { !$0.intersection(rect).isEmpty }
        if isFree, Self.isEmpty(rect, all, screen.width) {
          let isWhole = !pixels.scrollsAtLastRow || rect.y + rect.height < screen.height
          let (upper, lowest) = isWhole ? (picture, nil) : Self.parts(picture)
          if let upper { free.append(upper) }
          if let lowest { cells.draw(lowest.picture, in: lowest.rect, &all, screen.size) }
          if let upper { Self.blank(upper.rect, &all, screen.width) }
        } else {
          cells.draw(picture.picture, in: rect, &all, screen.size)
        }
        taken.append(rect)
      }
    }
    return free.reversed()
  }

  /// Cuts off a picture's last row of cells.
  private static func parts(_ placed: TextFrame.PlacedPicture)
    -> (upper: TextFrame.PlacedPicture?, lowest: TextFrame.PlacedPicture?)
  {
    let rect = placed.rect
    let picture = placed.picture
    let height = picture.height * (rect.height - 1) / rect.height
    var (upper, lowest) = (placed, placed)
    upper.picture = PictureScaler.cropped(picture, to: Rect(x: 0, y: 0, width: picture.width, height: height))
    upper.rect.height -= 1
    lowest.picture = PictureScaler.cropped(
      picture, to: Rect(x: 0, y: height, width: picture.width, height: picture.height - height))
    lowest.rect = Rect(x: rect.x, y: rect.y + rect.height - 1, width: rect.width, height: 1)
    return (upper.rect.isEmpty || upper.picture.isEmpty ? nil : upper, lowest)
  }

  private static func isEmpty(_ rect: Rect, _ cells: [Cell], _ width: Int) -> Bool {
    (rect.y..<rect.y + rect.height).allSatisfy { y in
      cells[y * width + rect.x..<y * width + rect.x + rect.width].allSatisfy { $0.glyph == 0 }
    }
  }

  /// Makes the cells below a picture equal, so that no change of theirs is drawn over it.
  private static func blank(_ rect: Rect, _ cells: inout [Cell], _ width: Int) {
    for y in rect.y..<rect.y + rect.height {
      for x in rect.x..<rect.x + rect.width { cells[y * width + x] = .empty }
    }
  }

  private func remove(
    _ old: TextFrame.PlacedPicture, _ wanted: [TextFrame.PlacedPicture], _ changes: inout Changes,
    by pixels: any PixelProtocol
  ) {
    if let deletion = pixels.deletion(at: Point(x: old.rect.x, y: old.rect.y)) {
      changes.before += Array(deletion.utf8)
    } else if !wanted.contains(where: { $0.rect == old.rect && $0.picture.isOpaque }) {
      // An opaque picture in the same rectangle covers the old one anyway.
      changes.uncovered.append(old.rect)
    }
  }

  /// Returns the bytes of a picture; nil if it cannot be encoded or is too large for the connection, which is checked
  /// once.
  private mutating func encoded(
    _ placed: TextFrame.PlacedPicture, _ cellPixels: Size, _ longestPiece: Int, by pixels: any PixelProtocol
  ) -> [UInt8]? {
    if refused.contains(where: { $0.picture == placed && $0.byteCount > longestPiece }) { return nil }
    refused.removeAll { $0.picture.rect == placed.rect }
    let bytes = try? pixels.encode(placed.picture, cells: placed.rect.size, cellPixels: cellPixels, movesCursor: false)
    guard let bytes, bytes.count > longestPiece else { return bytes }
    refused.append((placed, bytes.count))
    return nil
  }
}

extension Picture {
  /// A Boolean value indicating whether all pixels are opaque.
  fileprivate var isOpaque: Bool {
    pixels.withUnsafeBufferPointer { pixels in
      stride(from: 3, to: pixels.count, by: 4).allSatisfy { pixels[$0] >= 128 }
    }
  }
}
