/// The texts of a column, each different one once, and which of them each row has.
struct BinaryCIFNames {
  /// The different texts.
  let texts: [String]
  /// For each row the position of its text; -1 where it has none.
  let indices: [Int32]
  /// The place of each text in a name table, once it was asked for.
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

  /// The name of a row in a table, into which each text is brought when it is first met; nil when the row has none.
  @inline(__always)
  mutating func name(_ row: Int, _ names: inout NameTable) -> NameID? {
    let index = Int(indices[row])
    guard index >= 0 else { return nil }
    if ids[index] == .max { ids[index] = names.intern(texts[index]) }
    return ids[index]
  }

  /// The first byte of a row's text; 0 when it has none.
  func firstByte(_ row: Int) -> UInt8 {
    let index = Int(indices[row])
    return index >= 0 ? texts[index].utf8.first ?? 0 : 0
  }
}
