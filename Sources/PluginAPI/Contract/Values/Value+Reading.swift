/// A reader of the byte form of a value; see ``Value/encoded()``.
struct ValueReader {
  let bytes: [UInt8]
  var position = 0

  init(bytes: [UInt8]) {
    self.bytes = bytes
  }

  mutating func value(depth: Int) throws(ValueDecodingError) -> Value {
    if depth > Value.maximumDepth { throw .tooDeep(offset: position) }
    let start = position
    guard let first = bytes[safe: position] else { throw .truncated(offset: position) }
    switch first {
    case 0xF6: return simple(.null)
    case 0xF5: return simple(.bool(true))
    case 0xF4: return simple(.bool(false))
    case 0xFB: return .number(try double())
    default: break
    }
    switch first >> 5 {
    case 0, 1: return .integer(try integer())
    case 2: return .bytes(Array(try blob()))
    case 3: return .text(try text())
    case 4: return .list(try list(depth: depth))
    case 5: return .record(try record(depth: depth))
    case 6: return try tagged(depth: depth)
    default: throw .unexpectedItem(offset: start)
    }
  }

  private mutating func simple(_ content: Value.Content) -> Value {
    position += 1
    return Value(content)
  }

  private mutating func list(depth: Int) throws(ValueDecodingError) -> [Value] {
    let count = try count(of: 4)
    var values: [Value] = []
    values.reserveCapacity(min(count, 1024))
    for _ in 0..<count { values.append(try value(depth: depth + 1)) }
    return values
  }

  private mutating func record(depth: Int) throws(ValueDecodingError) -> Record {
    let count = try count(of: 5)
    var fields: [Record.Field] = []
    fields.reserveCapacity(min(count, 1024))
    for _ in 0..<count {
      let name = try text()
      fields.append(Record.Field(name, try value(depth: depth + 1)))
    }
    return Record(fields)
  }

  private mutating func tagged(depth: Int) throws(ValueDecodingError) -> Value {
    let start = position
    guard try head(6) == 39 else { throw .unexpectedItem(offset: start) }
    let count = try count(of: 4) - 1
    guard count >= 0, let kind = TaggedKind(rawValue: try integer()) else { throw .unexpectedItem(offset: start) }
    switch (kind, count) {
    case (.decimal, 1): return .decimal(try text())
    case (.date, 2):
      let (seconds, nanoseconds) = (try integer(), try integer())
      guard (0..<1_000_000_000).contains(nanoseconds) else { throw .unexpectedItem(offset: start) }
      return .date(Instant(seconds: Int64(seconds), nanoseconds: Int32(nanoseconds)))
    case (.quantity, 2): return .quantity(try double(), unit: try text())
    case (.picture, 3): return .picture(try picture(start: start))
    case (.array, 3): return .array(try array(start: start))
    case (.typed, 2):
      let name = try text()
      var inner = try value(depth: depth + 1)
      inner.typeName = name
      return inner
    case (.table, _): return .table(try table(columns: count, depth: depth))
    default: throw .unexpectedItem(offset: start)
    }
  }

  private mutating func picture(start: Int) throws(ValueDecodingError) -> Picture {
    let (width, height) = (try integer(), try integer())
    let pixels = Array(try blob())
    let (area, tooLarge) = width.multipliedReportingOverflow(by: height)
    guard width >= 0, height >= 0, !tooLarge, pixels.count % 4 == 0, pixels.count / 4 == area else {
      throw .unexpectedItem(offset: start)
    }
    return Picture(width: width, height: height, pixels: pixels)
  }

  private mutating func array(start: Int) throws(ValueDecodingError) -> NumericArray {
    let type = NumericArray.ElementType(rawValue: try text())
    var shape: [Int] = []
    for _ in 0..<(try count(of: 4)) { shape.append(try integer()) }
    let bytes = Array(try blob())
    guard let type, let array = NumericArray(type, shape: shape, bytes: bytes) else {
      throw .unexpectedItem(offset: start)
    }
    return array
  }

  private mutating func table(columns count: Int, depth: Int) throws(ValueDecodingError) -> Table {
    let start = position
    var columns: [Table.Column] = []
    for _ in 0..<count {
      guard try self.count(of: 4) == 5 else { throw .unexpectedItem(offset: position) }
      let (name, title) = (try text(), try text())
      let unit = try optional { (reader) throws(ValueDecodingError) in try reader.text() }
      columns.append(Table.Column(name, title: title, unit: unit, try columnValues(depth: depth)))
    }
    let rows = columns.first?.values.count ?? 0
    guard columns.allSatisfy({ $0.values.count == rows }) else { throw .unexpectedItem(offset: start) }
    return Table(columns: columns)
  }

  private mutating func columnValues(depth: Int) throws(ValueDecodingError) -> Table.Values {
    let start = position
    switch ColumnKind(rawValue: try integer()) {
    case .integers: return .integers(try words().map { Int(Int64(bitPattern: $0)) })
    case .numbers:
      guard try count(of: 4) == 2 else { throw .unexpectedItem(offset: start) }
      let decimals = try optional { (reader) throws(ValueDecodingError) in try reader.integer() }
      return .numbers(try words().map(Double.init(bitPattern:)), decimals: decimals)
    case .texts:
      let count = try count(of: 4)
      var texts: [String] = []
      for _ in 0..<count { texts.append(try text()) }
      return .texts(texts)
    case .values: return .values(try list(depth: depth + 1))
    case nil: throw .unexpectedItem(offset: start)
    }
  }

  /// Reads a byte string as little-endian 64-bit words.
  private mutating func words() throws(ValueDecodingError) -> [UInt64] {
    let start = position
    let raw = try blob()
    guard raw.count % 8 == 0 else { throw .unexpectedItem(offset: start) }
    return raw.withUnsafeBytes { buffer in
      (0..<buffer.count / 8).map { UInt64(littleEndian: buffer.loadUnaligned(fromByteOffset: $0 * 8, as: UInt64.self)) }
    }
  }

  private mutating func optional<Wrapped>(
    _ read: (inout ValueReader) throws(ValueDecodingError) -> Wrapped
  ) throws(ValueDecodingError) -> Wrapped? {
    if bytes[safe: position] == 0xF6 {
      position += 1
      return nil
    }
    return try read(&self)
  }

  private mutating func integer() throws(ValueDecodingError) -> Int {
    let start = position
    guard let first = bytes[safe: position], first >> 5 <= 1 else { throw .unexpectedItem(offset: start) }
    let magnitude = try head(first >> 5)
    guard magnitude <= UInt64(Int.max) else { throw .unexpectedItem(offset: start) }
    return first >> 5 == 0 ? Int(magnitude) : -1 - Int(magnitude)
  }

  private mutating func double() throws(ValueDecodingError) -> Double {
    guard bytes[safe: position] == 0xFB else { throw .unexpectedItem(offset: position) }
    position += 1
    return Double(bitPattern: try bigEndian(8))
  }

  private mutating func text() throws(ValueDecodingError) -> String {
    String(decoding: try string(major: 3), as: UTF8.self)
  }

  private mutating func blob() throws(ValueDecodingError) -> ArraySlice<UInt8> {
    try string(major: 2)
  }

  private mutating func string(major: UInt8) throws(ValueDecodingError) -> ArraySlice<UInt8> {
    let start = position
    let length = try head(major)
    guard length <= UInt64(bytes.count - position) else { throw .truncated(offset: start) }
    defer { position += Int(length) }
    return bytes[position..<position + Int(length)]
  }

  /// Reads the head of a container; every element takes at least one byte, which bounds the count.
  private mutating func count(of major: UInt8) throws(ValueDecodingError) -> Int {
    let start = position
    let count = try head(major)
    guard count <= UInt64(bytes.count - position) else { throw .truncated(offset: start) }
    return Int(count)
  }

  private mutating func head(_ major: UInt8) throws(ValueDecodingError) -> UInt64 {
    guard let first = bytes[safe: position] else { throw .truncated(offset: position) }
    guard first >> 5 == major else { throw .unexpectedItem(offset: position) }
    position += 1
    switch first & 31 {
    case let small where small < 24: return UInt64(small)
    case 24: return try bigEndian(1)
    case 25: return try bigEndian(2)
    case 26: return try bigEndian(4)
    case 27: return try bigEndian(8)
    default: throw .unexpectedItem(offset: position - 1)
    }
  }

  private mutating func bigEndian(_ count: Int) throws(ValueDecodingError) -> UInt64 {
    guard count <= bytes.count - position else { throw .truncated(offset: position) }
    defer { position += count }
    return bytes[position..<position + count].reduce(0) { $0 << 8 | UInt64($1) }
  }
}

extension Array {
  /// The element at an index, or nil outside the array.
  fileprivate subscript(safe index: Int) -> Element? {
    indices.contains(index) ? self[index] : nil
  }
}
