/// The values of a row by where they begin and end in the file; valid only until the next row is asked for.
///
/// Most columns of most rows are never looked at: a value is made when it is asked for.
struct CIFRow {
  /// Stands in the place where a value begins if that is quoted; files are at most 2 GiB.
  static let quoted: UInt32 = 1 << 31

  private let edges: UnsafePointer<UInt32>

  /// Creates a row.
  ///
  /// - Parameter edges: For each value the place where it begins, with ``quoted`` for one in quotes, and the place after it.
  @inline(__always)
  init(_ edges: UnsafePointer<UInt32>) { self.edges = edges }

  /// The value in a column, 0-based.
  @inline(__always)
  subscript(column: Int) -> CIFValue {
    let first = edges[2 &* column]
    let start = first & ~Self.quoted
    let count = Int32(truncatingIfNeeded: edges[2 &* column &+ 1] &- start)
    return CIFValue(start: Int(start), count: count, isQuoted: first != start)
  }
}
