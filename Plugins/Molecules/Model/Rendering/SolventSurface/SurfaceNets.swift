/// Makes triangles of the surface inside one brick of a field: a corner in every cell the surface runs through, and two
/// triangles across every edge of the grid that it cuts.
///
/// The outermost two layers of points serve neighbours: the cells that belong to a brick begin at the third point.
/// Corners on the rim are made again by the next brick at the same place with the same light.
/// - Source: S. F. F. Gibson, "Constrained elastic surface nets", MERL TR99-24, without its relaxation.
struct SurfaceNets {
  /// Layers of points before the cells of a brick, and behind them one fewer.
  static let margin = 2

  private let side: Int
  private let level: Float
  private var corners: [UInt32]
  private(set) var mesh = TriangleMesh()

  init(side: Int, level: Float) {
    self.side = side
    self.level = level
    corners = Array(repeating: .max, count: side * side * side)
  }

  /// Adds the surface of a field at the level; points above it lie inside.
  mutating func add(_ field: SurfaceField, atoms: [Int32]) {
    let cells = Self.margin - 1..<side - 2
    corners.withUnsafeMutableBufferPointer { $0.update(repeating: .max) }
    field.values.withUnsafeBufferPointer { values in
      // Cells the surface runs through, with the place of their first point.
      var crossed: [(place: Int, cell: SIMD3<Int>)] = []
      for z in cells {
        for y in cells {
          let line = (z * side + y) * side
          var before = column(values, line + cells.lowerBound)
          for x in cells {
            let next = column(values, line + x + 1)
            if before != next || (next != 0 && next != 15) { crossed.append((line + x, SIMD3(x, y, z))) }
            before = next
          }
        }
      }
      for (place, cell) in crossed { addCorner(at: cell, place, field, values, atoms) }
      let steps = (1, side, side * side)
      for (place, cell) in crossed where cell.min() >= Self.margin {
        let isInside = values[place] > level
        if (values[place + steps.0] > level) != isInside { addFaces(place, steps.1, steps.2, isInside: isInside) }
        if (values[place + steps.1] > level) != isInside { addFaces(place, steps.2, steps.0, isInside: isInside) }
        if (values[place + steps.2] > level) != isInside { addFaces(place, steps.0, steps.1, isInside: isInside) }
      }
    }
  }

  /// Which of the four points of a column of cells, at one place along x, lie inside.
  @inline(__always)
  private func column(_ values: UnsafeBufferPointer<Float>, _ place: Int) -> Int {
    (values[place] > level ? 1 : 0) | (values[place + side] > level ? 2 : 0)
      | (values[place + side * side] > level ? 4 : 0) | (values[place + side * side + side] > level ? 8 : 0)
  }

  /// Adds the two triangles between the four cells around an edge.
  private mutating func addFaces(_ place: Int, _ one: Int, _ other: Int, isInside: Bool) {
    var quad = SIMD4(corners[place], corners[place - one], corners[place - one - other], corners[place - other])
    guard quad.max() != .max else { return }
    if !isInside { quad = SIMD4(quad.w, quad.z, quad.y, quad.x) }
    // The shorter diagonal makes the rounder triangles.
    let first = (mesh.positions[Int(quad[0])] - mesh.positions[Int(quad[2])]).length
    let second = (mesh.positions[Int(quad[1])] - mesh.positions[Int(quad[3])]).length
    if first <= second {
      mesh.addTriangle(quad[0], quad[1], quad[2])
      mesh.addTriangle(quad[0], quad[2], quad[3])
    } else {
      mesh.addTriangle(quad[1], quad[2], quad[3])
      mesh.addTriangle(quad[1], quad[3], quad[0])
    }
  }

  /// Adds the corner of a cell if the surface runs through it: the mean of where it cuts the cell's edges.
  private mutating func addCorner(
    at cell: SIMD3<Int>, _ place: Int, _ field: SurfaceField, _ fieldValues: UnsafeBufferPointer<Float>,
    _ atoms: [Int32]
  ) {
    var signs = 0
    var values = SIMD8<Float>.zero
    for corner in 0..<8 {
      let value = fieldValues[place + offset(corner)]
      values[corner] = value - level
      if value > level { signs |= 1 << corner }
    }
    guard signs != 0, signs != 255 else { return }
    var sum = SIMD3<Float>.zero
    var count: Float = 0
    for (one, other) in Self.edges where (signs >> one ^ signs >> other) & 1 == 1 {
      let share: Float = values[one] / (values[one] - values[other])
      let way: SIMD3<Float> = Self.unit(other) - Self.unit(one)
      sum += Self.unit(one) + way * share
      count += 1
    }
    let mean = sum / count
    let normal = normal(at: mean, place, fieldValues)
    let nearest = Int(mean.x.rounded()) | Int(mean.y.rounded()) << 1 | Int(mean.z.rounded()) << 2
    let owner = field.owners[place + offset(nearest)]
    let first = SIMD3<Float>(field.first &+ SIMD3<Int32>(truncatingIfNeeded: cell))
    let position = field.start + (first + mean) * field.spacing
    corners[place] = mesh.addCorner(
      position, normal: normal, color: .white, atom: owner >= 0 ? atoms[Int(owner)] : -1)
  }

  /// The direction in which the field falls at a place of a cell, from differences over two steps of the grid.
  private func normal(at mean: SIMD3<Float>, _ place: Int, _ values: UnsafeBufferPointer<Float>) -> SIMD3<Float> {
    var slope = SIMD3<Float>.zero
    for corner in 0..<8 {
      let unit = Self.unit(corner)
      let other: SIMD3<Float> = (1 - unit) * (1 - mean)
      let share: SIMD3<Float> = unit * mean + other
      let point = place + offset(corner)
      let layer = side * side
      let x: Float = values[point + 1] - values[point - 1]
      let y: Float = values[point + side] - values[point - side]
      let z: Float = values[point + layer] - values[point - layer]
      let weight: Float = share.x * share.y * share.z
      slope += SIMD3<Float>(x, y, z) * weight
    }
    let normal = (-slope).normalized
    return normal == .zero ? SIMD3(0, 0, 1) : normal
  }

  @inline(__always)
  private func offset(_ corner: Int) -> Int {
    (corner & 1) + (corner >> 1 & 1) * side + (corner >> 2) * side * side
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
