/// A triangle in the coordinates of a picture, for interpolation of its normal and color.
struct PlacedTriangle {
  private let first: PlacedColumns.Corner
  private let second: PlacedColumns.Corner
  private let third: PlacedColumns.Corner

  /// Looks up the corners of a triangle.
  @inline(__always)
  init(_ triangle: SIMD4<UInt32>, _ corners: UnsafeMutablePointer<PlacedColumns.Corner>) {
    first = corners[Int(triangle.x)]
    second = corners[Int(triangle.y)]
    third = corners[Int(triangle.z)]
  }

  /// Returns the barycentric weights of the corners at a position in the picture; the fourth number is 0.
  @inline(__always)
  func shares(x: Float, y: Float) -> SIMD4<Float> {
    let start = first.position
    let plane = TrianglePlane(
      SIMD3(start.x, start.y, start.z), SIMD3(second.position.x, second.position.y, second.position.z),
      SIMD3(third.position.x, third.position.y, third.position.z))
    let shares = plane.shares(x: x - start.x, y: y - start.y)
    return SIMD4(1 - shares.x - shares.y, shares.x, shares.y, 0)
  }

  /// Returns the normal, directed toward the viewer, and the color at a position in the picture.
  @inline(__always)
  func look(x: Float, y: Float) -> (normal: SIMD3<Float>, color: SIMD4<Float>) {
    let shares = shares(x: x, y: y)
    let sum = first.normal * shares.x + second.normal * shares.y + third.normal * shares.z
    let normal = SIMD3(sum.x, sum.y, sum.z).normalized
    let color =
      Self.color(first) * shares.x + Self.color(second) * shares.y + Self.color(third) * shares.z
    return (normal.z < 0 ? -normal : normal, color)
  }

  @inline(__always)
  private static func color(_ corner: PlacedColumns.Corner) -> SIMD4<Float> {
    RGBColor.shades(ofPacked: corner.normal.w.bitPattern)
  }
}

extension RGBColor {
  /// Returns red, green and blue of a packed color as numbers from 0 to 255, the fourth being 0.
  @inline(__always)
  static func shades(ofPacked color: UInt32) -> SIMD4<Float> {
    SIMD4(Float(color & 0xFF), Float(color >> 8 & 0xFF), Float(color >> 16 & 0xFF), 0)
  }
}
