/// A value of a CIF file by its range in the file; the file's memory must outlive its use.
struct CIFValue {
  var start: Int
  var count: Int32
  var isQuoted: Bool

  init(start: Int, count: Int32, isQuoted: Bool) {
    self.start = start
    self.count = count
    self.isQuoted = isQuoted
  }

  init(_ token: CIFToken) {
    start = token.start
    count = Int32(clamping: token.count)
    isQuoted = token.kind == .quoted
  }

  /// The start, including its quote.
  var offset: Int { isQuoted ? start - 1 : start }
}

/// The rows of one category, written in the file as a loop or as pairs.
///
/// Values are stored in eight bytes each, so that a category of short words does not take many times the memory of its
/// text.
struct CIFTable {
  private let file: UnsafeBufferPointer<UInt8>
  /// The hashes of the item names in the order of a row.
  private var columns: [UInt64] = []
  private var values: [Entry] = []
  private var width: Int { columns.count }

  /// A value of a file smaller than 4 GiB.
  private struct Entry {
    private let first: UInt32
    /// The count, with a flag for quotes in the lowest bit.
    private let bits: UInt32

    init(_ value: CIFValue) {
      first = UInt32(truncatingIfNeeded: value.start)
      bits = UInt32(truncatingIfNeeded: value.count) << 1 | (value.isQuoted ? 1 : 0)
    }

    var start: Int { Int(first) }
    /// The start in the file, including its quote.
    var offset: Int { isQuoted ? start - 1 : start }
    var count: Int { Int(bits >> 1) }
    var isQuoted: Bool { bits & 1 == 1 }
  }

  init(_ file: UnsafeBufferPointer<UInt8>) { self.file = file }

  /// The number of complete rows.
  var rowCount: Int { width == 0 ? 0 : values.count / width }

  /// Returns true if the category has an item of this name, in lower case without the category.
  func has(_ item: String) -> Bool { column(item) != nil }

  /// Adds the next item of a row, by the hash of its name; only while the first row is being read.
  mutating func addColumn(_ item: UInt64, value: CIFValue?) {
    columns.append(item)
    if let value { values.append(Entry(value)) }
  }

  /// Returns the column of an item in a row; nil if the category has no item of this name.
  func column(_ item: String) -> Int? { columns.firstIndex(of: CIFName.hash(item)) }

  /// Adds a row of a loop.
  mutating func append(row: CIFRow) {
    values.append(contentsOf: columns.indices.lazy.map { Entry(row[$0]) })
  }

  /// Adds complete rows, one after the other.
  mutating func append(rows: [CIFValue]) { values.append(contentsOf: rows.lazy.map(Entry.init)) }

  /// Returns the text of an item in a row; nil if the item is absent, unknown (`?`) or not applicable (`.`).
  ///
  /// Rows count from 0.
  func text(_ row: Int, _ item: String) -> String? {
    text(row, at: column(item))
  }

  /// Returns the text in a column of a row; nil if it is absent, unknown or not applicable.
  func text(_ row: Int, at column: Int?) -> String? {
    guard let column, row < rowCount else { return nil }
    let value = values[row * width + column]
    if isMissing(value) { return nil }
    return String(decoding: bytes(value), as: UTF8.self)
  }

  /// Returns the offset of a row's item in the file; nil if the category has no such item.
  func offset(_ row: Int, _ item: String) -> Int? {
    guard let column = column(item), row < rowCount else { return nil }
    return values[row * width + column].offset
  }

  /// Returns true if two rows have the same value in a column, or if there is no such column.
  func isSame(_ row: Int, _ other: Int, at column: Int?) -> Bool {
    guard let column, max(row, other) < rowCount else { return true }
    return bytes(values[row * width + column]).elementsEqual(bytes(values[other * width + column]))
  }

  private func bytes(_ value: Entry) -> UnsafeBufferPointer<UInt8> {
    UnsafeBufferPointer(rebasing: file[value.start..<value.start + value.count])
  }

  private func isMissing(_ value: Entry) -> Bool {
    !value.isQuoted && value.count == 1 && (file[value.start] == 46 || file[value.start] == 63)
  }

  /// Returns the first of several items that has a value in a row.
  func text(_ row: Int, _ items: [String]) -> String? {
    for item in items {
      if let found = text(row, item) { return found }
    }
    return nil
  }

  /// Returns the number of an item in a row, without its standard uncertainty; nil if missing or not a number.
  func number(_ row: Int, _ item: String) -> Double? {
    guard let column = column(item), row < rowCount, let base = file.baseAddress else { return nil }
    let value = values[row * width + column]
    return NumberText.number(base + value.start, value.count)
  }

  /// Returns the integer of an item in a row; nil if missing or not an integer.
  func integer(_ row: Int, _ item: String) -> Int? {
    integer(row, at: column(item))
  }

  /// Returns the integer in a column of a row; nil if missing or not an integer.
  func integer(_ row: Int, at column: Int?) -> Int? {
    guard let column, row < rowCount, let base = file.baseAddress else { return nil }
    let value = values[row * width + column]
    return NumberText.integer(base + value.start, value.count)
  }
}

/// The values of a row by their start and end in the file; valid only until the next row is read.
///
/// Most columns of most rows are never used: a value is created on demand.
struct CIFRow {
  /// The flag in the start of a quoted value; files are at most 2 GiB.
  static let quoted: UInt32 = 1 << 31

  private let edges: UnsafePointer<UInt32>

  /// Creates a row.
  ///
  /// - Parameter edges: For each value its start, with ``quoted`` for one in quotes, and its end.
  @inline(__always)
  init(_ edges: UnsafePointer<UInt32>) { self.edges = edges }

  /// Accesses the value in a column, 0-based.
  @inline(__always)
  subscript(column: Int) -> CIFValue {
    let first = edges[2 &* column]
    let start = first & ~Self.quoted
    let count = Int32(truncatingIfNeeded: edges[2 &* column &+ 1] &- start)
    return CIFValue(start: Int(start), count: count, isQuoted: first != start)
  }
}

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

/// Category and item names by a hash of their lower-case bytes, so that tags that are skipped need no string.
enum CIFName {
  /// The two parts of a tag.
  struct Tag {
    /// The hash of the category with its underscore.
    var category: UInt64
    /// The start of the item; the end of the tag if it has no dot.
    var itemStart: Int
    /// The hash of the item.
    var item: UInt64
  }

  /// The FNV-1a hash of an empty text.
  static let start: UInt64 = 0xCBF2_9CE4_8422_2325

  /// Returns the FNV-1a hash of a text in lower case.
  ///
  /// - Source: Fowler, Noll, Vo, http://www.isthe.com/chongo/tech/comp/fnv/
  static func hash(_ text: String) -> UInt64 {
    var text = text
    return text.withUTF8 { bytes in
      var hash = start
      for byte in bytes { hash = step(hash, byte) }
      return hash
    }
  }

  /// Splits a tag at its first dot; a tag without one is its own category.
  static func tag(_ file: UnsafeBufferPointer<UInt8>, _ token: CIFToken) -> Tag {
    let end = token.start + token.count
    var category = start
    var position = token.start
    while position < end, file[position] != 46 {
      category = step(category, lowered(file[position]))
      position += 1
    }
    let itemStart = min(position + 1, end)
    var item = start
    position = itemStart
    while position < end {
      item = step(item, lowered(file[position]))
      position += 1
    }
    return Tag(category: category, itemStart: itemStart, item: item)
  }

  @inline(__always)
  private static func lowered(_ byte: UInt8) -> UInt8 { byte >= 65 && byte <= 90 ? byte | 32 : byte }

  @inline(__always)
  private static func step(_ hash: UInt64, _ byte: UInt8) -> UInt64 { (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
}
