extension DepthCanvas {
  /// Draws the front of a ball as a disk whose depth at distance d from the center is z + √(r² − d²).
  ///
  /// A ball too small to contain the center of any sample is drawn as the one sample it lies in.
  ///
  /// - Parameters:
  ///   - ball: x, y, z of the center and the radius as the fourth number; all finite.
  ///   - name: the value for the id-buffer.
  /// - Complexity: O(samples covered).
  @inline(__always)
  func drawSphere(_ ball: SIMD4<Float>, name: UInt32) {
    let radius = ball.w
    let rise = radius * inverseAspect
    if radius < 0.75 || rise < 0.75 {
      plot(ball, name: name)
      return
    }
    let middle = ball.y * inverseAspect + 0.5
    let top = max(middle - rise, firstRow)
    let bottom = min(middle + rise, endRow)
    let left = max(ball.x - radius + 0.5, 0)
    let right = min(ball.x + radius + 0.5, endColumn)
    // The comparisons are written so that NaN does not pass.
    guard top < bottom, left < right else { return }
    let rows = Int(top)..<Int(bottom)
    let columns = Int(left)..<Int(right)
    if columns.count <= 4 {
      drawNarrow(ball, rows: rows, firstColumn: columns.lowerBound, name: name)
    } else {
      drawWide(ball, rows: rows, columns: columns, name: name)
    }
  }

  /// Draws a ball of at most four samples per row; samples outside have no real depth and lose every comparison.
  @inline(__always)
  private func drawNarrow(_ ball: SIMD4<Float>, rows: Range<Int>, firstColumn: Int, name: UInt32) {
    let names = SIMD4<UInt32>(repeating: name)
    let dx = SIMD4<Float>(0.5, 1.5, 2.5, 3.5) + (Float(firstColumn) - ball.x)
    let rest = SIMD4<Float>(repeating: ball.w * ball.w) - dx * dx
    var dy = (Float(rows.lowerBound) + 0.5) * aspect - ball.y
    for row in rows {
      let z = (rest - dy * dy).squareRoot() + ball.z
      store(z, names, row: row, x: firstColumn)
      dy += aspect
    }
  }

  /// Draws a ball row by row, four samples at a time.
  @inline(__always)
  private func drawWide(_ ball: SIMD4<Float>, rows: Range<Int>, columns: Range<Int>, name: UInt32) {
    let names = SIMD4<UInt32>(repeating: name)
    let squaredRadius = ball.w * ball.w
    let isTight = columns.count <= 16
    for row in rows {
      let dy = (Float(row) + 0.5) * aspect - ball.y
      let rest = squaredRadius - dy * dy
      guard rest > 0 else { continue }
      var x = columns.lowerBound
      var end = columns.upperBound
      if !isTight {
        let half = rest.squareRoot()
        x = Int(max(0, ball.x - half + 0.5))
        end = Int(min(endColumn, max(0, ball.x + half + 0.5)))
      }
      var dx = SIMD4<Float>(0.5, 1.5, 2.5, 3.5) + (Float(x) - ball.x)
      while x < end {
        let z = (SIMD4<Float>(repeating: rest) - dx * dx).squareRoot() + ball.z
        store(z, names, row: row, x: x)
        x += 4
        dx += 4
      }
    }
  }

  /// Draws a ball smaller than a sample as the sample that contains its center.
  @inline(__always)
  private func plot(_ ball: SIMD4<Float>, name: UInt32) {
    let row = ball.y * inverseAspect
    guard ball.x >= 0, ball.x < endColumn, row >= firstRow, row < endRow else { return }
    let place = Int(row) * stride + Int(ball.x)
    let z = ball.z + ball.w
    guard z > depth[place] else { return }
    depth[place] = z
    owner[place] = name
  }
}
