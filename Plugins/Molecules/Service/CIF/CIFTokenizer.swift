import Glibc
import PluginText

/// A token of a CIF file: its kind and the range of its text, without quotes.
struct CIFToken {
  enum Kind: UInt8 {
    case end, data, loop, save, global, stop, tag
    /// An unquoted value; `.` and `?` are missing values.
    case bare
    /// A quoted value or text field, which is always a value.
    case quoted

    var isValue: Bool { self == .bare || self == .quoted }
  }

  var kind: Kind
  var start: Int
  var count: Int

  /// The start, including its quote.
  var offset: Int { kind == .quoted ? start - 1 : start }
}

/// Splits a CIF file into tokens.
///
/// A quote closes only before whitespace; `#` begins a comment only at the start of a token; a text field begins with
/// `;` in the first column and ends with the next such `;`. Keywords are case-insensitive.
/// - Source: International Tables for Crystallography G (2005), 2.2; CIF 1.1 syntax, https://www.iucr.org/resources/cif/spec/version1.1
struct CIFTokenizer {
  private let file: UnsafeBufferPointer<UInt8>
  private(set) var offset = 0
  private var countedOffset = 0
  private var countedLines = 1
  /// The start of the first quoted value that is not closed on its line.
  private(set) var unclosedQuote: Int?
  /// The start of a text field that is not closed.
  private(set) var unclosedField: Int?

  init(_ file: UnsafeBufferPointer<UInt8>) {
    self.file = file
    offset = file.withoutByteOrderMark.startIndex
  }

  /// Returns the line of an offset, 1-based, counting on or back from the last requested offset.
  mutating func line(at position: Int) -> Int {
    while countedOffset < position {
      if file[countedOffset] == 10 { countedLines += 1 }
      countedOffset += 1
    }
    while countedOffset > position {
      countedOffset -= 1
      if file[countedOffset] == 10 { countedLines -= 1 }
    }
    return countedLines
  }

  /// Returns the line and column of an offset.
  mutating func location(at position: Int) -> FilePlace {
    .text(line: line(at: position), column: FilePlace.column(of: position, in: file))
  }

  /// Returns to a token, so that it is read again.
  mutating func rewind(to token: CIFToken) {
    offset = token.offset
  }

  /// Continues at a different offset between tokens.
  mutating func move(to offset: Int) { self.offset = offset }

  /// Returns the next token; `.end` at the end of the file, repeatedly.
  @inline(__always)
  mutating func next() -> CIFToken {
    var position = offset
    let count = file.count
    while true {
      while position < count, file[position] <= 32 { position += 1 }
      guard position < count else {
        offset = count
        return CIFToken(kind: .end, start: count, count: 0)
      }
      guard file[position] == 35 else { break }
      while position < count, file[position] != 10 { position += 1 }
    }
    let first = file[position]
    if first == 39 || first == 34 { return quoted(position, first) }
    if first == 59, unclosedField == nil, position == 0 || file[position - 1] == 10 || file[position - 1] == 13 {
      return textField(position)
    }
    let start = position
    while position < count, file[position] > 32 { position += 1 }
    offset = position
    let kind: CIFToken.Kind
    switch first {
    // A chain may have the name '_', although it should be quoted.
    case 95: kind = position - start == 1 ? .bare : .tag
    case 68, 100, 71, 103, 76, 108, 83, 115:
      // All keywords except global_ have their underscore as the fifth character.
      let count = position - start
      let isCandidate = count >= 5 && (file[start + 4] == 95 || (count == 7 && file[start + 6] == 95))
      kind = isCandidate ? keyword(start, count) : .bare
    default: kind = .bare
    }
    return CIFToken(kind: kind, start: start, count: position - start)
  }

  @inline(never)
  private mutating func quoted(_ start: Int, _ quote: UInt8) -> CIFToken {
    var position = start + 1
    let count = file.count
    while position < count, file[position] != 10 {
      if file[position] == quote, position + 1 == count || file[position + 1] <= 32 {
        offset = position + 1
        return CIFToken(kind: .quoted, start: start + 1, count: position - start - 1)
      }
      position += 1
    }
    if unclosedQuote == nil { unclosedQuote = start }
    offset = position
    var end = position
    while end > start + 1, file[end - 1] <= 32 { end -= 1 }
    return CIFToken(kind: .quoted, start: start + 1, count: end - start - 1)
  }

  @inline(never)
  private mutating func textField(_ start: Int) -> CIFToken {
    var position = start + 1
    let count = file.count
    while position < count {
      guard file[position] == 10 else {
        position += 1
        continue
      }
      if position + 1 < count, file[position + 1] == 59 {
        offset = position + 2
        let end = position > start + 1 && file[position - 1] == 13 ? position - 1 : position
        return CIFToken(kind: .quoted, start: start + 1, count: end - start - 1)
      }
      position += 1
    }
    // No later text field can be closed either: this happens once per file. Only the line itself becomes the value, so
    // that one stray semicolon does not cost the rest of the file.
    unclosedField = start
    position = start + 1
    while position < count, file[position] != 10 { position += 1 }
    offset = position
    return CIFToken(kind: .quoted, start: start + 1, count: position - start - 1)
  }

  @inline(never)
  private func keyword(_ start: Int, _ count: Int) -> CIFToken.Kind {
    func begins(_ word: StaticString) -> Bool {
      guard count >= word.utf8CodeUnitCount else { return false }
      return (0..<word.utf8CodeUnitCount).allSatisfy { index in
        let byte = file[start + index]
        let folded = byte >= 65 && byte <= 90 ? byte | 32 : byte
        return folded == word.utf8Start[index]
      }
    }
    if begins("data_") { return .data }
    if count == 5, begins("loop_") { return .loop }
    if begins("save_") { return .save }
    if count == 7, begins("global_") { return .global }
    if count == 5, begins("stop_") { return .stop }
    return .bare
  }
}

/// Finds the values of a loop's rows without running the tokenizer byte by byte.
///
/// The starts and ends of values are found for a window of the file at once, from the changes between blanks and other
/// bytes. Rows with anything that only the tokenizer can read (comments, text fields, quotes with blanks inside,
/// keywords, the end of the loop) are left to it.
/// - Source: from bytes to bits to offsets as in G. Langdale and D. Lemire, "Parsing gigabytes of JSON per second",
///   The VLDB Journal 28 (2019).
struct CIFRowScanner {
  /// The largest number of bytes scanned together; a longer row goes through the tokenizer.
  ///
  /// Most loops have few rows, so their first window is small.
  private static let largestWindow = 4096
  private static let firstWindow = 256
  /// The possible meanings of the first byte of a value.
  private static let quote: UInt8 = 1
  private static let other: UInt8 = 2
  private static let keyword: UInt8 = 4

  private let base: UnsafePointer<UInt8>
  private let fileCount: Int
  private let memory = Memory(edges: Self.largestWindow + 64)
  /// The alternating starts and ends of values in the window, as in ``CIFRow``.
  private let edges: UnsafeMutablePointer<UInt32>
  private let meanings: UnsafeMutablePointer<UInt8>
  private var width = 0
  private var window = 0
  private var edgeCount = 0
  private var cursor = 0
  /// The meanings of first bytes to be examined in the window: every keyword contains an underscore.
  private var doubtful: UInt8 = 0
  /// The start of the next row: after the last value of the previous one.
  private(set) var offset = 0

  /// Creates a scanner of a file of at most 2 GiB.
  init(_ base: UnsafePointer<UInt8>, fileCount: Int) {
    self.base = base
    self.fileCount = fileCount
    edges = memory.edges
    meanings = memory.meanings
  }

  /// Begins a loop with rows of a number of values at an offset in the file.
  mutating func begin(width: Int, at offset: Int) {
    self.width = width
    self.offset = offset
    window = Self.firstWindow
    edgeCount = 0
    cursor = 0
  }

  /// Continues after a row read by the tokenizer.
  mutating func move(to offset: Int) {
    self.offset = offset
    while cursor < edgeCount, Int(edges[cursor + 1]) <= offset { cursor += 2 }
    // The scan of the window is still valid, unless the row ends within a value of it or after it.
    if cursor < edgeCount, Int(edges[cursor]) >= offset { return }
    edgeCount = 0
    cursor = 0
  }

  /// Returns the next row, valid until the next call; nil if the tokenizer has to read it.
  @inline(__always)
  mutating func next() -> CIFRow? {
    if edgeCount &- cursor < 2 &* width, !scanForRow() { return nil }
    let row = edges + cursor
    let end = Int(row[2 &* width &- 1])
    var found: UInt8 = 0
    for column in 0..<width { found |= meanings[Int(base[Int(row[2 &* column])])] }
    if found & doubtful != 0, !unquote(row) { return nil }
    cursor &+= 2 &* width
    offset = end
    return CIFRow(row)
  }

  /// Removes the quotes from the values of a row; returns false if only the tokenizer can read it.
  @inline(never)
  private func unquote(_ row: UnsafeMutablePointer<UInt32>) -> Bool {
    var quotes: UInt64 = 0
    for column in 0..<width {
      let start = Int(row[2 &* column])
      let meaning = meanings[Int(base[start])] & doubtful
      if meaning == 0 { continue }
      let count = Int(row[2 &* column &+ 1]) &- start
      if meaning == Self.quote {
        guard column < 64, count >= 2, base[start &+ count &- 1] == base[start] else { return false }
        quotes |= 1 &<< UInt64(truncatingIfNeeded: column)
      } else if meaning == Self.other || count >= 5 {
        // No keyword has fewer than five letters.
        return false
      }
    }
    while quotes != 0 {
      let column = quotes.trailingZeroBitCount
      row[2 &* column] = (row[2 &* column] &+ 1) | CIFRow.quoted
      row[2 &* column &+ 1] &-= 1
      quotes &= quotes &- 1
    }
    return true
  }

  /// Scans windows that begin at the next row until one contains the whole row; returns false if none does.
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
    cursor = 0
    let count = min(window, fileCount - offset)
    let start = base + offset
    var found = Edges(edges)
    var underscores: UInt64 = 0
    var block = 0
    while block + 64 <= count {
      found.add(Self.valueBytes(start + block, &underscores), at: UInt32(truncatingIfNeeded: offset &+ block))
      block += 64
    }
    var hasUnderscore = underscores & 0x8080_8080_8080_8080 != 0
    if block < count {
      var mask: UInt64 = 0
      for index in block..<count {
        if start[index] > 32 { mask |= 1 << UInt64(index - block) }
        if start[index] == 95 { hasUnderscore = true }
      }
      found.add(mask, at: UInt32(truncatingIfNeeded: offset + block))
    }
    // The end of the file ends its last value, unless the last block did.
    if found.carry == 1, offset + count == fileCount { found.end(at: UInt32(truncatingIfNeeded: fileCount)) }
    edgeCount = found.count & ~1
    doubtful = Self.quote | Self.other | (hasUnderscore ? Self.keyword : 0)
  }

  /// Returns a bit for each of 64 bytes that is part of a value: those above 32.
  ///
  /// - Parameter underscores: The highest bit of some byte is set if one of them is an underscore.
  @inline(__always)
  private static func valueBytes(_ start: UnsafePointer<UInt8>, _ underscores: inout UInt64) -> UInt64 {
    var bits: UInt64 = 0
    for part in 0..<8 {
      let word = DecimalWord.load(start + 8 &* part)
      // Adding 95 to the lower seven bits sets the highest bit of bytes from 33 on, unless it is set already.
      let high = (word & 0x7F7F_7F7F_7F7F_7F7F) &+ 0x5F5F_5F5F_5F5F_5F5F | word
      bits |= (high & 0x8080_8080_8080_8080) &>> UInt64(truncatingIfNeeded: 7 &- part)
      let others = word ^ 0x5F5F_5F5F_5F5F_5F5F
      underscores |= (others &- 0x0101_0101_0101_0101) & ~others
    }
    // The r-th bit of the k-th byte becomes that of the k-th byte of the r-th word.
    return transposed(bits)
  }

  /// Returns the transposed 8 × 8 bit matrix.
  ///
  /// - Source: H. S. Warren, Hacker's Delight, 2nd edition, section 7-3.
  @inline(__always)
  private static func transposed(_ rows: UInt64) -> UInt64 {
    let ones = (rows ^ rows >> 7) & 0x00AA_00AA_00AA_00AA
    let pairs = rows ^ ones ^ ones << 7
    let twos = (pairs ^ pairs >> 14) & 0x0000_CCCC_0000_CCCC
    let fours = pairs ^ twos ^ twos << 14
    let halves = (fours ^ fours >> 28) & 0x0000_0000_F0F0_F0F0
    return fours ^ halves ^ halves << 28
  }

  /// The alternating starts and ends of values in a window.
  private struct Edges {
    private let offsets: UnsafeMutablePointer<UInt32>
    private(set) var count = 0
    /// The lowest bit, set if the previous byte is part of a value; not set before the window.
    private(set) var carry: UInt64 = 0

    init(_ offsets: UnsafeMutablePointer<UInt32>) { self.offsets = offsets }

    /// Records the positions at which the bytes of a block change between values and blanks.
    @inline(__always)
    mutating func add(_ mask: UInt64, at block: UInt32) {
      var changes = mask ^ (mask << 1 | carry)
      carry = mask >> 63
      var next = offsets + count
      count &+= changes.nonzeroBitCount
      // Eight at a time, however many there are: the number of iterations is then nearly the same for all blocks of a
      // loop.
      while changes != 0 {
        for index in 0..<8 {
          // The highest bit changes no offset, but saves the processor a test for zero.
          next[index] = block &+ UInt32(truncatingIfNeeded: (changes | 1 << 63).trailingZeroBitCount)
          changes &= changes &- 1
        }
        next += 8
      }
    }

    /// Records the end of a value.
    mutating func end(at offset: UInt32) {
      offsets[count] = offset
      count += 1
    }
  }

  /// Memory that is deallocated with its last owner.
  private final class Memory {
    let edges: UnsafeMutablePointer<UInt32>
    let meanings: UnsafeMutablePointer<UInt8>

    init(edges edgeCount: Int) {
      edges = .allocate(capacity: edgeCount)
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
      meanings.deallocate()
    }
  }
}
