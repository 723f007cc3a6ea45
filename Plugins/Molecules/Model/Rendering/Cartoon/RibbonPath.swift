/// The smooth line through the nodes of a trace, with a continuous direction across it.
///
/// - Source: cubic Hermite pieces with Catmull-Rom tangents: E. Catmull and R. Rom, "A class of local interpolating
///   splines", 1974; directions from the peptide planes: M. Carson and C. E. Bugg, J. Mol. Graph. 4 (1986) 121.
struct RibbonPath: Sendable {
  /// The local frame of the line at one position.
  struct Frame: Equatable, Sendable {
    var position: SIMD3<Float>
    /// The tangent; the three directions are orthonormal, across × normal = along.
    var along: SIMD3<Float>
    /// The direction of the width of a flat ribbon.
    var across: SIMD3<Float>
    /// The direction away from the flat side.
    var normal: SIMD3<Float>
  }

  private(set) var positions: [SIMD3<Float>]
  private let isClosed: Bool
  private var tangents: [SIMD3<Float>] = []
  private var sides: [SIMD3<Float>] = []

  /// The number of nodes.
  var count: Int { positions.count }

  /// Creates the path of a trace.
  init(_ trace: BackboneTrace) {
    let shapes = trace.nodes.map(\.shape)
    isClosed = trace.isClosed
    positions = Self.flattened(trace.nodes.map(\.position), shapes)
    tangents = positions.indices.map { tangent($0, in: trace.nodes.map(\.position), isHelix: shapes[$0] == .helix) }
    sides = Self.smoothed(Self.aligned(rawSides(trace)), shapes)
  }

  /// Smooths the pleats of strands by averaging every position with its neighbors.
  private static func flattened(_ positions: [SIMD3<Float>], _ shapes: [SecondaryShape]) -> [SIMD3<Float>] {
    var result = positions
    for _ in 0..<2 {
      let before = result
      for index in positions.indices.dropFirst().dropLast() where shapes[index] == .strand {
        result[index] = (before[index - 1] + 2 * before[index] + before[index + 1]) / 4
      }
    }
    return result
  }

  /// Returns half the vector between the neighbors of a node; longer in helices, so that the line stays round.
  ///
  /// A curve over the angle θ of a circle has its midpoint on the circle if the tangents are 4·tan(θ/4) radii long; the
  /// vector between the neighbors gives sin θ radii. The part along the axis of the helix is correct as it is.
  private func tangent(_ index: Int, in raw: [SIMD3<Float>], isHelix: Bool) -> SIMD3<Float> {
    let tangent = (positions[following(index)] - positions[preceding(index)]) / 2
    guard isHelix, index >= 2, index + 2 < positions.count else { return tangent }
    let bends = (index - 1...index + 1).map { Self.bend($0, raw) }
    let one: SIMD3<Float> = bends[0].cross(bends[1]).normalized
    let other: SIMD3<Float> = bends[1].cross(bends[2]).normalized
    let axis: SIMD3<Float> = (one + other).normalized
    let flat = bends.map { $0.without(axis).normalized }
    let cosine: Float = (flat[0].dot(flat[1]) + flat[1].dot(flat[2])) / 2
    guard axis != .zero, cosine > -0.7, cosine < 0.9 else { return tangent }
    let (halfCosine, halfSine) = (((1 + cosine) / 2).squareRoot(), ((1 - cosine) / 2).squareRoot())
    let stretch = 4 * halfSine / (1 + halfCosine) / (2 * halfSine * halfCosine)
    let round = tangent.without(axis)
    return tangent - round + round * min(stretch, 2.6)
  }

  /// Returns the node before another; on a closed line the last but one is before the first.
  private func preceding(_ index: Int) -> Int { index > 0 ? index - 1 : isClosed ? max(0, positions.count - 2) : 0 }

  /// Returns the node after another; on a closed line the second is after the last.
  private func following(_ index: Int) -> Int {
    index + 1 < positions.count ? index + 1 : isClosed ? min(1, index) : index
  }

  /// Returns the bend of the line at a node: the direction toward the center of its curvature.
  private static func bend(_ index: Int, _ raw: [SIMD3<Float>]) -> SIMD3<Float> {
    let sum: SIMD3<Float> = raw[index - 1] + raw[index + 1]
    return sum - 2 * raw[index]
  }

  /// Returns the directions of the carbonyl groups or, where unknown, of the bend of the line.
  private func rawSides(_ trace: BackboneTrace) -> [SIMD3<Float>] {
    let raw = trace.nodes.map(\.position)
    return trace.nodes.indices.map { index in
      let node = trace.nodes[index]
      if node.side != .zero { return node.side }
      let (before, after) = (max(0, index - 1), min(count - 1, index + 1))
      return (raw[index] - raw[before]).cross(raw[after] - raw[index]).normalized
    }
  }

  /// Flips directions that point against the previous one.
  private static func aligned(_ sides: [SIMD3<Float>]) -> [SIMD3<Float>] {
    var result = sides
    var last = sides.first { $0 != .zero } ?? SIMD3(0, 0, 1)
    for index in sides.indices {
      if result[index] == .zero { result[index] = last }
      if (result[index] * last).sum() < 0 { result[index] = -result[index] }
      last = result[index]
    }
    return result
  }

  /// Averages directions with those of neighbors of the same shape: helices over a turn, strands over their pleats.
  private static func smoothed(_ sides: [SIMD3<Float>], _ shapes: [SecondaryShape]) -> [SIMD3<Float>] {
    var result = sides
    for _ in 0..<3 {
      let before = result
      for index in sides.indices where shapes[index] != .coil {
        var sum = 2 * before[index]
        if index > 0, shapes[index - 1] == shapes[index] { sum += before[index - 1] }
        if index + 1 < sides.count, shapes[index + 1] == shapes[index] { sum += before[index + 1] }
        if sum.length > 0.1 { result[index] = sum.normalized }
      }
    }
    return result
  }

  /// Returns the frame at a position: whole numbers are nodes, 0-based; positions outside are clamped to the ends.
  ///
  /// - Parameter last: the direction across to use if the path has none.
  func frame(at position: Float, last: SIMD3<Float> = SIMD3(1, 0, 0)) -> Frame {
    let bounded = min(max(position, 0), Float(max(0, count - 1)))
    let index = min(Int(bounded), max(0, count - 2))
    guard index + 1 < count else {
      return Frame(
        position: positions.first ?? .zero, along: SIMD3(0, 0, 1), across: SIMD3(1, 0, 0), normal: SIMD3(0, 1, 0))
    }
    let t = bounded - Float(index)
    let (along, point) = hermite(index, t)
    let wanted = sides[index] * (1 - t) + sides[index + 1] * t
    var across = wanted.without(along)
    if across.length < 0.05 { across = last.without(along) }
    if across.length < 0.05 { across = along.anyPerpendicular }
    across = across.normalized
    return Frame(position: point, along: along, across: across, normal: along.cross(across))
  }

  /// Returns direction and position on the piece after a node.
  private func hermite(_ index: Int, _ t: Float) -> (along: SIMD3<Float>, point: SIMD3<Float>) {
    let (from, to) = (positions[index], positions[index + 1])
    let (leaving, arriving) = (tangents[index], tangents[index + 1])
    let (t2, t3) = (t * t, t * t * t)
    let start = from * (2 * t3 - 3 * t2 + 1) + leaving * (t3 - 2 * t2 + t)
    let end = to * (3 * t2 - 2 * t3) + arriving * (t3 - t2)
    let chord = (to - from) * (6 * t - 6 * t2)
    let change = chord + leaving * (3 * t2 - 4 * t + 1) + arriving * (3 * t2 - 2 * t)
    let along = change.length > 1e-4 ? change.normalized : (to - from).normalized
    return (along == .zero ? SIMD3(0, 0, 1) : along, start + end)
  }
}
