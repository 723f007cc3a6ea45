/// A chemical element by atomic number; 0 is unknown, 119 stands for deuterium.
struct Element: RawRepresentable, Hashable, Sendable {
  var rawValue: UInt8

  static let unknown = Element(rawValue: 0)
  static let hydrogen = Element(rawValue: 1)
  static let carbon = Element(rawValue: 6)
  static let nitrogen = Element(rawValue: 7)
  static let oxygen = Element(rawValue: 8)
  static let phosphorus = Element(rawValue: 15)
  static let sulfur = Element(rawValue: 16)
  /// Deuterium, separate from hydrogen because neutron structures distinguish them.
  static let deuterium = Element(rawValue: 119)

  init(rawValue: UInt8) { self.rawValue = rawValue }

  /// Creates the element of a symbol in any case, `D` and `X` included; nil if there is none.
  init?(symbol: String) {
    let bytes = Array(symbol.utf8)
    guard bytes.count == 1 || bytes.count == 2 else { return nil }
    guard let element = Self.of(first: bytes[0], second: bytes.count == 2 ? bytes[1] : 32) else { return nil }
    self = element
  }

  /// The atomic number, 1 for deuterium, 0 for unknown.
  var atomicNumber: Int { self == .deuterium ? 1 : Int(rawValue) }
  var isHydrogen: Bool { rawValue == 1 || rawValue == 119 }
  var symbol: String { ElementTable.row(self).symbol }
  var name: String { ElementTable.row(self).name }
  /// Single-bond covalent radius in Å.
  var covalentRadius: Double { ElementTable.row(self).covalentRadius }
  /// Van der Waals radius in Å.
  var vanDerWaalsRadius: Double { ElementTable.row(self).vanDerWaalsRadius }
  /// The color as 0xRRGGBB in Jmol's scheme.
  var color: UInt32 { ElementTable.row(self).color }
  /// A Boolean value indicating whether the element is a metal, which bonds by coordination rather than electron pairs.
  var isMetal: Bool { Self.metals[Int(rawValue)] }

  /// Returns the element whose symbol these two ASCII codes spell in any case; a blank or NUL second code means one
  /// letter.
  ///
  /// `X` is the unknown element. Nil when they spell no symbol.
  static func of(first: UInt8, second: UInt8) -> Element? {
    let high = letterIndex(first)
    guard high != 0 else { return nil }
    let isSingle = second == 32 || second == 0
    let low = isSingle ? 0 : letterIndex(second)
    guard isSingle || low != 0 else { return nil }
    let code = symbolCodes[high * 27 + low]
    return code == 255 ? nil : Element(rawValue: code)
  }

  /// Returns 1...26 for a letter of any case, else 0.
  @inline(__always)
  private static func letterIndex(_ byte: UInt8) -> Int {
    let folded = byte | 32
    return folded >= 97 && folded <= 122 ? Int(folded - 96) : 0
  }

  /// Element codes by letters (first × 27 + second, second 0 for none); 255 where no symbol is spelled.
  private static let symbolCodes: [UInt8] = {
    var codes = [UInt8](repeating: 255, count: 27 * 27)
    for (code, row) in ElementTable.rows.enumerated() {
      let bytes = Array(row.symbol.utf8)
      codes[letterIndex(bytes[0]) * 27 + (bytes.count > 1 ? letterIndex(bytes[1]) : 0)] = UInt8(code)
    }
    return codes
  }()

  private static let metals: [Bool] = {
    let others: Set<Int> = [
      0, 1, 2, 5, 6, 7, 8, 9, 10, 14, 15, 16, 17, 18, 32, 33, 34, 35, 36, 52, 53, 54, 85, 86, 117, 118, 119,
    ]
    return (0..<120).map { !others.contains($0) }
  }()
}
