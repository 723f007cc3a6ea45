/// The points along the three sides of a brick.
struct SurfaceAxes {
  let x: SurfaceAxis
  let y: SurfaceAxis
  let z: SurfaceAxis
}

/// The points along one side of a brick.
struct SurfaceAxis {
  /// The index of the first point in the whole grid.
  let first: Int32
  let side: Int
  let spacing: Float

  /// Returns the distance of a point of the brick from the start of the whole grid.
  @inline(__always)
  func place(_ point: Int) -> Float { Float(first &+ Int32(truncatingIfNeeded: point)) * spacing }

  /// The distances of all points, eight at a time.
  var groups: [SIMD8<Float>] {
    stride(from: 0, to: side, by: 8).map { start in
      var group = SIMD8<Float>.zero
      for lane in 0..<8 { group[lane] = place(start + lane) }
      return group
    }
  }

  /// Returns the points of the brick within a distance of a position, relative to the start of the whole grid, and at
  /// most one more at either end.
  @inline(__always)
  func points(around middle: Float, within reach: Float) -> Range<Int> {
    let low = (middle - reach) / spacing - Float(first)
    let high = (middle + reach) / spacing - Float(first)
    guard high >= 0, low <= Float(side - 1) else { return 0..<0 }
    return Int(max(0, low))..<min(side, Int(min(high, Float(side))) + 1)
  }

  /// Returns the groups of eight that contain those points.
  @inline(__always)
  func groups(around middle: Float, within reach: Float) -> Range<Int> {
    let points = points(around: middle, within: reach)
    return points.isEmpty ? 0..<0 : points.lowerBound >> 3..<(points.upperBound + 7) >> 3
  }
}
