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
    for z in cells {
      for y in cells {
        for x in cells {
          let place = (z * side + y) * side + x
          corners[place] = .max
          addCorner(at: SIMD3(x, y, z), place, field, atoms)
        }
      }
    }
    let own = Self.margin..<side - 2
    let steps = [1, side, side * side]
    for z in own {
      for y in own {
        for x in own {
          let place = (z * side + y) * side + x
          let isInside = field.values[place] > level
          for axis in 0..<3 where (field.values[place + steps[axis]] > level) != isInside {
            addFaces(place, steps[(axis + 1) % 3], steps[(axis + 2) % 3], isInside: isInside)
          }
        }
      }
    }
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
  private mutating func addCorner(at cell: SIMD3<Int>, _ place: Int, _ field: SurfaceField, _ atoms: [Int32]) {
    var signs = 0
    var values = SIMD8<Float>.zero
    for corner in 0..<8 {
      let value = field.values[place + offset(corner)]
      values[corner] = value - level
      if value > level { signs |= 1 << corner }
    }
    guard signs != 0, signs != 255 else { return }
    var sum = SIMD3<Float>.zero
    var count: Float = 0
    for (one, other) in Self.edges where (signs >> one ^ signs >> other) & 1 == 1 {
      let share = values[one] / (values[one] - values[other])
      sum += Self.unit(one) + (Self.unit(other) - Self.unit(one)) * share
      count += 1
    }
    let mean = sum / count
    let normal = normal(at: mean, place, field)
    let nearest = Int(mean.x.rounded()) | Int(mean.y.rounded()) << 1 | Int(mean.z.rounded()) << 2
    let owner = field.owners[place + offset(nearest)]
    let position = field.origin + (SIMD3<Float>(cell) + mean) * field.spacing
    corners[place] = mesh.addCorner(
      position, normal: normal, color: .white, atom: owner >= 0 ? atoms[Int(owner)] : -1)
  }

  /// The direction in which the field falls at a place of a cell, from differences over two steps of the grid.
  private func normal(at mean: SIMD3<Float>, _ place: Int, _ field: SurfaceField) -> SIMD3<Float> {
    var slope = SIMD3<Float>.zero
    for corner in 0..<8 {
      let unit = Self.unit(corner)
      let share = unit * mean + (1 - unit) * (1 - mean)
      let point = place + offset(corner)
      let values = field.values
      let difference = SIMD3(
        values[point + 1] - values[point - 1], values[point + side] - values[point - side],
        values[point + side * side] - values[point - side * side])
      slope += difference * (share.x * share.y * share.z)
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
