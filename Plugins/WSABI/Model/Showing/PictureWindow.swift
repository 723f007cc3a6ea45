import PluginAPI

/// The visible part of a picture: its magnification and its center.
struct PictureWindow: Sendable, Hashable {
  /// The largest magnification, relative to the whole picture.
  static let greatestZoom = 32.0
  /// The magnification factor of one step.
  private static let step = 1.5

  /// The magnification, relative to the whole picture; 1 shows all of it.
  private(set) var zoom = 1.0
  /// The center of the visible part, as fractions of width and height, 0 … 1.
  private(set) var middle = SIMD2(0.5, 0.5)

  /// True if the whole picture is visible.
  var isWhole: Bool { zoom <= 1 }

  /// Magnifies by a number of steps, or shrinks by a negative one.
  ///
  /// - Parameter focus: The point that keeps its position, as fractions of the visible part, 0 … 1 each.
  mutating func enlarge(steps: Int, at focus: SIMD2<Double> = SIMD2(0.5, 0.5)) {
    var new = zoom
    for _ in 0..<min(20, abs(steps)) { new *= steps > 0 ? Self.step : 1 / Self.step }
    // A hair more than whole is whole: steps up and down lead back to where they began.
    new = new < 1.001 ? 1 : min(new, Self.greatestZoom)
    let shift = 1 / zoom - 1 / new
    middle += (focus - 0.5) * shift
    zoom = new
    stayInside()
  }

  /// Moves by fractions of the visible part: 0.25 is a quarter to the right, or down.
  mutating func move(_ x: Double, _ y: Double) {
    middle += SIMD2(x, y) / zoom
    stayInside()
  }

  /// Returns the visible pixels.
  ///
  /// If the picture does not fill the room in one direction, magnifying it shows more of it in that direction.
  /// - Parameters:
  ///   - size: The size of the picture, in pixels.
  ///   - room: The size of the area that shows it, in pixels.
  /// - Returns: A part of the picture, never empty unless the picture is.
  func seen(of size: Size, in room: Size) -> Rect {
    guard size.width > 0, size.height > 0, room.width > 0, room.height > 0, !isWhole else { return Rect(size) }
    let fit = min(Double(room.width) / Double(size.width), Double(room.height) / Double(size.height))
    func extent(_ pixels: Int, _ room: Int, _ middle: Double) -> (start: Int, length: Int) {
      let length = min(pixels, max(1, Int((Double(room) / (fit * zoom)).rounded())))
      let start = Int((middle * Double(pixels) - Double(length) / 2).rounded())
      return (min(max(0, start), pixels - length), length)
    }
    let (x, width) = extent(size.width, room.width, middle.x)
    let (y, height) = extent(size.height, room.height, middle.y)
    return Rect(x: x, y: y, width: width, height: height)
  }

  private mutating func stayInside() {
    let edge = 0.5 / zoom
    middle.clamp(lowerBound: SIMD2(repeating: edge), upperBound: SIMD2(repeating: 1 - edge))
  }
}

extension Picture {
  /// Returns a part of the picture.
  ///
  /// - Parameter rect: The part in pixels; areas outside the picture are left out.
  func cropped(to rect: Rect) -> Picture {
    let inside = rect.intersection(Rect(size))
    if inside == Rect(size) { return self }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(4 * inside.width * inside.height)
    for row in inside.y..<inside.y + inside.height {
      let start = 4 * (row * width + inside.x)
      bytes += pixels[start..<start + 4 * inside.width]
    }
    return Picture(width: inside.width, height: inside.height, pixels: bytes)
  }
}

extension Size {
  /// Returns the largest size in whole cells that fits an area and keeps a picture's proportions.
  ///
  /// - Parameters:
  ///   - room: The number of cells.
  ///   - pixelsPerCell: The number of pixels of a cell.
  func cells(in room: Size, pixelsPerCell: Size) -> Size {
    guard width > 0, height > 0, room.width > 0, room.height > 0 else { return Size(width: 0, height: 0) }
    let (wide, high) = (room.width * max(1, pixelsPerCell.width), room.height * max(1, pixelsPerCell.height))
    let scale = min(Double(wide) / Double(width), Double(high) / Double(height))
    return Size(
      width: min(room.width, max(1, Int((Double(width) * scale / Double(max(1, pixelsPerCell.width))).rounded()))),
      height: min(room.height, max(1, Int((Double(height) * scale / Double(max(1, pixelsPerCell.height))).rounded()))))
  }
}

extension Picture {
  /// Returns the gray image of the picture on a white background.
  ///
  /// - Parameter pixelsPerInch: The known scale.
  /// - Source: ITU-R BT.601-7, section 2.5.1 (luma: 0.299, 0.587, 0.114).
  func gray(pixelsPerInch: Double) -> GrayImage {
    var grays = [UInt8](repeating: 255, count: width * height)
    pixels.withUnsafeBufferPointer { source in
      for index in grays.indices {
        let (red, green, blue) = (Int(source[4 * index]), Int(source[4 * index + 1]), Int(source[4 * index + 2]))
        let alpha = Int(source[4 * index + 3])
        let luma = (299 * red + 587 * green + 114 * blue + 500) / 1000
        grays[index] = UInt8((luma * alpha + 255 * (255 - alpha) + 127) / 255)
      }
    }
    return GrayImage(width: width, height: height, pixels: grays, pixelsPerInch: pixelsPerInch)
  }

  /// True if every pixel is an opaque gray.
  var isGray: Bool {
    pixels.withUnsafeBufferPointer { source in
      for index in stride(from: 0, to: source.count, by: 4)
      where source[index] != source[index + 1] || source[index] != source[index + 2] || source[index + 3] != 255 {
        return false
      }
      return true
    }
  }
}
