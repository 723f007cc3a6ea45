/// The distinct texts of a column, and the index of each row's text.
struct BinaryCIFNames {
  /// The distinct texts.
  let texts: [String]
  /// The index of each row's text; -1 if there is none.
  let indices: [Int32]
  /// The identifier of each text in a name table, once requested.
  private var ids: [NameID]

  init(_ column: BinaryCIFColumn) {
    var texts: [String] = []
    var indices: [Int32]
    if case .texts(let stored) = column.values {
      texts = stored.ranges.map { String(decoding: column.file[$0], as: UTF8.self) }
      indices = stored.indices
      for row in indices.indices where column.isMissing(row) { indices[row] = -1 }
    } else {
      var known: [String: Int32] = [:]
      indices = []
      indices.reserveCapacity(column.count)
      for row in 0..<column.count {
        let text = column.text(row)
        if let index = known[text] {
          indices.append(index)
        } else {
          known[text] = text.isEmpty ? -1 : Int32(texts.count)
          indices.append(text.isEmpty ? -1 : Int32(texts.count))
          if !text.isEmpty { texts.append(text) }
        }
      }
    }
    self.texts = texts
    self.indices = indices
    ids = Array(repeating: .max, count: texts.count)
  }

  /// Returns the name of a row in a table, adding each text on first use; nil if the row has none.
  @inline(__always)
  mutating func name(_ row: Int, _ names: inout NameTable) -> NameID? {
    let index = Int(indices[row])
    guard index >= 0 else { return nil }
    if ids[index] == .max { ids[index] = names.intern(texts[index]) }
    return ids[index]
  }

  /// Returns the first byte of a row's text; 0 if it has none.
  func firstByte(_ row: Int) -> UInt8 {
    let index = Int(indices[row])
    return index >= 0 ? texts[index].utf8.first ?? 0 : 0
  }
}
