/// A FlatBuffers buffer with the parts that Arrow metadata needs: tables, texts and vectors of both.
///
/// Everything is written forward: a table comes after its list of offsets (vtable) and before its children. Tables begin
/// at multiples of 8 bytes, so that each field is aligned to its size.
/// - Source: https://flatbuffers.dev/internals/
struct FlatBuffer {
  /// The value of a field.
  indirect enum FieldValue {
    case byte(UInt8)
    case short(Int16)
    case int(Int32)
    case long(Int64)
    case text(String)
    case table([Field])
    /// A vector of tables.
    case tables([[Field]])
    /// A vector of structs of two numbers each.
    case pairs([(Int64, Int64)])

    /// The bytes that the value occupies in its table: those of the number, or of the offset of anything else.
    fileprivate var width: Int {
      switch self {
      case .byte: 1
      case .short: 2
      case .int, .text, .table, .tables, .pairs: 4
      case .long: 8
      }
    }
  }

  /// A field of a table: its number in the schema, and its value.
  struct Field {
    let id: Int
    let value: FieldValue

    init(_ id: Int, _ value: FieldValue) {
      (self.id, self.value) = (id, value)
    }
  }

  /// The bytes; their number is a multiple of 8.
  private(set) var bytes: [UInt8] = [0, 0, 0, 0]

  /// Creates a buffer of one table and the values it refers to.
  init(_ root: [Field]) {
    let table = add(table: root)
    setOffset(at: 0, to: table)
    pad(to: 8)
  }

  /// Appends a table with its children and returns its position.
  private mutating func add(table fields: [Field]) -> Int {
    var offsets = [Int](repeating: 0, count: (fields.map(\.id).max() ?? -1) + 1)
    var size = 4
    for field in fields {
      let width = field.value.width
      size = (size + width - 1) / width * width
      offsets[field.id] = size
      size += width
    }
    pad(to: 4)
    let list = bytes.count
    for number in [4 + 2 * offsets.count, size] + offsets { bytes.append(littleEndian: UInt16(number)) }
    pad(to: 8)
    let table = bytes.count
    bytes.append(littleEndian: Int32(table - list))
    bytes.append(contentsOf: repeatElement(0, count: size - 4))
    for field in fields { set(field.value, at: table + offsets[field.id]) }
    return table
  }

  private mutating func set(_ value: FieldValue, at position: Int) {
    switch value {
    case .byte(let number): bytes[position] = number
    case .short(let number): set(number: number, at: position)
    case .int(let number): set(number: number, at: position)
    case .long(let number): set(number: number, at: position)
    case .text(let text): setOffset(at: position, to: add(text: text))
    case .table(let fields): setOffset(at: position, to: add(table: fields))
    case .tables(let tables): setOffset(at: position, to: add(tables: tables))
    case .pairs(let pairs): setOffset(at: position, to: add(pairs: pairs))
    }
  }

  /// Appends a text: its length, its bytes and a zero.
  private mutating func add(text: String) -> Int {
    let position = beginVector(of: text.utf8.count, alignment: 4)
    bytes += text.utf8
    bytes.append(0)
    return position
  }

  private mutating func add(tables: [[Field]]) -> Int {
    let position = beginVector(of: tables.count, alignment: 4)
    let offsets = bytes.count
    bytes.append(contentsOf: repeatElement(0, count: 4 * tables.count))
    for (index, fields) in tables.enumerated() { setOffset(at: offsets + 4 * index, to: add(table: fields)) }
    return position
  }

  private mutating func add(pairs: [(Int64, Int64)]) -> Int {
    let position = beginVector(of: pairs.count, alignment: 8)
    for (first, second) in pairs {
      bytes.append(littleEndian: first)
      bytes.append(littleEndian: second)
    }
    return position
  }

  /// Appends the number of elements, so that the first one is aligned, and returns its position.
  private mutating func beginVector(of count: Int, alignment: Int) -> Int {
    pad(to: alignment, before: 4)
    let position = bytes.count
    bytes.append(littleEndian: UInt32(count))
    return position
  }

  /// Appends zeros until the position some bytes further is a multiple of a number.
  private mutating func pad(to alignment: Int, before further: Int = 0) {
    while (bytes.count + further) % alignment != 0 { bytes.append(0) }
  }

  /// Sets the distance from a position to a later one.
  private mutating func setOffset(at position: Int, to target: Int) {
    set(number: UInt32(target - position), at: position)
  }

  private mutating func set<Number: FixedWidthInteger>(number: Number, at position: Int) {
    withUnsafeBytes(of: number.littleEndian) { raw in
      for (index, byte) in raw.enumerated() { bytes[position + index] = byte }
    }
  }
}

extension [UInt8] {
  /// Appends the bytes of a number, the lowest first.
  mutating func append<Number: FixedWidthInteger>(littleEndian number: Number) {
    Swift.withUnsafeBytes(of: number.littleEndian) { append(contentsOf: $0) }
  }
}
