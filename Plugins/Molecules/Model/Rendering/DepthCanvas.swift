/// The z-buffer and id-buffer being drawn into, as raw memory that lives only as long as the closure it was made in.
///
/// Rows are `stride` pixels apart, at least four more than the width, so that a row may be written four pixels at a
/// time. Lengths are in widths of a pixel; y grows downwards, z towards the viewer.
struct DepthCanvas {
  let width: Int
  let height: Int
  let stride: Int
  /// Height of a pixel divided by its width.
  let aspect: Float
  let depth: UnsafeMutablePointer<Float>
  let owner: UnsafeMutablePointer<UInt32>

  /// The depth of a pixel that nothing covers.
  static let emptyDepth: Float = -.greatestFiniteMagnitude
}

/// The names of primitives in the id-buffer: 0 nothing, then balls from 1, sticks and triangles with a high bit set.
enum Owner {
  static let none: UInt32 = 0
  static let stickBit: UInt32 = 1 << 31
  static let triangleBit: UInt32 = 1 << 30
  /// The largest number of balls, of sticks or of triangles that can be told apart.
  static let capacity = Int(triangleBit) - 2

  @inline(__always)
  static func sphere(_ index: Int) -> UInt32 { UInt32(truncatingIfNeeded: index + 1) }

  @inline(__always)
  static func cylinder(_ index: Int) -> UInt32 { UInt32(truncatingIfNeeded: index) | stickBit }

  @inline(__always)
  static func triangle(_ index: Int) -> UInt32 { UInt32(truncatingIfNeeded: index) | triangleBit }

  /// The index in a name of a stick or triangle.
  @inline(__always)
  static func index(_ name: UInt32) -> Int { Int(name & ~(stickBit | triangleBit)) }
}
