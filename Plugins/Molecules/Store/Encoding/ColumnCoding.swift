/// Writes numbers and texts as compact bytes, column by column.
///
/// Integers are variable-length (LEB128), signed ones with the sign in the lowest bit (zigzag).
/// - Source: LEB128: DWARF 5, section 7.6; zigzag: Protocol Buffers, "Encoding", signed integers.
struct ColumnEncoder {
  private(set) var bytes: [UInt8] = []

  /// Adds a byte.
  mutating func byte(_ value: UInt8) { bytes.append(value) }

  /// Adds an unsigned number, one byte for each seven bits.
  mutating func count(_ value: UInt64) {
    var rest = value
    while rest >= 0x80 {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(truncatingIfNeeded: rest))
  }

  /// Adds an unsigned number.
  mutating func count(_ value: Int) { count(UInt64(max(0, value))) }

  /// Adds a signed number; those near zero are short.
  mutating func integer(_ value: Int) {
    count(UInt64(bitPattern: Int64(value &<< 1) ^ Int64(value >> 63)))
  }

  /// Adds a floating-point number as eight bytes, the lowest first.
  mutating func number(_ value: Double) {
    var rest = value.bitPattern
    for _ in 0..<8 {
      bytes.append(UInt8(truncatingIfNeeded: rest))
      rest >>= 8
    }
  }

  /// Adds a text: its length in bytes, then its UTF-8.
  mutating func text(_ value: String) {
    count(value.utf8.count)
    bytes.append(contentsOf: value.utf8)
  }

  /// Adds an optional number.
  mutating func optional(_ value: Double?) {
    byte(value == nil ? 0 : 1)
    if let value { number(value) }
  }

  /// Adds a list of texts.
  mutating func texts(_ values: [String]) {
    count(values.count)
    for value in values { text(value) }
  }

  /// Adds a list of elements.
  mutating func list<Element: ColumnCodable>(_ values: [Element]) {
    count(values.count)
    for value in values { value.encode(into: &self) }
  }

  /// Adds a column of slowly changing numbers, as differences.
  mutating func differences(_ values: some Sequence<Int>) {
    var last = 0
    for value in values {
      integer(value &- last)
      last = value
    }
  }

  /// Adds a column of often repeated numbers, as value and length of each run.
  mutating func runs(_ values: some Sequence<Int>) {
    var current: (value: Int, length: Int)?
    for value in values {
      if let run = current, run.value == value {
        current = (value, run.length + 1)
      } else {
        if let run = current { add(run) }
        current = (value, 1)
      }
    }
    if let run = current { add(run) }
  }

  private mutating func add(_ run: (value: Int, length: Int)) {
    integer(run.value)
    count(run.length)
  }

  /// Adds a column of decimal numbers: as differences of multiples of the coarsest lossless step, else as their bytes.
  ///
  /// The first byte is the number of decimals, 255 if bytes follow.
  mutating func decimals(_ values: [Double]) {
    for decimals in [3, 0, 2, 4, 5, 6] {
      guard let scaled = ColumnScale.scaled(values, decimals: decimals) else { continue }
      byte(UInt8(decimals))
      differences(scaled)
      return
    }
    byte(ColumnScale.bytes)
    for value in values { number(value) }
  }
}

/// A compound value that can be encoded to and decoded from compact bytes.
protocol ColumnCodable {
  /// Adds the value's bytes.
  func encode(into encoder: inout ColumnEncoder)
  /// Decodes the bytes written by ``encode(into:)``.
  init(from decoder: inout ColumnDecoder) throws(ColumnError)
}

/// Converts decimal numbers to integers and back without loss.
enum ColumnScale {
  /// The mark of a column stored as the bytes of its numbers.
  static let bytes: UInt8 = 255
  /// Powers of ten by number of decimals.
  static let factors: [Double] = [1, 10, 100, 1_000, 10_000, 100_000, 1_000_000]

  /// Returns the numbers times 10^decimals, or nil if one of them would not be restored exactly.
  static func scaled(_ values: [Double], decimals: Int) -> [Int]? {
    let factor = factors[decimals]
    var scaled: [Int] = []
    scaled.reserveCapacity(values.count)
    for value in values {
      let whole = (value * factor).rounded()
      // Negative zero and numbers beyond 2^53 do not survive the conversion to an integer.
      guard abs(whole) < 9e15, whole / factor == value, value != 0 || value.sign == .plus else { return nil }
      scaled.append(Int(whole))
    }
    return scaled
  }
}

/// Decodes bytes written by ``ColumnEncoder``; every access is checked, since files can be damaged.
struct ColumnDecoder {
  private let bytes: [UInt8]
  private(set) var position = 0

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
  }

  /// A Boolean value indicating whether everything was read.
  var isAtEnd: Bool { position == bytes.count }

  mutating func byte() throws(ColumnError) -> UInt8 {
    guard position < bytes.count else { throw .truncated(offset: position) }
    defer { position += 1 }
    return bytes[position]
  }

  /// Reads an unsigned number.
  mutating func unsigned() throws(ColumnError) -> UInt64 {
    var value: UInt64 = 0
    var shift: UInt64 = 0
    while true {
      let next = try byte()
      guard shift < 63 || next <= 1 else { throw .unexpected(offset: position) }
      value |= UInt64(next & 0x7F) << shift
      if next < 0x80 { return value }
      shift += 7
    }
  }

  /// Reads a number of elements, which is bounded by the bytes that each takes at least.
  mutating func count(bytesEach: Int = 1) throws(ColumnError) -> Int {
    let start = position
    let value = try unsigned()
    guard value <= UInt64((bytes.count - position) / max(1, bytesEach)) else { throw .truncated(offset: start) }
    return Int(value)
  }

  /// Reads a signed number.
  mutating func integer() throws(ColumnError) -> Int {
    let value = try unsigned()
    return Int(bitPattern: UInt(value >> 1)) ^ -Int(value & 1)
  }

  /// Reads a signed number that must fit a smaller type.
  mutating func integer<Number: FixedWidthInteger>(as type: Number.Type) throws(ColumnError) -> Number {
    let start = position
    guard let number = Number(exactly: try integer()) else { throw .unexpected(offset: start) }
    return number
  }

  /// Reads a floating-point number.
  mutating func number() throws(ColumnError) -> Double {
    guard bytes.count - position >= 8 else { throw .truncated(offset: position) }
    var bits: UInt64 = 0
    for index in 0..<8 { bits |= UInt64(bytes[position + index]) << UInt64(8 * index) }
    position += 8
    return Double(bitPattern: bits)
  }

  mutating func text() throws(ColumnError) -> String {
    let count = try count()
    defer { position += count }
    return String(decoding: bytes[position..<position + count], as: UTF8.self)
  }

  mutating func optionalNumber() throws(ColumnError) -> Double? {
    try byte() == 0 ? nil : try number()
  }

  /// Reads a list of texts.
  mutating func texts() throws(ColumnError) -> [String] {
    var values: [String] = []
    for _ in 0..<(try count()) { values.append(try text()) }
    return values
  }

  mutating func list<Element: ColumnCodable>(_ type: Element.Type) throws(ColumnError) -> [Element] {
    let count = try count()
    var values: [Element] = []
    values.reserveCapacity(min(count, 65_536))
    for _ in 0..<count { values.append(try Element(from: &self)) }
    return values
  }
}

// MARK: Columns

extension ColumnDecoder {
  /// Reads a column stored as differences.
  ///
  /// - Parameter count: the number of rows; each takes at least a byte.
  mutating func differences(_ count: Int) throws(ColumnError) -> [Int] {
    guard count <= bytes.count - position else { throw .truncated(offset: position) }
    var failure: Int?
    var offset = position
    let values = bytes.withUnsafeBufferPointer { source in
      [Int](unsafeUninitializedCapacity: count) { target, initialized in
        var last = 0
        for row in 0..<count {
          guard let step = Self.integer(source, &offset) else {
            failure = offset
            return
          }
          last = last &+ step
          (target.baseAddress.map { $0 + row })?.initialize(to: last)
          initialized = row + 1
        }
      }
    }
    position = offset
    if let failure { throw .truncated(offset: failure) }
    return values
  }

  /// Reads one signed number; returns nil if it ends early or is too long.
  @inline(__always)
  private static func integer(_ source: UnsafeBufferPointer<UInt8>, _ offset: inout Int) -> Int? {
    var value: UInt64 = 0
    var shift: UInt64 = 0
    while offset < source.count, shift <= 63 {
      let next = source[offset]
      offset += 1
      value |= UInt64(next & 0x7F) << shift
      if next < 0x80 { return Int(bitPattern: UInt(value >> 1)) ^ -Int(value & 1) }
      shift += 7
    }
    return nil
  }

  /// Reads a column stored as runs.
  ///
  /// - Parameter count: the number of rows; more in the runs is an error.
  mutating func runs<Number: FixedWidthInteger>(
    _ count: Int, as type: Number.Type
  ) throws(ColumnError) -> [Number] {
    var values: [Number] = []
    // Runs can be short for long columns: this bounds the memory that a damaged count could reserve.
    values.reserveCapacity(min(count, 1 << 20))
    while values.count < count {
      let value = try integer(as: type)
      let length = try unsigned()
      guard length > 0, length <= UInt64(count - values.count) else { throw .unexpected(offset: position) }
      values.append(contentsOf: repeatElement(value, count: Int(length)))
    }
    return values
  }

  /// Reads a column of decimal numbers.
  mutating func decimals(_ count: Int) throws(ColumnError) -> [Double] {
    let start = position
    let decimals = try byte()
    if decimals == ColumnScale.bytes {
      guard count <= (bytes.count - position) / 8 else { throw .truncated(offset: position) }
      var values: [Double] = []
      values.reserveCapacity(count)
      for _ in 0..<count { values.append(try number()) }
      return values
    }
    guard Int(decimals) < ColumnScale.factors.count else { throw .unexpected(offset: start) }
    let factor = ColumnScale.factors[Int(decimals)]
    return try differences(count).map { Double($0) / factor }
  }
}

/// An error in stored bytes.
enum ColumnError: Error, Equatable {
  /// The bytes end early, at this offset.
  case truncated(offset: Int)
  /// A value at this offset is out of its range.
  case unexpected(offset: Int)
}
