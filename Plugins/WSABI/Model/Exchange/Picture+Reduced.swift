import PluginAPI

extension Picture {
  /// Returns the picture scaled down to a longest edge, each pixel the mean of the area it covers.
  ///
  /// - Parameter edge: The longest edge in pixels, 1 at least; a smaller picture stays unchanged.
  /// - Complexity: O(*pixels*).
  func reduced(toLongestEdge edge: Int) -> Picture {
    let longest = max(width, height)
    guard edge < longest, edge >= 1, !isEmpty else { return self }
    let (newWidth, newHeight) = (max(1, width * edge / longest), max(1, height * edge / longest))
    var reduced = [UInt8](repeating: 0, count: 4 * newWidth * newHeight)
    pixels.withUnsafeBufferPointer { source in
      reduced.withUnsafeMutableBufferPointer { target in
        for y in 0..<newHeight {
          let rows = (y * height / newHeight)..<max((y + 1) * height / newHeight, y * height / newHeight + 1)
          for x in 0..<newWidth {
            let columns = (x * width / newWidth)..<max((x + 1) * width / newWidth, x * width / newWidth + 1)
            let mean = Self.mean(source, width, rows, columns)
            for channel in 0..<4 {
              target[4 * (y * newWidth + x) + channel] = UInt8(truncatingIfNeeded: mean[channel])
            }
          }
        }
      }
    }
    return Picture(width: newWidth, height: newHeight, pixels: reduced)
  }

  /// Returns the mean of a rectangle, for each of the four channels.
  private static func mean(
    _ source: UnsafeBufferPointer<UInt8>, _ width: Int, _ rows: Range<Int>, _ columns: Range<Int>
  ) -> SIMD4<UInt32> {
    var sum = SIMD4<UInt32>(repeating: 0)
    for row in rows {
      var place = 4 * (row * width + columns.lowerBound)
      for _ in columns {
        sum &+= SIMD4(
          UInt32(source[place]), UInt32(source[place + 1]), UInt32(source[place + 2]), UInt32(source[place + 3]))
        place += 4
      }
    }
    return sum / UInt32(rows.count * columns.count)
  }

  /// Returns the gray image of the picture on a white background.
  ///
  /// - Parameter pixelsPerInch: The known scale.
  /// - Source: ITU-R BT.601-7, section 2.5.1 (luma: 0.299, 0.587, 0.114).
  func grey(pixelsPerInch: Double) -> GreyImage {
    var greys = [UInt8](repeating: 255, count: width * height)
    pixels.withUnsafeBufferPointer { source in
      for place in greys.indices {
        let (red, green, blue) = (Int(source[4 * place]), Int(source[4 * place + 1]), Int(source[4 * place + 2]))
        let alpha = Int(source[4 * place + 3])
        let luma = (299 * red + 587 * green + 114 * blue + 500) / 1000
        greys[place] = UInt8((luma * alpha + 255 * (255 - alpha) + 127) / 255)
      }
    }
    return GreyImage(width: width, height: height, pixels: greys, pixelsPerInch: pixelsPerInch)
  }

  /// True if every pixel is an opaque gray.
  var isGrey: Bool {
    pixels.withUnsafeBufferPointer { source in
      for place in stride(from: 0, to: source.count, by: 4)
      where source[place] != source[place + 1] || source[place] != source[place + 2] || source[place + 3] != 255 {
        return false
      }
      return true
    }
  }
}
