/// The codes of a Huffman table as JPEG has them: of each length the codes are consecutive.
///
/// - Source: ITU-T T.81, annex C and figure F.16.
struct WSQHuffmanTable {
  /// By the length of codes minus 1: the first code after the last one, and the offset from a code to its index in
  /// `symbols`.
  private var ends: [Int] = []
  private var offsets: [Int] = []
  private let symbols: [UInt8]

  /// - Parameters:
  ///   - counts: The number of codes of each length from 1 to 16.
  ///   - symbols: The symbols of the codes, shortest code first.
  /// - Returns: Nil if the codes would be ambiguous.
  init?(_ counts: [Int], _ symbols: [UInt8]) {
    self.symbols = symbols
    var (code, place) = (0, 0)
    for (index, count) in counts.enumerated() {
      offsets.append(place - code)
      code += count
      place += count
      ends.append(code)
      guard code <= 1 << (index + 1) else { return nil }
      code <<= 1
    }
  }

  /// Returns the symbol of a code; nil if there is none of this length.
  func symbol(_ code: Int, length: Int) -> UInt8? {
    guard code < ends[length - 1] else { return nil }
    let place = code + offsets[length - 1]
    return place >= 0 ? symbols[place] : nil
  }
}

/// Decodes the entropy-coded data of one block.
///
/// - Source: IAFIS-IC-0110 (V3), annex A, table of the symbols: runs of zeros from 1 to 100, escapes from 101 to 106, and
///   values from -73 to 74 at 107 to 254.
struct WSQBlockDecoder {
  private let bytes: [UInt8]
  private var offset: Int
  private let table: WSQHuffmanTable
  /// The most coefficients of the block.
  private let limit: Int
  private var (buffer, bitCount) = (0, 0)

  init(_ bytes: [UInt8], from offset: Int, _ table: WSQHuffmanTable, limit: Int) {
    (self.bytes, self.offset, self.table, self.limit) = (bytes, offset, table, limit)
  }

  /// Appends the coefficients up to the next marker.
  ///
  /// - Returns: The offset of the marker, in bytes.
  mutating func decode(into coefficients: inout [Int32]) throws(WSQError) -> Int {
    let most = coefficients.count + limit
    while let symbol = try symbol() {
      var run = 0
      switch symbol {
      case 1...100: run = Int(symbol)
      case 101: coefficients.append(Int32(try number(8)))
      case 102: coefficients.append(-Int32(try number(8)))
      case 103: coefficients.append(Int32(try number(16)))
      case 104: coefficients.append(-Int32(try number(16)))
      case 105: run = try number(8)
      case 106: run = try number(16)
      case 107...254: coefficients.append(Int32(symbol) - 180)
      default: throw .damaged(reason: "a code of no meaning before byte \(offset)")
      }
      guard coefficients.count + run <= most else {
        throw .damaged(reason: "it has more coefficients than pixels")
      }
      for _ in 0..<run { coefficients.append(0) }
    }
    return offset
  }

  /// Returns the next symbol; nil at a marker, before which the last byte is padded.
  private mutating func symbol() throws(WSQError) -> UInt8? {
    var code = 0
    for length in 1...16 {
      guard let bit = try bit() else { return nil }
      code = code << 1 | bit
      if let symbol = table.symbol(code, length: length) { return symbol }
    }
    throw .damaged(reason: "no code of its table before byte \(offset)")
  }

  private mutating func number(_ bits: Int) throws(WSQError) -> Int {
    var value = 0
    for _ in 0..<bits {
      guard let bit = try bit() else { throw .damaged(reason: "a block ends within a number, at byte \(offset)") }
      value = value << 1 | bit
    }
    return value
  }

  /// Returns the next bit; nil at a marker.
  private mutating func bit() throws(WSQError) -> Int? {
    while bitCount == 0 {
      guard offset < bytes.count else {
        throw .truncated(reason: "it ends before its last marker, after \(bytes.count) bytes")
      }
      let byte = bytes[offset]
      if byte == 0xFF {
        guard offset + 1 < bytes.count else {
          throw .truncated(reason: "it ends before its last marker, after \(bytes.count) bytes")
        }
        // In data a zero follows each byte 255; restart markers occur between bytes of data.
        switch bytes[offset + 1] {
        case 0: break
        case 0xB0...0xB7:
          offset += 2
          continue
        default: return nil
        }
        offset += 1
      }
      offset += 1
      (buffer, bitCount) = (Int(byte), 8)
    }
    bitCount -= 1
    return buffer >> bitCount & 1
  }
}
