import PluginAPI
import PluginImages

/// Pictures of a simulated lab: molecules as discs, gels as bands, plasmids as rings; the same for the same seed.
enum SimulatedPictures {
  /// Returns a molecule: discs joined by bars.
  static func png(_ seed: UInt64, side: Int = 160) -> [UInt8] {
    var chance = SimulatedChance(seed, 31)
    var picture = Picture(width: side, height: side)
    fill(&picture, (250, 250, 252))
    let atoms = (0..<(5 + chance.below(6))).map { _ in
      (x: side / 6 + chance.below(side * 2 / 3), y: side / 6 + chance.below(side * 2 / 3))
    }
    for (one, other) in zip(atoms, atoms.dropFirst()) {
      for step in 0...side {
        let x = one.x + (other.x - one.x) * step / side
        let y = one.y + (other.y - one.y) * step / side
        disc(&picture, x, y, max(1, side / 60), (110, 110, 120))
      }
    }
    let colors: [(UInt8, UInt8, UInt8)] = [(60, 60, 70), (200, 50, 50), (50, 80, 200), (220, 180, 40)]
    for atom in atoms { disc(&picture, atom.x, atom.y, max(2, side / 14), chance.pick(colors)) }
    return bytes(picture)
  }

  /// Returns a gel: lanes of bands.
  static func gel(_ seed: UInt64, width: Int = 240, height: Int = 160) -> [UInt8] {
    var chance = SimulatedChance(seed, 47)
    var picture = Picture(width: width, height: height)
    fill(&picture, (36, 38, 44))
    let lanes = 8
    for lane in 0..<lanes {
      for _ in 0..<(2 + chance.below(5)) {
        let light = UInt8(120 + chance.below(130))
        let top = 10 + chance.below(height - 20)
        let left = lane * width / lanes + 4
        for y in top..<(top + 3) {
          for x in left..<(left + width / lanes - 8) { set(&picture, x, y, (light, light, light)) }
        }
      }
    }
    return bytes(picture)
  }

  /// Returns a map of a plasmid.
  static func svg(_ seed: UInt64) -> [UInt8] {
    var chance = SimulatedChance(seed, 53)
    let colors = ["#c0392b", "#2980b9", "#27ae60", "#f39c12", "#8e44ad"]
    var text = """
      <svg xmlns="http://www.w3.org/2000/svg" width="200" height="200" viewBox="0 0 200 200">
      <circle cx="100" cy="100" r="70" fill="none" stroke="#333333" stroke-width="3"/>

      """
    for index in 0..<(3 + chance.below(4)) {
      let (x, y) = (20 + chance.below(150), 20 + chance.below(150))
      let color = colors[index % colors.count]
      text += "<rect x=\"\(x)\" y=\"\(y)\" width=\"\(14 + chance.below(20))\" height=\"10\" fill=\"\(color)\"/>\n"
    }
    text += "<text x=\"100\" y=\"104\" font-size=\"14\" text-anchor=\"middle\">p\(seed % 1000)</text>\n</svg>\n"
    return Array(text.utf8)
  }

  private static func bytes(_ picture: Picture) -> [UInt8] {
    // A picture with pixels can always be encoded.
    (try? PNGWriter.bytes(of: picture, compressionLevel: 3)) ?? []
  }

  private static func fill(_ picture: inout Picture, _ color: (UInt8, UInt8, UInt8)) {
    var pixels = [UInt8](repeating: 255, count: picture.width * picture.height * 4)
    for index in stride(from: 0, to: pixels.count, by: 4) {
      (pixels[index], pixels[index + 1], pixels[index + 2]) = color
    }
    picture.pixels = pixels
  }

  private static func disc(
    _ picture: inout Picture, _ x: Int, _ y: Int, _ radius: Int, _ color: (UInt8, UInt8, UInt8)
  ) {
    for row in -radius...radius {
      for column in -radius...radius where row * row + column * column <= radius * radius {
        set(&picture, x + column, y + row, color)
      }
    }
  }

  private static func set(_ picture: inout Picture, _ x: Int, _ y: Int, _ color: (UInt8, UInt8, UInt8)) {
    guard (0..<picture.width).contains(x), (0..<picture.height).contains(y) else { return }
    let offset = (y * picture.width + x) * 4
    (picture.pixels[offset], picture.pixels[offset + 1], picture.pixels[offset + 2]) = color
  }
}

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
    private var pending = 0
    private var count = 0
    /// The codes of sizes 0 … 11, derived from the table above.
    private static let codes = [
      (0b00, 2), (0b010, 3), (0b011, 3), (0b100, 3), (0b101, 3), (0b110, 3), (0b1110, 4), (0b1_1110, 5),
      (0b11_1110, 6), (0b111_1110, 7), (0b1111_1110, 8), (0b1_1111_1110, 9),
    ]

    mutating func add(_ value: Int, count more: Int) {
      for bit in (0..<more).reversed() {
        pending = pending << 1 | value >> bit & 1
        count += 1
        if count == 8 {
          bytes.append(UInt8(pending))
          if pending == 255 { bytes.append(0) }
          (pending, count) = (0, 0)
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
