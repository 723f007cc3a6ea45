/// Finds the values of a loop's rows without going through the tokenizer byte by byte.
///
/// Where values begin and end is told for a window of the file at once, from the changes between blanks and other bytes. Rows
/// with anything that only the tokenizer can tell (comments, text fields, quotes with blanks inside, keywords, the end of the
/// loop) are left to it.
/// - Source: the way from bytes to bits to places is that of G. Langdale and D. Lemire, "Parsing gigabytes of JSON per second",
///   The VLDB Journal 28 (2019).
struct CIFRowScanner {
  /// How many bytes are looked at together; a row longer than that goes through the tokenizer.
  ///
  /// Most loops have few rows, so that their first window is small.
  private static let largestWindow = 4096
  private static let firstWindow = 256
  /// What the first byte of a value may mean.
  private static let quote: UInt8 = 1
  private static let other: UInt8 = 2
  private static let keyword: UInt8 = 4

  private let base: UnsafePointer<UInt8>
  private let fileCount: Int
  private var memory: Memory
  /// Where values begin and end in the window, in turns.
  private var edges: UnsafeMutablePointer<UInt16>
  private var values: UnsafeMutablePointer<CIFValue>
  private var meanings: UnsafeMutablePointer<UInt8>
  private var width = 0
  private var window = 0
  private var windowStart = 0
  private var edgeCount = 0
  private var cursor = 0
  /// Where the next row begins: after the last value of the row before.
  private(set) var offset = 0

  /// Creates a scanner of a file.
  init(_ base: UnsafePointer<UInt8>, fileCount: Int) {
    self.base = base
    self.fileCount = fileCount
    memory = Memory(edges: Self.largestWindow + 64, values: 64)
    edges = memory.edges
    values = memory.values
    meanings = memory.meanings
  }

  /// Begins a loop with rows of so many values at a place in the file.
  mutating func begin(width: Int, at offset: Int) {
    if width > memory.valueCount {
      memory = Memory(edges: Self.largestWindow + 64, values: width)
      edges = memory.edges
      values = memory.values
      meanings = memory.meanings
    }
    self.width = width
    window = Self.firstWindow
    move(to: offset)
  }

  /// Goes on from another place.
  mutating func move(to offset: Int) {
    self.offset = offset
    edgeCount = 0
    cursor = 0
  }

  /// The values of the next row, valid until the next call; nil when the tokenizer has to read it.
  @inline(__always)
  mutating func next() -> UnsafePointer<CIFValue>? {
    if edgeCount - cursor < 2 * width, !scanForRow() { return nil }
    let row = edges + cursor
    var found: UInt8 = 0
    for column in 0..<width {
      let start = windowStart &+ Int(row[2 &* column])
      let count = Int(row[2 &* column &+ 1]) &- Int(row[2 &* column])
      let meaning = meanings[Int(base[start])]
      // No keyword has less than five letters.
      found |= count >= 5 ? meaning : meaning & ~Self.keyword
      values[column] = CIFValue(start: start, count: Int32(truncatingIfNeeded: count), isQuoted: false)
    }
    if found != 0, found != Self.quote || !unquote() { return nil }
    cursor += 2 * width
    offset = windowStart + Int(row[2 * width - 1])
    return UnsafePointer(values)
  }

  /// Takes the quotes off values; false if one does not end within its value.
  @inline(never)
  private func unquote() -> Bool {
    for column in 0..<width {
      let value = values[column]
      let first = base[value.start]
      guard meanings[Int(first)] & Self.quote != 0 else { continue }
      guard value.count >= 2, base[value.start + Int(value.count) - 1] == first else { return false }
      values[column] = CIFValue(start: value.start + 1, count: value.count - 2, isQuoted: true)
    }
    return true
  }

  /// Finds the edges of windows that begin at the next row until one has the whole row; false if none has.
  @inline(never)
  private mutating func scanForRow() -> Bool {
    while true {
      scan()
      if edgeCount >= 2 * width { return true }
      if window == Self.largestWindow || offset + window >= fileCount { return false }
    }
  }

  private mutating func scan() {
    window = min(2 * window, Self.largestWindow)
    windowStart = offset
    cursor = 0
    let count = min(window, fileCount - offset)
    let start = base + offset
    var found = Edges()
    var block = 0
    while block + 64 <= count {
      found.add(Self.valueBytes(start + block), at: block, to: edges)
      block += 64
    }
    if block < count {
      var mask: UInt64 = 0
      for place in block..<count where start[place] > 32 { mask |= 1 << UInt64(place - block) }
      found.add(mask, at: block, to: edges)
    }
    // The end of the file ends its last value, unless the last block did so.
    if found.carry == 1, offset + count == fileCount { found.end(at: count, edges) }
    edgeCount = 2 * found.ends
  }

  /// The bits of 64 bytes that are part of a value: those above 32.
  @inline(__always)
  private static func valueBytes(_ start: UnsafePointer<UInt8>) -> UInt64 {
    var mask: UInt64 = 0
    for part in 0..<8 {
      let word = DecimalWord.load(start + 8 * part)
      // Bytes from 33 on reach the highest bit when 95 is added to their lower seven bits, or have it already.
      let high = ((word & 0x7F7F_7F7F_7F7F_7F7F) &+ 0x5F5F_5F5F_5F5F_5F5F | word) & 0x8080_8080_8080_8080
      // The multiplication brings the eight highest bits together in the highest byte.
      let bits = (high >> 7 &* 0x0102_0408_1020_4080) & 0xFF00_0000_0000_0000
      mask = mask >> 8 | bits
    }
    return mask
  }

  /// How many values of a window were found to begin and to end.
  private struct Edges {
    var starts = 0
    var ends = 0
    /// Whether the byte before is part of a value, as the lowest bit; before the window it is not.
    var carry: UInt64 = 0

    /// Writes down where values begin and end in a block; both in one go, since they come in turns.
    @inline(__always)
    mutating func add(_ mask: UInt64, at block: Int, to edges: UnsafeMutablePointer<UInt16>) {
      let before = mask << 1 | carry
      var (first, last) = (mask & ~before, before & ~mask)
      carry = mask >> 63
      // Four at a time: how often it goes round is then nearly the same for all blocks of a loop.
      while first | last != 0 {
        step(&first, &last, block, edges)
        step(&first, &last, block, edges)
        step(&first, &last, block, edges)
        step(&first, &last, block, edges)
      }
    }

    /// Writes down the next beginning and the next end, where there are any; else the place stays free.
    @inline(__always)
    private mutating func step(
      _ first: inout UInt64, _ last: inout UInt64, _ block: Int, _ edges: UnsafeMutablePointer<UInt16>
    ) {
      edges[2 &* starts] = UInt16(truncatingIfNeeded: block &+ first.trailingZeroBitCount)
      edges[2 &* ends &+ 1] = UInt16(truncatingIfNeeded: block &+ last.trailingZeroBitCount)
      starts &+= first == 0 ? 0 : 1
      ends &+= last == 0 ? 0 : 1
      first &= first &- 1
      last &= last &- 1
    }

    /// Writes down that a value ends.
    mutating func end(at place: Int, _ edges: UnsafeMutablePointer<UInt16>) {
      edges[2 * ends + 1] = UInt16(truncatingIfNeeded: place)
      ends += 1
    }
  }

  /// Memory that is given back with its last owner.
  private final class Memory {
    let edges: UnsafeMutablePointer<UInt16>
    let values: UnsafeMutablePointer<CIFValue>
    let meanings: UnsafeMutablePointer<UInt8>
    let valueCount: Int

    init(edges edgeCount: Int, values valueCount: Int) {
      self.valueCount = valueCount
      edges = .allocate(capacity: edgeCount)
      values = .allocate(capacity: valueCount)
      meanings = .allocate(capacity: 256)
      meanings.initialize(repeating: 0, count: 256)
      for byte in [UInt8(ascii: "'"), UInt8(ascii: "\"")] { meanings[Int(byte)] = CIFRowScanner.quote }
      for byte in "_#;".utf8 { meanings[Int(byte)] = CIFRowScanner.other }
      for byte in "dgls".utf8 {
        meanings[Int(byte)] = CIFRowScanner.keyword
        meanings[Int(byte) - 32] = CIFRowScanner.keyword
      }
    }

    deinit {
      edges.deallocate()
      values.deallocate()
      meanings.deallocate()
    }
  }
}
