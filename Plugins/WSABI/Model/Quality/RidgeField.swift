/// The ridges of one finger, made even: about zero, of the same strength everywhere, at a fixed scale.
struct RidgeField: Sendable {
  /// Cells of an inch: fine enough for ridges, which are four or five cells apart.
  static let cellsPerInch: Float = 250

  let width: Int
  let height: Int
  /// Row by row from the top; 0 where no finger touches.
  let cells: [Float]
  /// The center of the contact area, in cells.
  let middle: (x: Float, y: Float)
  /// The number of cells that show a finger.
  let area: Int

  /// - Parameter image: A picture of one finger; dark ridges on a bright ground.
  init(_ image: GreyImage) {
    let scale = Float(image.pixelsPerInch) / Self.cellsPerInch
    let (width, height) = (max(1, Int(Float(image.width) / scale)), max(1, Int(Float(image.height) / scale)))
    let cells = Self.resampled(image, width, height, scale)
    let means = Self.local(cells, width, height)
    let spreads = Self.local(zip(cells, means).map { ($0 - $1) * ($0 - $1) }, width, height)
    var even = [Float](repeating: 0, count: cells.count)
    var (sumX, sumY, area): (Float, Float, Int) = (0, 0, 0)
    for place in cells.indices {
      let spread = spreads[place].squareRoot()
      // Glass alone shows little more than noise; gray values are 0 … 255.
      if spread < 18 { continue }
      even[place] = max(-2, min(2, (cells[place] - means[place]) / spread))
      sumX += Float(place % width)
      sumY += Float(place / width)
      area += 1
    }
    (self.width, self.height, self.cells, self.area) = (width, height, even, area)
    middle = area == 0 ? (Float(width) / 2, Float(height) / 2) : (sumX / Float(area), sumY / Float(area))
  }

  /// Returns a square around a point, rotated.
  ///
  /// - Parameters:
  ///   - turn: In radians.
  ///   - edge: Of the square, in cells.
  func square(atX x: Float, y: Float, turn: Float, edge: Int) -> [Float] {
    let (cosine, sine) = (SynthesisMath.cos(turn), SynthesisMath.sin(turn))
    var square = [Float](repeating: 0, count: edge * edge)
    let half = Float(edge - 1) / 2
    cells.withUnsafeBufferPointer { cells in
      for row in 0..<edge {
        for column in 0..<edge {
          let (dx, dy) = (Float(column) - half, Float(row) - half)
          let (sourceX, sourceY) = (x + dx * cosine - dy * sine, y + dx * sine + dy * cosine)
          square[row * edge + column] = Self.value(cells, width, height, sourceX, sourceY)
        }
      }
    }
    return square
  }

  /// Returns the value interpolated between four cells; 0 outside.
  private static func value(
    _ cells: UnsafeBufferPointer<Float>, _ width: Int, _ height: Int, _ x: Float, _ y: Float
  ) -> Float {
    guard x >= 0, y >= 0, x < Float(width - 1), y < Float(height - 1) else { return 0 }
    let (left, top) = (Int(x), Int(y))
    let (fractionX, fractionY) = (x - Float(left), y - Float(top))
    let place = top * width + left
    let upper = cells[place] + fractionX * (cells[place + 1] - cells[place])
    let lower = cells[place + width] + fractionX * (cells[place + width + 1] - cells[place + width])
    return upper + fractionY * (lower - upper)
  }

  /// Returns the image at the scale of the cells, each the mean of the area it covers.
  private static func resampled(_ image: GreyImage, _ width: Int, _ height: Int, _ scale: Float) -> [Float] {
    var cells = [Float](repeating: 0, count: width * height)
    image.pixels.withUnsafeBufferPointer { pixels in
      for y in 0..<height {
        let top = min(image.height - 1, Int(Float(y) * scale))
        let bottom = min(image.height, max(top + 1, Int(Float(y + 1) * scale)))
        for x in 0..<width {
          let left = min(image.width - 1, Int(Float(x) * scale))
          let right = min(image.width, max(left + 1, Int(Float(x + 1) * scale)))
          var sum = 0
          for row in top..<bottom { for column in left..<right { sum += Int(pixels[row * image.width + column]) } }
          cells[y * width + x] = Float(sum) / Float((bottom - top) * (right - left))
        }
      }
    }
    return cells
  }

  /// Returns the mean around each cell, over a square of 17 cells: three ridges and more.
  private static func local(_ cells: [Float], _ width: Int, _ height: Int) -> [Float] {
    let reach = 8
    var across = cells
    var out = cells
    for row in 0..<height {
      Self.slide(cells, &across, start: row * width, step: 1, count: width, reach)
    }
    for column in 0..<width { Self.slide(across, &out, start: column, step: width, count: height, reach) }
    return out
  }

  /// Computes the means along a line with a sliding sum.
  private static func slide(
    _ source: [Float], _ target: inout [Float], start: Int, step: Int, count: Int, _ reach: Int
  ) {
    var (sum, first, last): (Float, Int, Int) = (0, 0, 0)
    for place in 0..<count {
      while last < min(count, place + reach + 1) {
        sum += source[start + last * step]
        last += 1
      }
      while first < place - reach {
        sum -= source[start + first * step]
        first += 1
      }
      target[start + place * step] = sum / Float(last - first)
    }
  }
}
