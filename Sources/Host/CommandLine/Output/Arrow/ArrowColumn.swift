import PluginAPI

/// The cells of a column in a record batch, in the buffers of Arrow.
struct ArrowColumn {
  let kind: ArrowKind
  private(set) var count = 0
  private(set) var nullCount = 0
  /// A bit for each cell, the lowest first: 1 for a value, 0 for null.
  private var validity: [UInt8] = []
  /// The ends of the cells in `data` or `items`, each an `Int32`, after a 0; empty for kinds of a fixed size.
  private var ends: [UInt8] = []
  /// The numbers, bits or bytes of the cells.
  private var data: [UInt8] = []
  /// The elements of all lists, in one column; none for other kinds.
  private var items: [ArrowColumn] = []

  init(_ kind: ArrowKind) {
    self.kind = kind
    switch kind {
    case .text, .json, .bytes: ends.append(littleEndian: Int32(0))
    case .list(let element):
      ends.append(littleEndian: Int32(0))
      items = [ArrowColumn(element)]
    case .integer, .number, .quantity, .bool, .date: break
    }
  }

  /// The number of bytes, apart from those for nulls.
  var byteCount: Int { data.count + ends.count + (items.first?.byteCount ?? 0) }

  /// The columns of the elements, if the column has lists.
  var children: [ArrowColumn] { items }

  /// The buffers, without those of the children.
  var buffers: [[UInt8]] {
    let validity = nullCount == 0 ? [] : validity
    return switch kind {
    case .text, .json, .bytes: [validity, ends, data]
    case .list: [validity, ends]
    case .integer, .number, .quantity, .bool, .date: [validity, data]
    }
  }

  /// Adds a cell.
  ///
  /// - Parameter value: A value that the kind holds.
  /// - Throws: ``ArrowError/tooLong`` if the texts or lists of the batch exceed 2 GB; the cell is incomplete then.
  mutating func append(_ value: Value) throws(ErrorReport) {
    let isNull = isNull(value)
    Self.append(!isNull, index: count, to: &validity)
    if isNull { nullCount += 1 }
    switch kind {
    case .integer: data.append(littleEndian: ArrowKind.integer(value) ?? 0)
    case .number, .quantity: data.append(littleEndian: (ArrowKind.number(value) ?? 0).bitPattern)
    case .date: data.append(littleEndian: ArrowKind.milliseconds(value) ?? 0)
    case .bool: Self.append(value.bool ?? false, index: count, to: &data)
    case .text: try appendBytes((value.text ?? "").utf8)
    case .json: try appendBytes(isNull ? [] : JSONWriter.bytes(of: value))
    case .bytes: try appendBytes(value.bytes ?? [])
    case .list:
      for element in value.list ?? [] { try items[0].append(element) }
      try appendEnd(items[0].count)
    }
    count += 1
  }

  /// Returns true if the cell of a value is null: numbers that are not finite have no form in results.
  private func isNull(_ value: Value) -> Bool {
    switch value.content {
    case .null: true
    case .number(let number): !number.isFinite
    case .quantity(let quantity): kind != .json && !quantity.value.isFinite
    default: false
    }
  }

  private mutating func appendBytes(_ bytes: some Collection<UInt8>) throws(ErrorReport) {
    data.append(contentsOf: bytes)
    try appendEnd(data.count)
  }

  private mutating func appendEnd(_ end: Int) throws(ErrorReport) {
    guard let end = Int32(exactly: end) else { throw ArrowError.tooLong }
    ends.append(littleEndian: end)
  }

  private static func append(_ bit: Bool, index: Int, to bits: inout [UInt8]) {
    if index % 8 == 0 { bits.append(0) }
    if bit { bits[index / 8] |= 1 << UInt8(index % 8) }
  }
}
