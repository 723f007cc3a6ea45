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
    for places in [3, 0, 2, 4, 5, 6] {
      guard let scaled = ColumnScale.scaled(values, places: places) else { continue }
      byte(UInt8(places))
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

  /// Returns the numbers times 10^places, or nil if one of them would not be restored exactly.
  static func scaled(_ values: [Double], places: Int) -> [Int]? {
    let factor = factors[places]
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
