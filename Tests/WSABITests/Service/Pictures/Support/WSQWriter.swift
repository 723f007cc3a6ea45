/// A writer of WSQ files from the formulas of the specification, for tests of the decoder, with which it shares no
/// code.
///
/// - Source: FBI, "WSQ Gray-Scale Fingerprint Image Compression Specification" IAFIS-IC-0110 (V3); the filters are those
///   of its table of the 9-7 filter bank.
struct WSQWriter {
  /// Rows of numbers, all of the same length.
  typealias Plane = [[Double]]

  /// From the center on.
  static let lowPass = [
    0.852_698_679_009_403_44, 0.377_402_855_612_653_80, -0.110_624_404_418_423_42, -0.023_849_465_019_380_00,
    0.037_828_455_506_995_46,
  ]
  static let highPass = [
    0.788_485_616_405_664_39, -0.418_092_273_222_212_21, -0.040_689_417_609_558_44, 0.064_538_882_628_938_45,
  ]

  /// The bin width of all subbands.
  var binWidth = 1.0
  /// The comment before each block of data.
  var comment: [UInt8] = Array("PPI 500\n".utf8)
  /// True to write a restart marker into each block, after its first symbols.
  var restarts = false

  /// Returns a file of a picture; 60 of the 64 subbands are coded.
  ///
  /// - Parameter grays: Row by row, 0 black … 255 white.
  func file(_ grays: [UInt8], width: Int) -> [UInt8] {
    let plane = stride(from: 0, to: grays.count, by: width).map { row in
      grays[row..<row + width].map { Double($0) - 128 }
    }
    let bands = Self.bands(plane)
    var bytes: [UInt8] = [0xFF, 0xA0]
    bytes += Self.segment(0xA4, [9, 7] + (Self.lowPass + Self.highPass).flatMap(Self.tap))
    let coded = Self.fraction(binWidth) + Self.fraction(1.2 * binWidth)
    var quantization = Self.fraction(0.44)
    for band in 0..<64 { quantization += band < 60 ? coded : [0, 0, 0, 0, 0, 0] }
    bytes += Self.segment(0xA5, quantization)
    let size = Self.half(grays.count / width) + Self.half(width)
    bytes += Self.segment(0xA2, [0, 255] + size + Self.fraction(128) + Self.fraction(1) + [0, 0, 0])
    for (number, range) in [0..<19, 19..<52, 52..<60].enumerated() {
      let id = UInt8(number % 2)
      bytes += Self.segment(0xA8, comment) + Self.segment(0xA6, [id] + WSQSymbols.table)
      bytes += Self.segment(0xA3, [id])
      bytes += WSQSymbols.coded(range.flatMap { quantized(bands[$0]) }, restarts: restarts)
    }
    return bytes + [0xFF, 0xA1]
  }

  /// Returns the quantized coefficients, row by row.
  private func quantized(_ band: Plane) -> [Int] {
    band.flatMap { $0 }.map { value in
      let half = 0.6 * binWidth
      if abs(value) <= half { return 0 }
      let size = Int((abs(value) - half) / binWidth) + 1
      return value > 0 ? size : -size
    }
  }
}

// MARK: - Decomposition

extension WSQWriter {
  /// Returns the four quarters of a plane: low-pass halves first, unless an axis is turned.
  static func split(_ plane: Plane, _ turnsColumns: Bool = false, _ turnsRows: Bool = false) -> [Plane] {
    let rows = plane.map { line in halves(line, turnsColumns) }
    let left = transposed(rows.map(\.0)).map { halves($0, turnsRows) }
    let right = transposed(rows.map(\.1)).map { halves($0, turnsRows) }
    return [left.map(\.0), right.map(\.0), left.map(\.1), right.map(\.1)].map(transposed)
  }

  /// Splits each quarter according to its position: columns are turned on the right, rows below.
  private static func splitAll(_ quarters: [Plane]) -> [[Plane]] {
    quarters.enumerated().map { split($1, $0 % 2 == 1, $0 / 2 == 1) }
  }

  static func bands(_ image: Plane) -> [Plane] {
    let first = split(image)
    let second = split(first[0])
    let third = split(second[0])
    let fourth = splitAll(third)
    let fifth = split(fourth[0][0])
    var bands = fifth + fourth[0][1...]
    for quarter in fourth[1...] { bands += quarter }
    for quarter in splitAll(split(second[1], true, false)) { bands += quarter }
    for quarter in splitAll(split(second[2], false, true)) { bands += quarter }
    bands.append(second[3])
    bands += split(first[1], true, false)
    bands += split(first[2], false, true)
    return bands
  }

  private static func transposed(_ plane: Plane) -> Plane {
    guard let first = plane.first else { return [] }
    return first.indices.map { column in plane.map { $0[column] } }
  }

  /// Returns low-pass samples of even indices and high-pass samples of odd ones; the first half first.
  private static func halves(_ line: [Double], _ isTurned: Bool) -> ([Double], [Double]) {
    func at(_ place: Int) -> Double {
      var place = place
      let last = line.count - 1
      while place < 0 || place > last { place = place < 0 ? -place : 2 * last - place }
      return line[place]
    }
    func filtered(_ place: Int, _ taps: [Double]) -> Double {
      taps.enumerated().reduce(0) { sum, tap in
        sum + tap.element * (tap.offset == 0 ? at(place) : at(place - tap.offset) + at(place + tap.offset))
      }
    }
    let low = stride(from: 0, to: line.count, by: 2).map { filtered($0, lowPass) }
    let high = stride(from: 1, to: line.count, by: 2).map { filtered($0, highPass) }
    return isTurned ? (high, low) : (low, high)
  }
}

// MARK: - Segments

extension WSQWriter {
  static func half(_ number: Int) -> [UInt8] { [UInt8(number >> 8 & 255), UInt8(number & 255)] }

  static func segment(_ marker: UInt8, _ data: [UInt8]) -> [UInt8] { [0xFF, marker] + half(data.count + 2) + data }

  /// Returns an exponent and two bytes.
  static func fraction(_ value: Double) -> [UInt8] {
    var (exponent, number) = (0, value)
    while number * 10 < 65_535, exponent < 9 { (exponent, number) = (exponent + 1, number * 10) }
    return [UInt8(exponent)] + half(Int(number.rounded()))
  }

  /// Returns a sign, an exponent and four bytes.
  private static func tap(_ value: Double) -> [UInt8] {
    let number = Int((abs(value) * 1e9).rounded())
    return [value < 0 ? 1 : 0, 9] + half(number >> 16) + half(number)
  }
}

/// The symbols of coefficients, in a code of 3 bits for three of them and of 9 bits for all others.
enum WSQSymbols {
  private static let short: [UInt8] = [1, 179, 181]
  private static let long = (UInt8(2)...254).filter { !short.contains($0) }

  /// The counts of codes by length, and the symbols.
  static var table: [UInt8] {
    (1...16).map { $0 == 3 ? UInt8(short.count) : $0 == 9 ? UInt8(long.count) : 0 } + short + long
  }

  static func coded(_ coefficients: [Int], restarts: Bool) -> [UInt8] {
    var bits: [Bool] = []
    func put(_ number: Int, _ count: Int) { for bit in (0..<count).reversed() { bits.append(number >> bit & 1 == 1) } }
    func put(symbol: Int) {
      let symbol = UInt8(symbol)
      if let place = short.firstIndex(of: symbol) { return put(place, 3) }
      put(short.count << 6 + (long.firstIndex(of: symbol) ?? 0), 9)
    }
    var run = 0
    func endRun() {
      while run > 0 {
        let part = min(run, 65_535)
        switch part {
        case ...100: put(symbol: part)
        case ...255:
          put(symbol: 105)
          put(part, 8)
        default:
          put(symbol: 106)
          put(part, 16)
        }
        run -= part
      }
    }
    for value in coefficients {
      if value == 0 {
        run += 1
        continue
      }
      endRun()
      switch value {
      case -73...74: put(symbol: value + 180)
      case -255...255:
        put(symbol: value > 0 ? 101 : 102)
        put(abs(value), 8)
      default:
        put(symbol: value > 0 ? 103 : 104)
        put(abs(value), 16)
      }
    }
    endRun()
    return bytes(bits, restarts: restarts)
  }

  /// Returns bits as bytes, the last padded with ones; a zero follows each byte 255.
  private static func bytes(_ bits: [Bool], restarts: Bool) -> [UInt8] {
    var bytes: [UInt8] = []
    for start in stride(from: 0, to: bits.count, by: 8) {
      let byte = (0..<8).reduce(UInt8(0)) { byte, place in
        byte << 1 | (start + place < bits.count ? (bits[start + place] ? 1 : 0) : 1)
      }
      bytes += byte == 0xFF ? [byte, 0] : [byte]
      if restarts, start == 8 { bytes += [0xFF, 0xB0] }
    }
    return bytes
  }
}
