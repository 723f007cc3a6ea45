extension DepthCanvas {
  /// Draws a stick with flat ends by cutting it with one ray per pixel.
  ///
  /// With u along and v across the projected axis, d the axis, l = √(dx² + dy²) and w = √(r² − v²), the ray meets the
  /// round side at depth (u·dz + w) / l above the first end, and at distance (u + dz·w) / l along the axis; rays that
  /// meet the side beyond an end that faces the viewer are tested against the flat end.
  ///
  /// - Complexity: O(pixels of the rectangle around the projected axis).
  func drawCylinder(_ stick: PlacedCylinder, name: UInt32) {
    let flat = CylinderOutline(stick)
    let firstY = min(stick.start.y, stick.start.y + stick.axis.y * stick.length) - stick.radius
    let lastY = max(stick.start.y, stick.start.y + stick.axis.y * stick.length) + stick.radius
    let top = max(firstRow, firstY * inverseAspect + 0.5)
    let bottom = min(endRow, lastY * inverseAspect + 0.5)
    guard top < bottom else { return }
    for row in Int(top)..<Int(bottom) {
      let y = (Float(row) + 0.5) * aspect - stick.start.y
      let span = flat.span(atRow: y)
      let low = max(0, stick.start.x + span.x + 0.5)
      let high = min(endColumn, stick.start.x + span.y + 0.5)
      guard low < high else { continue }
      let depths = depth + row * stride
      let owners = owner + row * stride
      for x in Int(low)..<Int(high) {
        let hit = flat.depth(x: Float(x) + 0.5 - stick.start.x, y: y)
        if hit + stick.start.z > depths[x] {
          depths[x] = hit + stick.start.z
          owners[x] = name
        }
      }
    }
  }
}

/// The projection of one stick seen from the front, relative to its first end.
private struct CylinderOutline {
  let acrossX: Float
  let acrossY: Float
  let alongX: Float
  let alongY: Float
  /// The rise of the axis toward the viewer per unit of its length.
  let rise: Float
  /// The length of the projected axis per unit of its length; never 0.
  let run: Float
  let length: Float
  let squaredRadius: Float
  let radius: Float

  init(_ stick: PlacedCylinder) {
    let run = (stick.axis.x * stick.axis.x + stick.axis.y * stick.axis.y).squareRoot()
    let isEndOn = run < 1e-3
    alongX = isEndOn ? 1 : stick.axis.x / run
    alongY = isEndOn ? 0 : stick.axis.y / run
    acrossX = alongY
    acrossY = -alongX
    self.run = max(run, 1e-3)
    rise = stick.axis.z
    length = stick.length
    radius = stick.radius
    squaredRadius = radius * radius
  }

  /// Returns the first and last x that the rectangle around the stick covers in a row; the first is larger if there is
  /// none.
  @inline(__always)
  func span(atRow y: Float) -> SIMD2<Float> {
    let overhang = radius * abs(rise)
    let across = interval(from: -radius, to: radius, slope: acrossX, offset: y * acrossY)
    let along = interval(from: -overhang, to: length * run + overhang, slope: alongX, offset: y * alongY)
    return SIMD2(max(across.x, along.x), min(across.y, along.y))
  }

  /// Returns the interval of x in which slope · x + offset lies between two values.
  @inline(__always)
  private func interval(from low: Float, to high: Float, slope: Float, offset: Float) -> SIMD2<Float> {
    guard abs(slope) > 1e-6 else {
      return offset >= low && offset <= high ? SIMD2(-1e9, 1e9) : SIMD2(1, -1)
    }
    let a = (low - offset) / slope
    let b = (high - offset) / slope
    return SIMD2(min(a, b), max(a, b))
  }

  /// Returns the depth of the surface above the first end at a pixel, or the empty depth if the ray misses.
  @inline(__always)
  func depth(x: Float, y: Float) -> Float {
    let v = x * acrossX + y * acrossY
    let rest = squaredRadius - v * v
    guard rest > 0 else { return DepthCanvas.emptyDepth }
    let u = x * alongX + y * alongY
    let w = rest.squareRoot()
    let along = (u + rise * w) / run
    if along >= 0, along <= length { return (u * rise + w) / run }
    if along < 0, rise < 0 { return endDepth(u: u, rest: rest) }
    if along > length, rise > 0 {
      let depth = endDepth(u: u - length * run, rest: rest)
      return depth == DepthCanvas.emptyDepth ? depth : depth + length * rise
    }
    return DepthCanvas.emptyDepth
  }

  /// Returns the depth of a flat end above its center, or the empty depth outside its circle.
  @inline(__always)
  private func endDepth(u: Float, rest: Float) -> Float {
    let depth = -u * run / rise
    return u * u + depth * depth <= rest ? depth : DepthCanvas.emptyDepth
  }
}
