/// The outline of a ribbon's cross section, with its normals.
///
/// Corners run round from `across` to `normal`; their unit is half widths and half heights.
struct RibbonProfile: Equatable, Sendable {
  /// One corner of the outline.
  struct Corner: Equatable, Sendable {
    /// -1 and 1 at the ends of the flat side, 0 never.
    var sideways: Float
    /// The rounding that is added to it: cosine and sine for a round rim, in half heights.
    var rim: SIMD2<Float>
    /// The normal of the surface: across and normal.
    var outwards: SIMD2<Float>
  }

  var corners: [Corner]
  /// True for each corner that is joined to the next one; the others only change the direction of the light at an edge.
  var isJoined: [Bool]

  /// Returns a flat band with round rims, or a round tube if width and height are equal.
  ///
  /// - Parameter corners: an even number of corners, 6 at least.
  static func rounded(corners count: Int) -> RibbonProfile {
    precondition(count >= 6 && count % 2 == 0, "a round profile has an even number of corners, 6 at least")
    let corners = (0..<count).map { index in
      let column = Rotation(about: SIMD3(0, 0, 1), degrees: (Float(index) + 0.5) * 360 / Float(count)).matrix.first
      let direction = SIMD2(column.x, column.y)
      return Corner(sideways: direction.x < 0 ? -1 : 1, rim: direction, outwards: direction)
    }
    return RibbonProfile(corners: corners, isJoined: Array(repeating: true, count: count))
  }

  /// A box with sharp edges.
  static let box: RibbonProfile = {
    let places: [SIMD2<Float>] = [SIMD2(1, -1), SIMD2(1, 1), SIMD2(-1, 1), SIMD2(-1, -1)]
    let faces: [SIMD2<Float>] = [SIMD2(1, 0), SIMD2(0, 1), SIMD2(-1, 0), SIMD2(0, -1)]
    var corners: [Corner] = []
    for (index, face) in faces.enumerated() {
      for place in [places[index], places[(index + 1) % 4]] {
        corners.append(Corner(sideways: place.x, rim: SIMD2(0, place.y), outwards: face))
      }
    }
    return RibbonProfile(corners: corners, isJoined: (0..<8).map { $0 % 2 == 0 })
  }()

  /// A Boolean value indicating whether the rims are round: then the flat part is narrower than the band by its height.
  private var isRound: Bool { isJoined.allSatisfy { $0 } }

  /// Returns the position of a corner relative to the line, across and normal, for half width and half height in
  /// ångström.
  @inline(__always)
  func place(_ corner: Corner, width: Float, height: Float) -> SIMD2<Float> {
    let flat = isRound ? max(0, width - height) : width
    return SIMD2(corner.sideways * flat + corner.rim.x * height, corner.rim.y * height)
  }

  /// Returns the motion of a corner, across and normal, if half width and half height both grow by 1.
  @inline(__always)
  func growth(_ corner: Corner) -> SIMD2<Float> {
    SIMD2(isRound ? corner.rim.x : corner.sideways, corner.rim.y)
  }
}
