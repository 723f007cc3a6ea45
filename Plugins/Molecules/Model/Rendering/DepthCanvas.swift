/// A range of rows of the z-buffer and id-buffer being drawn into, in raw memory owned by a rasterizer.
///
/// Rows are `stride` samples apart, at least four more than the width, so that a row may be written four samples at a
/// time. Lengths are in widths of a sample; y grows downward, z toward the viewer. Threads draw into different rows.
struct DepthCanvas {
  let width: Int
  /// The drawn rows.
  let rows: Range<Int>
  let stride: Int
  /// Height of a sample divided by its width.
  let aspect: Float
  let inverseAspect: Float
  /// The first sample of the whole picture.
  let depth: UnsafeMutablePointer<Float>
  let owner: UnsafeMutablePointer<UInt32>
  /// The bounds of the rows as numbers.
  private let firstRow: Float
  private let endRow: Float
  private let endColumn: Float

  /// The depth of an uncovered sample.
  static let emptyDepth: Float = -.greatestFiniteMagnitude

  init(
    width: Int, rows: Range<Int>, stride: Int, aspect: Float, depth: UnsafeMutablePointer<Float>,
    owner: UnsafeMutablePointer<UInt32>
  ) {
    precondition(stride >= width + 4, "rows of a canvas have four samples to spare")
    self.width = width
    self.rows = rows
    self.stride = stride
    self.aspect = aspect
    self.depth = depth
    self.owner = owner
    inverseAspect = 1 / aspect
    firstRow = Float(rows.lowerBound)
    endRow = Float(rows.upperBound)
    endColumn = Float(width)
  }

  /// Clears the rows.
  func clear() {
    (depth + rows.lowerBound * stride).update(repeating: Self.emptyDepth, count: rows.count * stride)
    (owner + rows.lowerBound * stride).update(repeating: Owner.none, count: rows.count * stride)
  }

  /// Returns true if an object between two heights, in widths of a sample, can touch the rows.
  @inline(__always)
  func isReached(from top: Float, to bottom: Float) -> Bool {
    bottom * inverseAspect + 1 >= firstRow && top * inverseAspect - 1 <= endRow
  }

  /// Stores four depths and a name where they are nearer than the samples drawn so far.
  @inline(__always)
  private func store(_ z: SIMD4<Float>, _ names: SIMD4<UInt32>, row: Int, x: Int) {
    let offset = row * stride + x
    let depths = UnsafeMutableRawPointer(depth + offset)
    let stored = depths.loadUnaligned(as: SIMD4<Float>.self)
    let nearer = z .> stored
    guard nearer.isAnySet else { return }
    depths.storeBytes(of: stored.replacing(with: z, where: nearer), as: SIMD4<Float>.self)
    let owners = UnsafeMutableRawPointer(owner + offset)
    let holders = owners.loadUnaligned(as: SIMD4<UInt32>.self)
    owners.storeBytes(of: holders.replacing(with: names, where: nearer), as: SIMD4<UInt32>.self)
  }

  // MARK: Balls

  /// Draws the front of a ball as a disk whose depth at distance d from the center is z + √(r² − d²).
  ///
  /// A ball too small to contain the center of any sample is drawn as the one sample it lies in.
  ///
  /// - Parameters:
  ///   - ball: x, y, z of the center and the radius as the fourth number; all finite.
  ///   - name: the value for the id-buffer.
  /// - Complexity: O(samples covered).
  @inline(__always)
  func drawSphere(_ ball: SIMD4<Float>, name: UInt32) {
    let radius = ball.w
    let rise = radius * inverseAspect
    if radius < 0.75 || rise < 0.75 {
      plot(ball, name: name)
      return
    }
    let middle = ball.y * inverseAspect + 0.5
    let top = max(middle - rise, firstRow)
    let bottom = min(middle + rise, endRow)
    let left = max(ball.x - radius + 0.5, 0)
    let right = min(ball.x + radius + 0.5, endColumn)
    // The comparisons are written so that NaN does not pass.
    guard top < bottom, left < right else { return }
    let rows = Int(top)..<Int(bottom)
    let columns = Int(left)..<Int(right)
    if columns.count <= 4 {
      drawNarrow(ball, rows: rows, firstColumn: columns.lowerBound, name: name)
    } else {
      drawWide(ball, rows: rows, columns: columns, name: name)
    }
  }

  /// Draws a ball of at most four samples per row; samples outside have no real depth and lose every comparison.
  @inline(__always)
  private func drawNarrow(_ ball: SIMD4<Float>, rows: Range<Int>, firstColumn: Int, name: UInt32) {
    let names = SIMD4<UInt32>(repeating: name)
    let dx = SIMD4<Float>(0.5, 1.5, 2.5, 3.5) + (Float(firstColumn) - ball.x)
    let remaining = SIMD4<Float>(repeating: ball.w * ball.w) - dx * dx
    var dy = (Float(rows.lowerBound) + 0.5) * aspect - ball.y
    for row in rows {
      let z = (remaining - dy * dy).squareRoot() + ball.z
      store(z, names, row: row, x: firstColumn)
      dy += aspect
    }
  }

  /// Draws a ball row by row, four samples at a time.
  @inline(__always)
  private func drawWide(_ ball: SIMD4<Float>, rows: Range<Int>, columns: Range<Int>, name: UInt32) {
    let names = SIMD4<UInt32>(repeating: name)
    let squaredRadius = ball.w * ball.w
    let isTight = columns.count <= 16
    for row in rows {
      let dy = (Float(row) + 0.5) * aspect - ball.y
      let remaining = squaredRadius - dy * dy
      guard remaining > 0 else { continue }
      var x = columns.lowerBound
      var end = columns.upperBound
      if !isTight {
        let half = remaining.squareRoot()
        x = Int(max(0, ball.x - half + 0.5))
        end = Int(min(endColumn, max(0, ball.x + half + 0.5)))
      }
      var dx = SIMD4<Float>(0.5, 1.5, 2.5, 3.5) + (Float(x) - ball.x)
      while x < end {
        let z = (SIMD4<Float>(repeating: remaining) - dx * dx).squareRoot() + ball.z
        store(z, names, row: row, x: x)
        x += 4
        dx += 4
      }
    }
  }

  /// Draws a ball smaller than a sample as the sample that contains its center.
  @inline(__always)
  private func plot(_ ball: SIMD4<Float>, name: UInt32) {
    let row = ball.y * inverseAspect
    guard ball.x >= 0, ball.x < endColumn, row >= firstRow, row < endRow else { return }
    let offset = Int(row) * stride + Int(ball.x)
    let z = ball.z + ball.w
    guard z > depth[offset] else { return }
    depth[offset] = z
    owner[offset] = name
  }

  // MARK: Sticks

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

  // MARK: Triangles

  /// Draws a flat triangle, four pixels of a row at a time, where it is nearer than the samples drawn so far.
  ///
  /// A pixel is covered if its center lies on the inner side of all three edges; a center on a shared edge belongs to
  /// both triangles, so that no gap opens between them.
  ///
  /// - Parameters:
  ///   - first: x, y, z of a corner, in pixels; all finite.
  ///   - third: the last corner, in either winding order.
  ///   - name: the value for the id-buffer.
  /// - Complexity: O(pixels of the rectangle around it).
  @inline(__always)
  private func drawTriangle(_ first: SIMD3<Float>, _ second: SIMD3<Float>, _ third: SIMD3<Float>, name: UInt32) {
    let lowY = min(first.y, second.y, third.y) * inverseAspect
    let highY = max(first.y, second.y, third.y) * inverseAspect
    let top = max(lowY - 0.5, firstRow)
    let bottom = min(highY + 0.5, endRow)
    let left = max(min(first.x, second.x, third.x) - 0.5, 0)
    let right = min(max(first.x, second.x, third.x) + 0.5, endColumn)
    guard top < bottom, left < right else { return }
    let (upper, lower) = (Self.roundedUp(top), Int(bottom))
    let (start, end) = (Self.roundedUp(left), Int(right))
    guard upper < lower, start < end else { return }
    let plane = TrianglePlane(first, second, third)
    guard plane.isVisible else { return }
    let names = SIMD4<UInt32>(repeating: name)
    let none = SIMD4<Float>(repeating: -.infinity)
    for row in upper..<lower {
      let y = (Float(row) + 0.5) * aspect - first.y
      var x = start
      while x < end {
        let offsets = SIMD4<Float>(0.5, 1.5, 2.5, 3.5) + (Float(x) - first.x)
        let (second, third) = plane.shares(offsets, y)
        let inside = (second .>= 0) .& (third .>= 0) .& (second + third .<= 1)
        let z = first.z + second * plane.rise.x + third * plane.rise.y
        store(none.replacing(with: z, where: inside), names, row: row, x: x)
        x += 4
      }
    }
  }

  /// Returns the least integer not below a nonnegative number, without a call to the C library.
  @inline(__always)
  private static func roundedUp(_ number: Float) -> Int {
    let whole = Int(number)
    return Float(whole) < number ? whole + 1 : whole
  }

  /// Draws the triangles of a patch; back faces only if the mesh is not closed.
  ///
  /// Its corners are transformed again for every canvas, in memory that stays in the cache.
  ///
  /// - Parameters:
  ///   - thinnest: The least half thickness of a part, in samples.
  ///   - name: the value for the id-buffer for the first triangle; those of the others follow.
  func drawPatch(
    _ number: Int, of mesh: MeshColumn, _ projection: PlacedProjection, thinnest: Float, name: UInt32
  ) {
    let patch = mesh.patches[number]
    withUnsafeTemporaryAllocation(of: SIMD4<Float>.self, capacity: patch.corners.count) { corners in
      let start = patch.corners.lowerBound
      mesh.forEachCorner(of: patch, projection, thinnest: thinnest) { corners[$0 - start] = $1 }
      // Seen from the front a triangle runs clockwise, since y grows downward: its area is negative.
      let turn: Float = projection.isMirrored ? -1 : 1
      let isClosed = mesh.isClosed
      var name = name
      for triangle in mesh.triangles[patch.triangles] {
        let (first, second, third) = (corners[Int(triangle.x)], corners[Int(triangle.y)], corners[Int(triangle.z)])
        let (one, other) = (second - first, third - first)
        if !isClosed || (one.x * other.y - one.y * other.x) * turn < 0 {
          drawTriangle(
            SIMD3(first.x, first.y, first.z), SIMD3(second.x, second.y, second.z), SIMD3(third.x, third.y, third.z),
            name: name)
        }
        name += 1
      }
    }
  }
}

/// The names of primitives in the id-buffer: 0 nothing, balls, and sticks and triangles with a high bit set.
///
/// The index counts the primitives placed in a picture, from 1 for balls; for triangles it combines the index of the
/// patch and the index in the patch.
enum Owner {
  static let none: UInt32 = 0
  static let stickBit: UInt32 = 1 << 31
  static let triangleBit: UInt32 = 1 << 30
  static let kindBits = stickBit | triangleBit
  /// The largest number of balls, of sticks or of triangles with distinct names.
  static let capacity = Int(triangleBit) - 2

  /// Returns the index in the name of a ball, stick or triangle.
  @inline(__always)
  static func index(_ name: UInt32) -> Int { Int(name & ~kindBits) }

  /// The largest number of triangles in a patch, as a power of two.
  private static let patchShift = 7
  /// The largest number of patches with distinct names.
  static let patchCapacity = capacity >> patchShift

  /// Returns the name of the first triangle of a patch; those of the others follow.
  static func name(ofPatch patch: UInt32) -> UInt32 { patch << UInt32(patchShift) | triangleBit }

  /// Returns the patch of a triangle.
  @inline(__always)
  static func patch(_ name: UInt32) -> Int { index(name) >> patchShift }

  /// Returns the index of a triangle in its patch.
  @inline(__always)
  static func placeInPatch(_ name: UInt32) -> Int { index(name) & (1 << patchShift - 1) }
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
    let remaining = squaredRadius - v * v
    guard remaining > 0 else { return DepthCanvas.emptyDepth }
    let u = x * alongX + y * alongY
    let w = remaining.squareRoot()
    let along = (u + rise * w) / run
    if along >= 0, along <= length { return (u * rise + w) / run }
    if along < 0, rise < 0 { return endDepth(u: u, remaining: remaining) }
    if along > length, rise > 0 {
      let depth = endDepth(u: u - length * run, remaining: remaining)
      return depth == DepthCanvas.emptyDepth ? depth : depth + length * rise
    }
    return DepthCanvas.emptyDepth
  }

  /// Returns the depth of a flat end above its center, or the empty depth outside its circle.
  @inline(__always)
  private func endDepth(u: Float, remaining: Float) -> Float {
    let depth = -u * run / rise
    return u * u + depth * depth <= remaining ? depth : DepthCanvas.emptyDepth
  }
}

/// The barycentric coordinates of positions on a triangle, as weights of its second and third corner.
struct TrianglePlane {
  /// The depth of the second and third corner relative to the first.
  let rise: SIMD2<Float>
  private let secondX: Float
  private let secondY: Float
  private let thirdX: Float
  private let thirdY: Float
  /// A Boolean value indicating whether the triangle is not seen edge-on.
  let isVisible: Bool

  @inline(__always)
  init(_ first: SIMD3<Float>, _ second: SIMD3<Float>, _ third: SIMD3<Float>) {
    let one = second - first
    let other = third - first
    let area = one.x * other.y - one.y * other.x
    isVisible = abs(area) > 1e-12
    let scale = isVisible ? 1 / area : 0
    secondX = other.y * scale
    secondY = -other.x * scale
    thirdX = -one.y * scale
    thirdY = one.x * scale
    rise = SIMD2(one.z, other.z)
  }

  /// Returns the weights of second and third corner at positions of one row, relative to the first corner.
  @inline(__always)
  func shares(_ x: SIMD4<Float>, _ y: Float) -> (second: SIMD4<Float>, third: SIMD4<Float>) {
    (x * secondX + y * secondY, x * thirdX + y * thirdY)
  }

  /// Returns the weights of second and third corner at a position relative to the first corner, clamped to the
  /// triangle.
  @inline(__always)
  func shares(x: Float, y: Float) -> SIMD2<Float> {
    let second = min(max(x * secondX + y * secondY, 0), 1)
    let third = min(max(x * thirdX + y * thirdY, 0), 1 - second)
    return SIMD2(second, third)
  }
}

extension SIMDMask<SIMD4<Int32>> {
  /// A Boolean value indicating whether any lane is set.
  @inline(__always)
  var isAnySet: Bool {
    let halves = unsafeBitCast(self, to: SIMD2<UInt64>.self)
    return halves.x | halves.y != 0
  }

  /// A Boolean value indicating whether all lanes are set.
  @inline(__always)
  var isAllSet: Bool {
    let halves = unsafeBitCast(self, to: SIMD2<UInt64>.self)
    return halves.x & halves.y == .max
  }
}
