extension DepthCanvas {
  /// Draws the front of a ball as a disc whose depth at distance d from the middle is z + √(r² − d²).
  ///
  /// A ball too small to hold the middle of any pixel is drawn as the one pixel it lies in.
  ///
  /// - Parameters:
  ///   - ball: x, y, z of the centre and the radius as the fourth number; all finite.
  ///   - name: what goes into the id-buffer.
  /// - Complexity: O(pixels covered).
  @inline(__always)
  func drawSphere(_ ball: SIMD4<Float>, name: UInt32) {
    let radius = ball.w
    guard ball.x + radius >= 0, ball.x - radius <= Float(width) else { return }
    let top = (ball.y - radius) / aspect
    let bottom = (ball.y + radius) / aspect
    guard bottom >= 0, top <= Float(height) else { return }
    if radius < 0.75 || bottom - top < 1.5 {
      plot(ball, name: name)
      return
    }
    let firstRow = Int(max(0, top + 0.5))
    let endRow = Int(min(Float(height), bottom + 0.5))
    guard firstRow < endRow else { return }
    let squaredRadius = radius * radius
    for row in firstRow..<endRow {
      let dy = (Float(row) + 0.5) * aspect - ball.y
      let rest = squaredRadius - dy * dy
      guard rest > 0 else { continue }
      drawSpan(of: ball, row: row, rest: rest, name: name)
    }
  }

  /// Draws one row of a ball, four pixels at a time; pixels outside have no real depth and lose every comparison.
  @inline(__always)
  private func drawSpan(of ball: SIMD4<Float>, row: Int, rest: Float, name: UInt32) {
    let half = rest.squareRoot()
    var x = Int(max(0, ball.x - half + 0.5))
    let end = Int(min(Float(width), ball.x + half + 0.5))
    guard x < end else { return }
    let depths = UnsafeMutableRawPointer(depth + row * stride)
    let owners = UnsafeMutableRawPointer(owner + row * stride)
    let names = SIMD4<UInt32>(repeating: name)
    var dx = SIMD4<Float>(0.5, 1.5, 2.5, 3.5) + (Float(x) - ball.x)
    while x < end {
      let z = (SIMD4<Float>(repeating: rest) - dx * dx).squareRoot() + ball.z
      var stored = depths.loadUnaligned(fromByteOffset: 4 * x, as: SIMD4<Float>.self)
      let nearer = z .> stored
      if any(nearer) {
        stored.replace(with: z, where: nearer)
        depths.storeBytes(of: stored, toByteOffset: 4 * x, as: SIMD4<Float>.self)
        var holders = owners.loadUnaligned(fromByteOffset: 4 * x, as: SIMD4<UInt32>.self)
        holders.replace(with: names, where: nearer)
        owners.storeBytes(of: holders, toByteOffset: 4 * x, as: SIMD4<UInt32>.self)
      }
      x += 4
      dx += 4
    }
  }

  /// Draws a ball of less than a pixel as the pixel its centre lies in.
  @inline(__always)
  private func plot(_ ball: SIMD4<Float>, name: UInt32) {
    let row = ball.y / aspect
    guard ball.x >= 0, ball.x < Float(width), row >= 0, row < Float(height) else { return }
    let place = Int(row) * stride + Int(ball.x)
    let z = ball.z + ball.w
    guard z > depth[place] else { return }
    depth[place] = z
    owner[place] = name
  }
}
