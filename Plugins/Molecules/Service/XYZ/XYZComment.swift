import Glibc

/// The second line of an XYZ frame: running text, or the keys of the extended form.
///
/// - Source: extended XYZ, https://wiki.fysik.dtu.dk/ase/ase/io/formatoptions.html#extxyz
struct XYZComment {
  /// The title: the whole line, or the title key of the extended form.
  private(set) var title = ""
  /// The keys of the extended form in file order, except those represented elsewhere.
  private(set) var pairs: [Compound.Detail] = []
  private(set) var cell: UnitCell?
  /// The columns of element and position in an atom line, 0-based.
  private(set) var elementColumn = 0
  private(set) var positionColumn = 1

  init(_ line: TextLine) {
    let text = line.text
    let found = Self.pairs(text)
    guard Self.areExtended(found) else {
      title = text
      return
    }
    for pair in found {
      switch pair.token.lowercased() {
      case "lattice": cell = Self.cell(pair.value)
      case "properties": readProperties(pair.value)
      case "title", "name", "comment": if title.isEmpty { title = pair.value }
      default: pairs.append(pair)
      }
    }
  }

  /// Returns true if a text would be read as keys of the extended form.
  static func isExtended(_ text: String) -> Bool { areExtended(pairs(text)) }

  private static func areExtended(_ pairs: [Compound.Detail]) -> Bool {
    pairs.contains { ["lattice", "properties"].contains($0.token.lowercased()) }
  }

  /// Finds element and position among `name:type:columns` triples; a mismatch leaves the usual order.
  private mutating func readProperties(_ text: String) {
    let words = text.split(separator: ":", omittingEmptySubsequences: false)
    var column = 0
    for start in stride(from: 0, to: words.count - 2, by: 3) {
      guard let width = Int(words[start + 2]), width > 0, width < 1000 else { return }
      switch words[start].lowercased() {
      case "species", "element", "z", "numbers": elementColumn = column
      case "pos", "positions": positionColumn = column
      default: break
      }
      column += width
    }
  }

  /// Returns the cell of three vectors in nine numbers; nil if they span none.
  private static func cell(_ text: String) -> UnitCell? {
    let numbers = text.split(separator: " ").compactMap { Double($0) }
    guard numbers.count == 9, numbers.allSatisfy({ abs($0) < NumberText.largestCoordinate }) else { return nil }
    let vectors = (0..<3).map { SIMD3(numbers[3 * $0], numbers[3 * $0 + 1], numbers[3 * $0 + 2]) }
    let lengths = vectors.map { ($0 * $0).sum().squareRoot() }
    guard lengths.allSatisfy({ $0 > 0 }) else { return nil }
    func angle(_ first: Int, _ second: Int) -> Double {
      let cosine = (vectors[first] * vectors[second]).sum() / (lengths[first] * lengths[second])
      return acos(max(-1, min(1, cosine))) * 180 / .pi
    }
    return UnitCell(
      a: lengths[0], b: lengths[1], c: lengths[2], alpha: angle(1, 2), beta: angle(0, 2), gamma: angle(0, 1))
  }

  /// Returns the `key=value` pairs of a line; values may be quoted, a key alone has an empty value.
  private static func pairs(_ text: String) -> [Compound.Detail] {
    var pairs: [Compound.Detail] = []
    var key: [UInt8] = []
    var value: [UInt8] = []
    var (isInValue, quote) = (false, UInt8(0))
    func close() {
      guard !key.isEmpty else { return }
      pairs.append(
        Compound.Detail(token: String(decoding: key, as: UTF8.self), value: String(decoding: value, as: UTF8.self)))
    }
    for byte in text.utf8 {
      if quote != 0 {
        if byte == quote { quote = 0 } else if isInValue { value.append(byte) } else { key.append(byte) }
      } else if byte == 34 || byte == 39 {
        quote = byte
      } else if byte <= 32 {
        close()
        (key, value, isInValue) = ([], [], false)
      } else if byte == 61, !isInValue {
        isInValue = true
      } else if isInValue {
        value.append(byte)
      } else {
        key.append(byte)
      }
    }
    close()
    return pairs
  }
}
