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
  let firstRow: Float
  let endRow: Float
  let endColumn: Float

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
  func store(_ z: SIMD4<Float>, _ names: SIMD4<UInt32>, row: Int, x: Int) {
    let place = row * stride + x
    let depths = UnsafeMutableRawPointer(depth + place)
    let stored = depths.loadUnaligned(as: SIMD4<Float>.self)
    let nearer = z .> stored
    guard nearer.isAnySet else { return }
    depths.storeBytes(of: stored.replacing(with: z, where: nearer), as: SIMD4<Float>.self)
    let owners = UnsafeMutableRawPointer(owner + place)
    let holders = owners.loadUnaligned(as: SIMD4<UInt32>.self)
    owners.storeBytes(of: holders.replacing(with: names, where: nearer), as: SIMD4<UInt32>.self)
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
