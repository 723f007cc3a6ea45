/// Points sorted into cubic cells for neighbor searches.
///
/// The grid is bounded: a box that would need more cells than `mostCells` gets larger cells, which only costs time.
struct PointGrid {
  private let origin: SIMD3<Float>
  private let scale: Float
  private let extent: SIMD3<Int32>
  /// The first member of each cell, and one more at the end.
  private let starts: [Int32]
  /// The indices of the points that can be found, by cell: those of one cell follow each other, ascending.
  let members: [Int32]
  private let points: [SIMD3<Float>]

  private static let mostCells: Float = 4_000_000

  /// Sorts points into cells.
  ///
  /// - Parameters:
  ///   - points: Positions in Å; points with NaN coordinates are never found.
  ///   - edge: The least edge of a cell in Å, above 0: best the radius of the searches to come.
  /// - Complexity: linear in the points and cells.
  init(_ points: [SIMD3<Float>], edge: Float) {
    precondition(edge > 0, "a cell has an edge above zero")
    var low = SIMD3<Float>(repeating: .infinity)
    var high = SIMD3<Float>(repeating: -.infinity)
    for point in points where Self.isFinite(point) {
      low = pointwiseMin(low, point)
      high = pointwiseMax(high, point)
    }
    let isEmpty = !(low.x <= high.x)
    let size = isEmpty ? SIMD3<Float>.zero : high - low
    let cells = (size / edge).rounded(.down) + 1
    let volume = cells.x * cells.y * cells.z
    var grown = edge
    if volume > Self.mostCells { grown = Self.edge(for: size, atLeast: edge) }
    let extent = SIMD3<Int32>((size / grown).rounded(.down)) &+ 1
    let inverse = 1 / grown
    let low0 = isEmpty ? SIMD3<Float>.zero : low
    self.origin = low0
    self.scale = inverse
    self.extent = extent
    self.points = points
    var starts = [Int32](repeating: 0, count: Int(extent.x) * Int(extent.y) * Int(extent.z) + 1)
    let cellOfPoint = points.map { point -> Int32 in
      guard Self.isFinite(point) else { return -1 }
      let cell = Self.cell(of: point, low0, inverse, extent)
      return Int32(Self.index(cell, extent))
    }
    for cell in cellOfPoint where cell >= 0 { starts[Int(cell) + 1] += 1 }
    for cell in 1..<starts.count { starts[cell] += starts[cell - 1] }
    var next = starts
    var members = [Int32](repeating: 0, count: Int(starts[starts.count - 1]))
    for (point, cell) in cellOfPoint.enumerated() where cell >= 0 {
      members[Int(next[Int(cell)])] = Int32(point)
      next[Int(cell)] += 1
    }
    self.starts = starts
    self.members = members
  }

  /// Calls `body` for each point whose cell is close enough that it may lie within a distance of a position.
  ///
  /// Points farther away are visited too: the caller measures. Each is visited once, cell by cell, ascending within a
  /// cell.
  /// - Complexity: linear in the visited points if the distance is at most the edge.
  @inline(__always)
  func forEachPoint(near point: SIMD3<Float>, within distance: Float, _ body: (Int) -> Void) {
    forEachRange(near: point, within: distance) { range in
      for member in range { body(Int(members[member])) }
    }
  }

  /// Calls `body` with ranges of ``members`` that together hold each point whose cell is close enough that it may lie
  /// within a distance of a position.
  @inline(__always)
  func forEachRange(near point: SIMD3<Float>, within distance: Float, _ body: (Range<Int>) -> Void) {
    guard Self.isFinite(point), !members.isEmpty else { return }
    let low = Self.cell(of: point - distance, origin, scale, extent)
    let high = Self.cell(of: point + distance, origin, scale, extent)
    for z in low.z...high.z {
      for y in low.y...high.y {
        let row = Int(extent.x) * (Int(y) + Int(extent.y) * Int(z))
        // Cells of one row follow each other, and so do their members.
        body(Int(starts[row + Int(low.x)])..<Int(starts[row + Int(high.x) + 1]))
      }
    }
  }

  /// Returns the number of points a search would visit, without visiting them; implausibly many mean overlapping atoms.
  func pointCount(near point: SIMD3<Float>, within distance: Float) -> Int {
    guard Self.isFinite(point), !members.isEmpty else { return 0 }
    let low = Self.cell(of: point - distance, origin, scale, extent)
    let high = Self.cell(of: point + distance, origin, scale, extent)
    var count = 0
    for z in low.z...high.z {
      for y in low.y...high.y {
        let row = Int(extent.x) * (Int(y) + Int(extent.y) * Int(z))
        count += Int(starts[row + Int(high.x) + 1] - starts[row + Int(low.x)])
      }
    }
    return count
  }

  /// Returns true if all three coordinates are numbers that a grid can hold.
  @inline(__always)
  private static func isFinite(_ point: SIMD3<Float>) -> Bool {
    // A larger coordinate is not plausible in a molecule, and its square would overflow.
    let limit: Float = 1e15
    return abs(point.x) < limit && abs(point.y) < limit && abs(point.z) < limit
  }

  @inline(__always)
  private static func cell(
    of point: SIMD3<Float>, _ origin: SIMD3<Float>, _ scale: Float, _ extent: SIMD3<Int32>
  ) -> SIMD3<Int32> {
    let scaled = (point - origin) * scale
    // Number by number: the compiler does not make the conversion of three at a time fast.
    return SIMD3(clamped(scaled.x, extent.x), clamped(scaled.y, extent.y), clamped(scaled.z, extent.z))
  }

  /// Returns the whole part of a number, or the nearest of the numbers from 0 below a limit.
  @inline(__always)
  private static func clamped(_ number: Float, _ limit: Int32) -> Int32 {
    Int32(max(0, min(number, Float(limit &- 1))))
  }

  @inline(__always)
  private static func index(_ cell: SIMD3<Int32>, _ extent: SIMD3<Int32>) -> Int {
    Int(cell.x) + Int(extent.x) * (Int(cell.y) + Int(extent.y) * Int(cell.z))
  }

  /// Returns the least edge, doubled as often as needed to bound the number of cells.
  private static func edge(for size: SIMD3<Float>, atLeast edge: Float) -> Float {
    var edge = edge
    while true {
      let cells = (size / edge).rounded(.down) + 1
      if cells.x * cells.y * cells.z <= mostCells { return edge }
      edge *= 2
    }
  }
}
