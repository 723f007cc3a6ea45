/// Builds the triangles of the surface inside one brick: a corner in every cell the surface crosses, and two triangles
/// across every grid edge that it cuts.
///
/// Each corner is then moved to the exact surface: onto the atom that the probe touches there, or to a probe's radius
/// from the deepest probe position, which also gives the normal. So the surface is smooth even on a coarse grid. The
/// outermost layer of points is shared with neighbors: the cells of a brick begin at the second point. Corners on the
/// rim are repeated by the next brick with the same position and normal.
/// - Source: S. F. F. Gibson, "Constrained elastic surface nets", MERL TR99-24, without its relaxation.
struct SurfaceNets {
  /// The number of layers of points before and after the cells of a brick.
  static let margin = 1

  private static let side = SurfaceField.side
  /// The number of cells along each side of a block.
  private static let block = 8
  /// The offsets of the eight points of a cell from its first one in a field.
  private static let offsets = SIMD8<Int>(
    0, 1, side, side + 1, side * side, side * side + 1, side * side + side, side * side + side + 1)
  private static let unitX = SIMD8<Float>(0, 1, 0, 1, 0, 1, 0, 1)
  private static let unitY = SIMD8<Float>(0, 0, 1, 1, 0, 0, 1, 1)
  private static let unitZ = SIMD8<Float>(0, 0, 0, 0, 1, 1, 1, 1)

  private var corners: [UInt32]
  /// The points inside the surface, a bit for each point of a row.
  private var rows: [UInt64]
  /// The cells that the surface crosses, with the index of their first point.
  private var crossed: [(index: Int, cell: SIMD3<Int32>)] = []
  private var mesh = TriangleMesh()

  init() {
    corners = Array(repeating: .max, count: Self.side * Self.side * Self.side)
    rows = Array(repeating: 0, count: Self.side * Self.side)
  }

  /// Returns the surface of a field where the value equals the probe's radius; points above it lie inside.
  ///
  /// Together with the surfaces of all other bricks it encloses a solid.
  mutating func mesh(
    of field: inout SurfaceField, _ balls: SurfaceBalls, _ probes: ProbePositions
  ) -> TriangleMesh {
    mesh = TriangleMesh()
    mesh.isClosed = true
    findRows(field)
    findCrossed()
    for (index, _) in crossed { corners[index] = .max }
    for (index, cell) in crossed { addCorner(at: cell, index, &field, balls, probes) }
    let level = field.probe
    let steps = (1, Self.side, Self.side * Self.side)
    field.values.withUnsafeBufferPointer { values in
      for (index, cell) in crossed where cell.min() >= Int32(Self.margin) {
        let isInside = values[index] > level
        if (values[index + steps.0] > level) != isInside { addFaces(index, steps.1, steps.2, isInside: isInside) }
        if (values[index + steps.1] > level) != isInside { addFaces(index, steps.2, steps.0, isInside: isInside) }
        if (values[index + steps.2] > level) != isInside { addFaces(index, steps.0, steps.1, isInside: isInside) }
      }
    }
    return mesh
  }

  private mutating func findRows(_ field: SurfaceField) {
    let bits = SIMD8<UInt32>(1, 2, 4, 8, 16, 32, 64, 128)
    let (side, level) = (Self.side, field.probe)
    field.values.withUnsafeBytes { values in
      for row in rows.indices {
        var inside: UInt64 = 0
        for group in 0..<side / 8 {
          let value = values.loadUnaligned(fromByteOffset: (row * side + 8 * group) * 4, as: SIMD8<Float>.self)
          let here = SIMD8<UInt32>.zero.replacing(with: bits, where: value .> level)
          inside |= UInt64(here.wrappedSum()) << UInt64(8 * group)
        }
        rows[row] = inside
      }
    }
  }

  /// Finds the cells block by block, so that consecutive triangles are close together.
  private mutating func findCrossed() {
    crossed.removeAll(keepingCapacity: true)
    let (side, block) = (Self.side, Self.block)
    for z in 0..<side - 1 {
      for y in 0..<side - 1 {
        let line = z * side + y
        let (one, two, three, four) = (rows[line], rows[line + 1], rows[line + side], rows[line + side + 1])
        let (any, all) = (one | two | three | four, one & two & three & four)
        // The points of a cell are not all the same. The line is no longer needed.
        rows[line] = (any | any >> 1) & ~(all & all >> 1)
      }
    }
    for z in stride(from: 0, to: side - 1, by: block) {
      for y in stride(from: 0, to: side - 1, by: block) {
        for x in stride(from: 0, to: side - 1, by: block) { findCrossed(inBlockAt: x, y, z) }
      }
    }
  }

  private mutating func findCrossed(inBlockAt x: Int, _ y: Int, _ z: Int) {
    let (last, block) = (Self.side - 1, Self.block)
    let columns: UInt64 = (1 << UInt64(min(block, last - x)) - 1) << UInt64(x)
    for z in z..<min(z + block, last) {
      for y in y..<min(y + block, last) {
        let line = z * Self.side + y
        var mixed = rows[line] & columns
        while mixed != 0 {
          let x = mixed.trailingZeroBitCount
          mixed &= mixed - 1
          crossed.append((line * Self.side + x, SIMD3(Int32(x), Int32(y), Int32(z))))
        }
      }
    }
  }

  /// Adds the two triangles between the four cells around an edge.
  private mutating func addFaces(_ index: Int, _ one: Int, _ other: Int, isInside: Bool) {
    var quad = SIMD4(corners[index], corners[index - one], corners[index - one - other], corners[index - other])
    if !isInside { quad = SIMD4(quad.w, quad.z, quad.y, quad.x) }
    // The shorter diagonal makes the rounder triangles.
    let first = mesh.positions[Int(quad[0])] - mesh.positions[Int(quad[2])]
    let second = mesh.positions[Int(quad[1])] - mesh.positions[Int(quad[3])]
    if (first * first).sum() <= (second * second).sum() {
      mesh.addTriangle(quad[0], quad[1], quad[2])
      mesh.addTriangle(quad[0], quad[2], quad[3])
    } else {
      mesh.addTriangle(quad[1], quad[2], quad[3])
      mesh.addTriangle(quad[1], quad[3], quad[0])
    }
  }

  /// Adds the corner of a cell that the surface crosses.
  private mutating func addCorner(
    at cell: SIMD3<Int32>, _ index: Int, _ field: inout SurfaceField, _ balls: SurfaceBalls, _ probes: ProbePositions
  ) {
    let points = Self.offsets &+ index
    var values = SIMD8<Float>.zero
    for corner in 0..<8 { values[corner] = field.values[points[corner]] - field.probe }
    let mean = Self.cut(values)
    let rough = (SIMD3<Float>(field.first &+ cell) + mean) * field.spacing
    let (owner, isFree) = field.ball(at: rough, points, balls)
    var (position, normal) = (field.start + rough, SIMD3<Float>.zero)
    var isFound = false
    if isFree {
      let ball = balls.balls[Int(owner)]
      let center = SIMD3(ball.x, ball.y, ball.z)
      normal = (position - center).normalized
      isFound = field.accepts(center + normal * (ball.w - field.probe), for: &position)
    } else if let probe = field.probe(at: position, points, probes) {
      normal = (probe - position).normalized
      isFound = field.accepts(probe - normal * field.probe, for: &position)
    }
    if !isFound { normal = Self.slope(values, at: mean) }
    corners[index] = mesh.addCorner(
      position, normal: normal, color: .white, atom: owner >= 0 ? balls.atoms[Int(owner)] : -1)
  }

  /// Returns the mean of the points where the surface cuts the edges of a cell, in cell lengths.
  private static func cut(_ values: SIMD8<Float>) -> SIMD3<Float> {
    var sum = SIMD3<Float>.zero
    var count: Float = 0
    for (one, other) in edges where (values[one] > 0) != (values[other] > 0) {
      let share: Float = values[one] / (values[one] - values[other])
      let start = unit(one)
      let delta: SIMD3<Float> = unit(other) - start
      sum += start + delta * share
      count += 1
    }
    return sum / max(count, 1)
  }

  /// Returns the direction in which a field falls inside a cell.
  private static func slope(_ values: SIMD8<Float>, at mean: SIMD3<Float>) -> SIMD3<Float> {
    let one = SIMD8<Float>(repeating: 1)
    let shareX: SIMD8<Float> = unitX * mean.x + (one - unitX) * (1 - mean.x)
    let shareY: SIMD8<Float> = unitY * mean.y + (one - unitY) * (1 - mean.y)
    let shareZ: SIMD8<Float> = unitZ * mean.z + (one - unitZ) * (1 - mean.z)
    let x = (values * (unitX * 2 - one) * shareY * shareZ).sum()
    let y = (values * (unitY * 2 - one) * shareX * shareZ).sum()
    let z = (values * (unitZ * 2 - one) * shareX * shareY).sum()
    let normal = (-SIMD3(x, y, z)).normalized
    return normal == .zero ? SIMD3(0, 0, 1) : normal
  }

  @inline(__always)
  private static func unit(_ corner: Int) -> SIMD3<Float> {
    SIMD3(Float(corner & 1), Float(corner >> 1 & 1), Float(corner >> 2))
  }

  /// The twelve edges of a cell.
  private static let edges = [
    (0, 1), (2, 3), (4, 5), (6, 7), (0, 2), (1, 3), (4, 6), (5, 7), (0, 4), (1, 5), (2, 6), (3, 7),
  ]
}

extension SurfaceField {
  /// Replaces a rough position by an exact one, unless they are too far apart.
  @inline(__always)
  fileprivate func accepts(_ found: SIMD3<Float>, for position: inout SIMD3<Float>) -> Bool {
    let delta = found - position
    guard (delta * delta).sum() <= spacing * spacing * 0.25 else { return false }
    position = found
    return true
  }

  /// Returns the nearest probe position, preferably one of those nearest to the points of a cell; nil if there is none.
  fileprivate func probe(
    at position: SIMD3<Float>, _ corners: SIMD8<Int>, _ probes: ProbePositions
  ) -> SIMD3<Float>? {
    var found: Int32 = -1
    var best = Float.greatestFiniteMagnitude
    for lane in 0..<8 where nearest[corners[lane]] >= 0 && nearest[corners[lane]] != found {
      let delta = probes.all[Int(nearest[corners[lane]])].center - position
      let square = (delta * delta).sum()
      if square < best { (best, found) = (square, nearest[corners[lane]]) }
    }
    // If the fold is narrow no point of the cell lies in it.
    guard let number = found >= 0 ? found : number(nearestTo: position) else { return nil }
    return probes.nearest(to: position, by: Int(number))
  }
}
