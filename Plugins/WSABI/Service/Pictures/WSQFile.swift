/// The tables and the quantized coefficients of a WSQ file.
///
/// - Source: FBI, "WSQ Gray-Scale Fingerprint Image Compression Specification" IAFIS-IC-0110 (V3), section 3 (compressed
///   data syntax) and annex A (Huffman coding).
struct WSQFile {
  private(set) var width = 0
  private(set) var height = 0
  /// The gray of a coefficient of zero.
  private(set) var shift: Float = 0
  private(set) var scale: Float = 1
  /// The low-pass analysis filter from its center on; it is symmetric, with an odd number of taps.
  private(set) var lowPass: [Float] = []
  /// The high-pass analysis filter from its center on.
  private(set) var highPass: [Float] = []
  /// The bin center C, from 0 to 1.
  private(set) var binCenter: Float = 0.44
  /// The bin widths Q of 64 subbands; 0 for a subband that is not coded.
  private(set) var binWidths: [Float] = []
  /// The widths Z of their bins around zero.
  private(set) var zeroBinWidths: [Float] = []
  /// The quantized coefficients of all coded subbands, one subband after the other, each row by row.
  private(set) var coefficients: [Int32] = []

  private let reader: BigEndianReader
  private var offset = 2
  private var tables: [Int: WSQHuffmanTable] = [:]

  private enum Marker {
    static let (start, end) = (0xA0, 0xA1)
    static let (frame, block) = (0xA2, 0xA3)
    static let (filters, quantization, huffman) = (0xA4, 0xA5, 0xA6)
    static let (restartInterval, comment) = (0xA7, 0xA8)
  }

  /// Reads a file.
  ///
  /// - Parameter mostPixels: The largest image for which room is made.
  /// - Throws: ``WSQError``.
  init(_ bytes: [UInt8], mostPixels: Int) throws(WSQError) {
    reader = BigEndianReader(bytes)
    guard reader.half(0) == 0xFF00 | Marker.start else { throw .damaged(reason: "its start marker is missing") }
    while true {
      let marker = try nextMarker()
      if marker == Marker.end { break }
      let (start, end) = try segment(of: marker)
      switch marker {
      case Marker.frame: try readFrame(start, end, mostPixels: mostPixels)
      case Marker.filters: try readFilters(start, end)
      case Marker.quantization: try readQuantization(start, end)
      case Marker.huffman: try readHuffmanTables(start, end)
      case Marker.block: try readBlock(start, end)
      // A restart marker in the data is skipped, however far it is from the one before.
      case Marker.restartInterval, Marker.comment: break
      default: throw .damaged(reason: "an unknown marker at byte \(offset)")
      }
    }
    guard width > 0 else { throw .damaged(reason: "its size is missing") }
    guard !lowPass.isEmpty else { throw .damaged(reason: "its filters are missing") }
    guard !binWidths.isEmpty else { throw .damaged(reason: "its quantization is missing") }
  }

  private mutating func nextMarker() throws(WSQError) -> Int {
    while reader.byte(offset) == 0xFF, reader.byte(offset + 1) == 0xFF { offset += 1 }
    guard let first = reader.byte(offset), let marker = reader.byte(offset + 1) else {
      throw .truncated(reason: "it ends before its last marker, after \(reader.bytes.count) bytes")
    }
    guard first == 0xFF else { throw .damaged(reason: "no marker at byte \(offset)") }
    offset += 2
    return marker
  }

  /// Returns the content of the segment at the offset, and advances the offset past it.
  private mutating func segment(of marker: Int) throws(WSQError) -> (start: Int, end: Int) {
    let start = offset + 2
    guard let length = reader.half(offset) else { throw .truncated(reason: "it ends in a table") }
    guard length >= 2 else { throw .damaged(reason: "a table of \(length) bytes at byte \(offset)") }
    guard offset + length <= reader.bytes.count else { throw .truncated(reason: "it ends in a table") }
    offset += length
    return (start, offset)
  }
}

// MARK: - Tables

extension WSQFile {
  /// Returns a number with a decimal exponent before it, as tables write fractions.
  ///
  /// - Parameter size: The bytes of the number, 2 or 4; the exponent has one.
  private func fraction(_ position: Int, before end: Int, size: Int = 2) throws(WSQError) -> Float {
    guard position + 1 + size <= end, let exponent = reader.byte(position),
      let number = size == 2 ? reader.half(position + 1) : reader.word(position + 1)
    else { throw .damaged(reason: "a table is too short") }
    var value = Double(number)
    for _ in 0..<exponent { value /= 10 }
    return Float(value)
  }

  private mutating func readFrame(_ start: Int, _ end: Int, mostPixels: Int) throws(WSQError) {
    guard width == 0 else { throw .damaged(reason: "it has two sizes") }
    guard end - start >= 15, let height = reader.half(start + 2), let width = reader.half(start + 4) else {
      throw .damaged(reason: "a table is too short")
    }
    guard width > 0, height > 0 else { throw .damaged(reason: "a size of \(width)×\(height)") }
    guard width * height <= mostPixels else {
      throw .unsupported(reason: "\(width)×\(height) pixels, more than \(mostPixels)")
    }
    (self.width, self.height) = (width, height)
    shift = try fraction(start + 6, before: end)
    scale = try fraction(start + 9, before: end)
  }

  private mutating func readFilters(_ start: Int, _ end: Int) throws(WSQError) {
    guard let lowTaps = reader.byte(start), let highTaps = reader.byte(start + 1) else {
      throw .damaged(reason: "a table is too short")
    }
    // Filters of an even number of taps have other symmetries; no encoder in use has them.
    guard lowTaps % 2 == 1, highTaps % 2 == 1, lowTaps <= 31, highTaps <= 31 else {
      throw .unsupported(reason: "filters of \(lowTaps) and \(highTaps) taps")
    }
    var position = start + 2
    lowPass = try halfFilter(lowTaps, &position, end)
    highPass = try halfFilter(highTaps, &position, end)
  }

  /// Returns the taps of a symmetric filter from its center on: sign, exponent, number.
  private func halfFilter(_ taps: Int, _ position: inout Int, _ end: Int) throws(WSQError) -> [Float] {
    var half: [Float] = []
    for _ in 0...taps / 2 {
      let value = try fraction(position + 1, before: end, size: 4)
      half.append(reader.byte(position) == 0 ? value : -value)
      position += 6
    }
    return half
  }

  private mutating func readQuantization(_ start: Int, _ end: Int) throws(WSQError) {
    binCenter = try fraction(start, before: end)
    binWidths = []
    zeroBinWidths = []
    for subband in 0..<64 {
      binWidths.append(try fraction(start + 3 + 6 * subband, before: end))
      zeroBinWidths.append(try fraction(start + 6 + 6 * subband, before: end))
    }
  }

  private mutating func readHuffmanTables(_ start: Int, _ end: Int) throws(WSQError) {
    var position = start
    while position < end {
      guard position + 17 <= end, let id = reader.byte(position) else { throw .damaged(reason: "a table is too short") }
      let counts = reader.bytes[(position + 1)..<(position + 17)].map { Int($0) }
      let symbols = counts.reduce(0, +)
      guard position + 17 + symbols <= end else { throw .damaged(reason: "a table is too short") }
      let table = WSQHuffmanTable(counts, Array(reader.bytes[(position + 17)..<(position + 17 + symbols)]))
      guard let table else { throw .damaged(reason: "a Huffman table has more codes than there are") }
      tables[id] = table
      position += 17 + symbols
    }
  }

  /// Reads the coefficients of a block up to the next marker.
  private mutating func readBlock(_ start: Int, _ end: Int) throws(WSQError) {
    guard width > 0, !binWidths.isEmpty else { throw .damaged(reason: "its data begins before its tables") }
    guard let id = reader.byte(start), let table = tables[id] else {
      throw .damaged(reason: "a block names a Huffman table that is missing")
    }
    var decoder = WSQBlockDecoder(reader.bytes, from: end, table, limit: width * height - coefficients.count)
    offset = try decoder.decode(into: &coefficients)
  }
}

/// The codes of a Huffman table as JPEG has them: of each length the codes are consecutive.
///
/// - Source: ITU-T T.81, annex C and figure F.16.
private struct WSQHuffmanTable {
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
    var (code, position) = (0, 0)
    for (index, count) in counts.enumerated() {
      offsets.append(position - code)
      code += count
      position += count
      ends.append(code)
      guard code <= 1 << (index + 1) else { return nil }
      code <<= 1
    }
  }

  /// Returns the symbol of a code; nil if there is none of this length.
  func symbol(_ code: Int, length: Int) -> UInt8? {
    guard code < ends[length - 1] else { return nil }
    let position = code + offsets[length - 1]
    return position >= 0 ? symbols[position] : nil
  }
}

/// Decodes the entropy-coded data of one block.
///
/// - Source: IAFIS-IC-0110 (V3), annex A, table of the symbols: runs of zeros from 1 to 100, escapes from 101 to 106, and
///   values from -73 to 74 at 107 to 254.
private struct WSQBlockDecoder {
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
      default: throw .damaged(reason: "an unexpected code before byte \(offset)")
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
    throw .damaged(reason: "an unknown code before byte \(offset)")
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

/// Errors of decoding a WSQ file.
enum WSQError: Error, Equatable {
  /// The file ends too early.
  case truncated(reason: String)
  /// The file breaks the rules of its format.
  case damaged(reason: String)
  /// The file uses a part of the format that is not decoded.
  case unsupported(reason: String)

  /// The cause as text.
  var reason: String {
    switch self {
    case .truncated(let reason), .damaged(let reason), .unsupported(let reason): reason
    }
  }
}
