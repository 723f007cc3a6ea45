public import PluginAPI

extension Picture {
  /// Returns the picture scaled down to fit into a size with its proportions kept; itself if it fits.
  ///
  /// Sides are rounded to whole pixels, at least 1. Each pixel is the mean of those it replaces, with colors weighted
  /// by opacity.
  /// - Complexity: O(*n*) in the pixels of the picture.
  public func scaled(toFit size: Size) -> Picture {
    guard width > size.width || height > size.height, size.width > 0, size.height > 0, !isEmpty else { return self }
    let scaled = self.size.scaled(toFit: size)
    let (columns, rows) = (scaled.width, scaled.height)
    let (width, height) = (width, height)
    let small = pixels.withUnsafeBufferPointer { pixels in
      [UInt8](unsafeUninitializedCapacity: 4 * columns * rows) { small, count in
        var target = 0
        for row in 0..<rows {
          let ys = row * height / rows..<max(row * height / rows + 1, (row + 1) * height / rows)
          for column in 0..<columns {
            let xs = column * width / columns..<max(column * width / columns + 1, (column + 1) * width / columns)
            let mean = Self.mean(pixels, width: width, xs, ys)
            for channel in 0..<4 { small[target + channel] = mean[channel] }
            target += 4
          }
        }
        count = target
      }
    }
    return Picture(width: columns, height: rows, pixels: small)
  }

  /// Returns the mean pixel of a rectangle; transparent if nothing in it is visible.
  private static func mean(
    _ pixels: UnsafeBufferPointer<UInt8>, width: Int, _ xs: Range<Int>, _ ys: Range<Int>
  ) -> SIMD4<UInt8> {
    var (sum, alpha) = (SIMD4<Int>(), 0)
    for y in ys {
      for x in xs {
        let offset = 4 * (y * width + x)
        let weight = Int(pixels[offset + 3])
        sum &+= SIMD4(Int(pixels[offset]), Int(pixels[offset + 1]), Int(pixels[offset + 2]), 0) &* weight
        alpha += weight
      }
    }
    guard alpha > 0 else { return SIMD4() }
    return SIMD4(
      UInt8(sum[0] / alpha), UInt8(sum[1] / alpha), UInt8(sum[2] / alpha), UInt8(alpha / (ys.count * xs.count)))
  }
}

extension Size {
  /// Returns the largest size with these proportions that fits into another one; sides are rounded, at least 1.
  public func scaled(toFit room: Size) -> Size {
    let scale = min(Double(room.width) / Double(width), Double(room.height) / Double(height))
    return Size(
      width: min(room.width, max(1, Int((Double(width) * scale).rounded()))),
      height: min(room.height, max(1, Int((Double(height) * scale).rounded()))))
  }
}
