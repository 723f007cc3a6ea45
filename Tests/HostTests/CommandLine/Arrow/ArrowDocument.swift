import PluginAPI

/// A reader of Arrow streams, which checks the order of messages, and the bounds and alignment of all that it reads.
///
/// It is written after `Message.fbs` and `Schema.fbs` of Arrow, and shares no code with the writer.
struct ArrowDocument {
  /// A fault of a stream.
  enum Fault: Error, Equatable {
    case outside(Int)
    case unaligned(Int)
    case noMark(Int)
    case missing(String)
    case unexpected(String, Int)
  }

  /// A column's declaration.
  struct Field: Equatable {
    var name: String
    /// The type's name with its parameters, such as `Int64`.
    var type: String
    var isNullable: Bool
    var metadata: [String: String] = [:]
    var children: [Field] = []
  }

  private(set) var fields: [Field] = []
  private(set) var metadata: [String: String] = [:]
  /// The cells of each column, over all batches; a date is the number of its milliseconds.
  private(set) var columns: [[Value]] = []
  /// The number of rows of each batch.
  private(set) var batches: [Int] = []
  /// True if the stream has a mark of its end.
  private(set) var hasEnd = false
  /// The bytes after the end.
  private(set) var remaining: [UInt8] = []

  init(_ stream: [UInt8]) throws {
    let whole = FlatBytes(bytes: stream)
    var position = 0
    var hasSchema = false
    while position < stream.count {
      if try whole.number(position, UInt32.self) != .max { throw Fault.noMark(position) }
      let size = Int(try whole.number(position + 4, UInt32.self))
      position += 8
      if size == 0 {
        (hasEnd, remaining) = (true, Array(stream[position...]))
        return
      }
      let message = try FlatTable(rootOf: try whole.part(position, size))
      position += size
      if position % 8 != 0 { throw Fault.unaligned(position) }
      let version = try message.number(0, Int16.self)
      if version != 4 { throw Fault.unexpected("version", Int(version ?? 0)) }
      let body = try whole.part(position, Int(try message.number(3, Int64.self) ?? 0))
      position += body.bytes.count
      if position % 8 != 0 { throw Fault.unaligned(position) }
      guard let header = try message.table(2) else { throw Fault.missing("header") }
      switch (try message.number(1, UInt8.self), hasSchema) {
      case (1, false):
        (hasSchema, fields) = (true, try header.tables(1).map(Self.field))
        metadata = try Self.pairs(header.tables(2))
        columns = fields.map { _ in [] }
      case (3, true): try read(header, body)
      case (let kind, _): throw Fault.unexpected("message", Int(kind ?? 0))
      }
    }
  }

  subscript(name: String) -> [Value] {
    fields.firstIndex { $0.name == name }.map { columns[$0] } ?? []
  }

  func field(_ name: String) -> Field? { fields.first { $0.name == name } }

  private static func pairs(_ tables: [FlatTable]) throws -> [String: String] {
    var pairs: [String: String] = [:]
    for table in tables { pairs[try table.text(0) ?? ""] = try table.text(1) ?? "" }
    return pairs
  }

  private static func field(_ table: FlatTable) throws -> Field {
    guard let type = try table.table(3) else { throw Fault.missing("type") }
    let name: String
    switch try table.number(2, UInt8.self) {
    case 2:
      let isSigned = try type.number(1, UInt8.self) == 1
      name = (isSigned ? "Int" : "UInt") + "\(try type.number(0, Int32.self) ?? 0)"
    case 3: name = ["Float16", "Float32", "Float64"][Int(try type.number(0, Int16.self) ?? 0)]
    case 4: name = "Binary"
    case 5: name = "Utf8"
    case 6: name = "Bool"
    case 10:
      let unit = ["s", "ms", "us", "ns"][Int(try type.number(0, Int16.self) ?? 0)]
      name = "Timestamp(\(unit), \(try type.text(1) ?? "none"))"
    case 12: name = "List"
    case let kind: throw Fault.unexpected("type", Int(kind ?? 0))
    }
    return Field(
      name: try table.text(0) ?? "", type: name, isNullable: try table.number(1, UInt8.self) == 1,
      metadata: try pairs(table.tables(6)), children: try table.tables(5).map(field))
  }

  private mutating func read(_ batch: FlatTable, _ body: FlatBytes) throws {
    let rows = Int(try batch.number(0, Int64.self) ?? 0)
    var parts = BatchParts(nodes: try batch.pairs(1), buffers: try batch.pairs(2), body: body)
    for (index, field) in fields.enumerated() {
      let cells = try parts.cells(field)
      if cells.count != rows { throw Fault.unexpected("rows", cells.count) }
      columns[index] += cells
    }
    if !parts.isEmpty { throw Fault.unexpected("buffers", parts.buffers.count) }
    batches.append(rows)
  }
}

/// The nodes and buffers of a batch, in the order of its fields.
private struct BatchParts {
  var nodes: [(Int64, Int64)]
  var buffers: [(Int64, Int64)]
  let body: FlatBytes

  init(nodes: [(Int64, Int64)], buffers: [(Int64, Int64)], body: FlatBytes) {
    (self.nodes, self.buffers, self.body) = (nodes.reversed(), buffers.reversed(), body)
  }

  var isEmpty: Bool { nodes.isEmpty && buffers.isEmpty }

  mutating func cells(_ field: ArrowDocument.Field) throws -> [Value] {
    guard let node = nodes.popLast() else { throw ArrowDocument.Fault.missing("node") }
    let count = Int(node.0)
    let validity = try buffer()
    // Without nulls there may be no bits.
    var isValid = Array(repeating: true, count: count)
    if !validity.bytes.isEmpty { for row in 0..<count { isValid[row] = try bit(validity, row) } }
    if isValid.count(where: { !$0 }) != Int(node.1) { throw ArrowDocument.Fault.unexpected("nulls", Int(node.1)) }
    let values = try values(field, count)
    return zip(values, isValid).map { $1 ? $0 : .null }
  }

  private mutating func values(_ field: ArrowDocument.Field, _ count: Int) throws -> [Value] {
    let first = try buffer()
    switch field.type {
    case "Int64", "Timestamp(ms, UTC)":
      return try (0..<count).map { .integer(Int(try first.number($0 * 8, Int64.self))) }
    case "Float64":
      return try (0..<count).map { .number(Double(bitPattern: try first.number($0 * 8, UInt64.self))) }
    case "Bool": return try (0..<count).map { .bool(try bit(first, $0)) }
    case "Utf8", "Binary":
      let data = try buffer()
      return try ranges(first, count).map { range in
        let bytes = try data.part(range.lowerBound, range.count).bytes
        if field.type == "Binary" { return .bytes(bytes) }
        guard let text = String(validating: bytes, as: UTF8.self) else { throw ArrowDocument.Fault.missing("UTF-8") }
        return .text(text)
      }
    case "List":
      let elements = try cells(field.children[0])
      return try ranges(first, count).map { range in
        if range.upperBound > elements.count { throw ArrowDocument.Fault.outside(range.upperBound) }
        return .list(Array(elements[range]))
      }
    default: throw ArrowDocument.Fault.missing(field.type)
    }
  }

  /// Returns the ranges between offsets, of which there is one more than cells.
  private func ranges(_ offsets: FlatBytes, _ count: Int) throws -> [Range<Int>] {
    if try offsets.number(0, Int32.self) != 0 { throw ArrowDocument.Fault.unexpected("first offset", 0) }
    return try (0..<count).map { row in
      let (start, end) = (try offsets.number(row * 4, Int32.self), try offsets.number(row * 4 + 4, Int32.self))
      if start > end { throw ArrowDocument.Fault.unexpected("offset", Int(end)) }
      return Int(start)..<Int(end)
    }
  }

  private func bit(_ bits: FlatBytes, _ index: Int) throws -> Bool {
    try bits.number(index / 8, UInt8.self) >> UInt8(index % 8) & 1 == 1
  }

  private mutating func buffer() throws -> FlatBytes {
    guard let buffer = buffers.popLast() else { throw ArrowDocument.Fault.missing("buffer") }
    if buffer.0 % 8 != 0 { throw ArrowDocument.Fault.unaligned(Int(buffer.0)) }
    return try body.part(Int(buffer.0), Int(buffer.1))
  }
}

/// Bytes with numbers at multiples of their size.
private struct FlatBytes {
  let bytes: [UInt8]

  func number<Number: FixedWidthInteger>(_ position: Int, _ type: Number.Type) throws -> Number {
    let size = MemoryLayout<Number>.size
    guard position >= 0, position + size <= bytes.count else { throw ArrowDocument.Fault.outside(position) }
    if position % size != 0 { throw ArrowDocument.Fault.unaligned(position) }
    return bytes.withUnsafeBytes {
      Number(littleEndian: $0.loadUnaligned(fromByteOffset: position, as: Number.self))
    }
  }

  func part(_ start: Int, _ count: Int) throws -> FlatBytes {
    guard start >= 0, count >= 0, start + count <= bytes.count else { throw ArrowDocument.Fault.outside(start) }
    return FlatBytes(bytes: Array(bytes[start..<start + count]))
  }
}

/// A table of FlatBuffers.
private struct FlatTable {
  private let buffer: FlatBytes
  private let position: Int

  init(rootOf buffer: FlatBytes) throws {
    self.init(buffer, Int(try buffer.number(0, UInt32.self)))
  }

  private init(_ buffer: FlatBytes, _ position: Int) {
    (self.buffer, self.position) = (buffer, position)
  }

  /// Returns the position of a field; nil if the table lacks it.
  private func field(_ id: Int) throws -> Int? {
    let offsets = position - Int(try buffer.number(position, Int32.self))
    let size = Int(try buffer.number(offsets, UInt16.self))
    if 4 + 2 * id >= size { return nil }
    let offset = Int(try buffer.number(offsets + 4 + 2 * id, UInt16.self))
    if offset >= Int(try buffer.number(offsets + 2, UInt16.self)) { throw ArrowDocument.Fault.outside(offset) }
    return offset == 0 ? nil : position + offset
  }

  func number<Number: FixedWidthInteger>(_ id: Int, _ type: Number.Type) throws -> Number? {
    try field(id).map { try buffer.number($0, type) }
  }

  /// Returns what a field refers to.
  private func target(_ id: Int) throws -> Int? {
    try field(id).map { $0 + Int(try buffer.number($0, UInt32.self)) }
  }

  func table(_ id: Int) throws -> FlatTable? { try target(id).map { FlatTable(buffer, $0) } }

  func text(_ id: Int) throws -> String? {
    guard let start = try target(id) else { return nil }
    let count = Int(try buffer.number(start, UInt32.self))
    let bytes = try buffer.part(start + 4, count + 1).bytes
    if bytes.last != 0 { throw ArrowDocument.Fault.missing("zero after a text") }
    return String(validating: bytes.dropLast(), as: UTF8.self)
  }

  func tables(_ id: Int) throws -> [FlatTable] {
    guard let start = try target(id) else { return [] }
    return try (0..<Int(try buffer.number(start, UInt32.self))).map { index in
      let slot = start + 4 + 4 * index
      return FlatTable(buffer, slot + Int(try buffer.number(slot, UInt32.self)))
    }
  }

  func pairs(_ id: Int) throws -> [(Int64, Int64)] {
    guard let start = try target(id) else { return [] }
    return try (0..<Int(try buffer.number(start, UInt32.self))).map { index in
      let pair = start + 4 + 16 * index
      return (try buffer.number(pair, Int64.self), try buffer.number(pair + 8, Int64.self))
    }
  }
}
