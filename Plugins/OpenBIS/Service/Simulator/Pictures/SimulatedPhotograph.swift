extension SimulatedPictures {
  /// Returns a photograph of spots: a gray JPEG whose squares of 8 × 8 pixels each have one shade.
  ///
  /// - Source: ITU-T T.81 (1992), baseline process; the table of codes is the standard's K.3.
  static func jpeg(_ seed: UInt64, columns: Int = 20, rows: Int = 15) -> [UInt8] {
    var chance = SimulatedChance(seed, 61)
    var file: [UInt8] = [0xFF, 0xD8, 0xFF, 0xE0, 0, 16] + Array("JFIF".utf8) + [0, 1, 1, 0, 0, 1, 0, 1, 0, 0]
    file += [0xFF, 0xDB, 0, 67, 0] + [UInt8](repeating: 8, count: 64)
    file += [0xFF, 0xC0, 0, 11, 8] + word(rows * 8) + word(columns * 8) + [1, 1, 0x11, 0]
    file += [0xFF, 0xC4, 0, 31, 0x00, 0, 1, 5, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0] + (0...11).map { UInt8($0) }
    // Of the other coefficients there is only the code for the end of the block.
    file += [0xFF, 0xC4, 0, 20, 0x10, 1] + [UInt8](repeating: 0, count: 15) + [0]
    file += [0xFF, 0xDA, 0, 8, 1, 1, 0, 0, 63, 0]
    var bits = Bits()
    var last = 0
    let spots = (0..<6).map { _ in (x: chance.below(columns), y: chance.below(rows), light: chance.below(120)) }
    for row in 0..<rows {
      for column in 0..<columns {
        var shade = -90
        for spot in spots {
          let (x, y) = (spot.x - column, spot.y - row)
          shade += (60 + spot.light) / (1 + x * x + y * y)
        }
        let level = min(120, shade)
        bits.addDifference(level - last)
        last = level
        bits.add(0, count: 1)
      }
    }
    return file + bits.finished + [0xFF, 0xD9]
  }

  private static func word(_ number: Int) -> [UInt8] { [UInt8(number >> 8), UInt8(number & 255)] }

  /// The bits of a scan.
  private struct Bits {
    private var bytes: [UInt8] = []
    private var rest = 0
    private var count = 0
    /// The codes of sizes 0 … 11, derived from the table above.
    private static let codes = [
      (0b00, 2), (0b010, 3), (0b011, 3), (0b100, 3), (0b101, 3), (0b110, 3), (0b1110, 4), (0b1_1110, 5),
      (0b11_1110, 6), (0b111_1110, 7), (0b1111_1110, 8), (0b1_1111_1110, 9),
    ]

    mutating func add(_ value: Int, count more: Int) {
      for place in (0..<more).reversed() {
        rest = rest << 1 | value >> place & 1
        count += 1
        if count == 8 {
          bytes.append(UInt8(rest))
          if rest == 255 { bytes.append(0) }
          (rest, count) = (0, 0)
        }
      }
    }

    mutating func addDifference(_ difference: Int) {
      let size = Int.bitWidth - difference.magnitude.leadingZeroBitCount
      let (code, length) = Self.codes[size]
      add(code, count: length)
      if size > 0 { add(difference > 0 ? difference : difference + (1 << size) - 1, count: size) }
    }

    var finished: [UInt8] {
      var whole = self
      if whole.count > 0 { whole.add((1 << (8 - whole.count)) - 1, count: 8 - whole.count) }
      return whole.bytes
    }
  }
}
