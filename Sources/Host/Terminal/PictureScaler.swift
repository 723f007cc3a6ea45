import PluginAPI

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
