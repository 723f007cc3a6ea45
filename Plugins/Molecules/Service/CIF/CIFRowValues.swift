/// The values of a row that were read one by one.
struct CIFRowValues {
  /// Their starts and ends, as in ``CIFRow``.
  private var edges: [UInt32] = []

  var count: Int { edges.count / 2 }

  mutating func append(_ token: CIFToken) {
    let start = UInt32(truncatingIfNeeded: token.start)
    edges.append(token.kind == .quoted ? start | CIFRow.quoted : start)
    edges.append(start &+ UInt32(truncatingIfNeeded: token.count))
  }

  mutating func removeAll() { edges.removeAll(keepingCapacity: true) }

  /// Calls `use` with the values as a row, which is valid only within the call.
  func withRow(_ use: (CIFRow) -> Void) {
    edges.withUnsafeBufferPointer { edges in
      if let first = edges.baseAddress { use(CIFRow(first)) }
    }
  }
}
