import PluginAPI

extension Picture {
  /// The picture made smaller, keeping its proportions, so that it fits into a size; itself if it does.
  ///
  /// Each pixel is the mean of those it stands for, colours weighted by how opaque they are.
  /// - Complexity: O(*n*) in the pixels of the picture.
  func fitted(into size: Size) -> Picture {
    guard width > size.width || height > size.height, size.width > 0, size.height > 0 else { return self }
    let scale = min(Double(size.width) / Double(width), Double(size.height) / Double(height))
    let (columns, rows) = (max(1, Int(Double(width) * scale)), max(1, Int(Double(height) * scale)))
    var small = [UInt8](repeating: 0, count: 4 * columns * rows)
    pixels.withUnsafeBufferPointer { pixels in
      for row in 0..<rows {
        let ys = row * height / rows..<max(row * height / rows + 1, (row + 1) * height / rows)
        for column in 0..<columns {
          let xs = column * width / columns..<max(column * width / columns + 1, (column + 1) * width / columns)
          var (red, green, blue, alpha) = (0, 0, 0, 0)
          for y in ys {
            for x in xs {
              let place = 4 * (y * width + x)
              let weight = Int(pixels[place + 3])
              red += Int(pixels[place]) * weight
              green += Int(pixels[place + 1]) * weight
              blue += Int(pixels[place + 2]) * weight
              alpha += weight
            }
          }
          guard alpha > 0 else { continue }
          let target = 4 * (row * columns + column)
          small[target] = UInt8(red / alpha)
          small[target + 1] = UInt8(green / alpha)
          small[target + 2] = UInt8(blue / alpha)
          small[target + 3] = UInt8(alpha / (ys.count * xs.count))
        }
      }
    }
    return Picture(width: columns, height: rows, pixels: small)
  }
}
