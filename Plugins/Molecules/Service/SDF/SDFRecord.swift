/// One molecule of an SDF file, before it becomes a model.
struct SDFRecord {
  /// An atom of the connection table.
  struct Atom {
    var element: Element
    var position: SIMD3<Double>
    var charge: Int8 = 0
    /// The number in the file.
    var number: Int
  }

  var name = ""
  /// The first line in the file, from 1.
  var line = 0
  var atoms: [Atom] = []
  /// The index in `atoms` for each number of the file; numbers of dropped atoms are missing.
  var places: [Int: Int] = [:]
  /// The bonds by the numbers of their atoms in the file.
  var bonds: [(first: Int, second: Int, order: UInt8)] = []
  var items: [Compound.Detail] = []
  /// A Boolean value indicating whether charges in atom lines still count: the first `M  CHG` line replaces them all.
  var usesAtomCharges = true
  /// A Boolean value indicating whether the coordinates are those of a drawing.
  var isFlat = false

  mutating func add(_ atom: Atom) {
    places[atom.number] = atoms.count
    atoms.append(atom)
  }

  /// Returns the value of a data item by name in any case; nil if it is missing or empty.
  func item(_ name: String) -> String? {
    items.first { $0.token.lowercased() == name && !$0.value.isEmpty }?.value
  }

  /// Returns the element of a symbol; unknown for `R#`, `A`, `Q`, `*`, `L` and other queries, nil if it is not a
  /// symbol.
  static func element(_ symbol: String) -> Element? {
    if let element = Element(symbol: symbol) { return element }
    let queries: Set<String> = ["R#", "A", "Q", "*", "L", "LP", "R", "M", "G", "AH", "QH", "XH", "MH", "DU", "POL"]
    if symbol == "T" { return .hydrogen }
    return queries.contains(symbol.uppercased()) || symbol.hasPrefix("[") || symbol.hasPrefix("R") ? .unknown : nil
  }

  /// Returns the bond order of a code: 1, 2, 3 and 4 (aromatic) unchanged, unknown for queries and coordination; nil
  /// for hydrogen bonds.
  static func order(_ code: Int) -> UInt8? {
    switch code {
    case 1...4: UInt8(code)
    case 10: nil
    default: 0
    }
  }
}
