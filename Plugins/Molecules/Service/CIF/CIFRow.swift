/// The values of a row by their start and end in the file; valid only until the next row is read.
///
/// Most columns of most rows are never used: a value is created on demand.
struct CIFRow {
  /// The flag in the start of a quoted value; files are at most 2 GiB.
  static let quoted: UInt32 = 1 << 31

  private let edges: UnsafePointer<UInt32>

  /// Creates a row.
  ///
  /// - Parameter edges: For each value its start, with ``quoted`` for one in quotes, and its end.
  @inline(__always)
  init(_ edges: UnsafePointer<UInt32>) { self.edges = edges }

  /// Accesses the value in a column, 0-based.
  @inline(__always)
  subscript(column: Int) -> CIFValue {
    let first = edges[2 &* column]
    let start = first & ~Self.quoted
    let count = Int32(truncatingIfNeeded: edges[2 &* column &+ 1] &- start)
    return CIFValue(start: Int(start), count: count, isQuoted: first != start)
  }
}
