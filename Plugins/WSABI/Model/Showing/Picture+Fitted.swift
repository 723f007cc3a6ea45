import PluginAPI

extension Picture {
  /// The picture made smaller, keeping its proportions, so that it fits into a size; itself if it does.
  ///
  /// Each pixel is the mean of those it stands for, colours weighted by how opaque they are.
  /// - Complexity: O(*n*) in the pixels of the picture.
  func fitted(into size: Size) -> Picture {
    guard width > size.width || height > size.height, size.width > 0, size.height > 0 else { return self }
    let scale = min(Double(size.width) / Double(width), Double(size.height) / Double(height))
    let (columns, rows) = (
      max(1, Int((Double(width) * scale).rounded())), max(1, Int((Double(height) * scale).rounded()))
    )
    var small = [UInt8](repeating: 0, count: 4 * columns * rows)
    pixels.withUnsafeBufferPointer { pixels in
      for row in 0..<rows {
        let ys = row * height / rows..<max(row * height / rows + 1, (row + 1) * height / rows)
        for column in 0..<columns {
          let xs = column * width / columns..<max(column * width / columns + 1, (column + 1) * width / columns)
          let mean = Self.mean(pixels, width: width, xs, ys)
          for channel in 0..<4 { small[4 * (row * columns + column) + channel] = mean[channel] }
        }
      }
    }
    return Picture(width: columns, height: rows, pixels: small)
  }

  /// The mean pixel of a rectangle; transparent if nothing in it can be seen.
  private static func mean(
    _ pixels: UnsafeBufferPointer<UInt8>, width: Int, _ xs: Range<Int>, _ ys: Range<Int>
  ) -> SIMD4<UInt8> {
    var (sum, alpha) = (SIMD4<Int>(), 0)
    for y in ys {
      for x in xs {
        let place = 4 * (y * width + x)
        let weight = Int(pixels[place + 3])
        sum &+= SIMD4(Int(pixels[place]), Int(pixels[place + 1]), Int(pixels[place + 2]), 0) &* weight
        alpha += weight
      }
    }
    guard alpha > 0 else { return SIMD4() }
    return SIMD4(
      UInt8(sum[0] / alpha), UInt8(sum[1] / alpha), UInt8(sum[2] / alpha), UInt8(alpha / (ys.count * xs.count)))
  }
}

extension Size {
  /// The largest size of whole cells in a room that keeps the proportions of a picture, in cells.
  ///
  /// - Parameters:
  ///   - room: How many cells there are.
  ///   - pixelsPerCell: How many pixels a cell has.
  func cells(in room: Size, pixelsPerCell: Size) -> Size {
    guard width > 0, height > 0, room.width > 0, room.height > 0 else { return Size(width: 0, height: 0) }
    let (wide, high) = (room.width * max(1, pixelsPerCell.width), room.height * max(1, pixelsPerCell.height))
    let scale = min(Double(wide) / Double(width), Double(high) / Double(height))
    return Size(
      width: min(room.width, max(1, Int((Double(width) * scale / Double(max(1, pixelsPerCell.width))).rounded()))),
      height: min(room.height, max(1, Int((Double(height) * scale / Double(max(1, pixelsPerCell.height))).rounded()))))
  }
}
