/// Limits bonds found by distance to the valences of the elements.
struct Valences {
  private let atoms: AtomTable
  private let start: Int
  /// The number of bonds of each atom of the model so far, not counting metals.
  private var degrees: [UInt8]

  /// Starts with the bonds that are known for certain.
  ///
  /// - Parameters:
  ///   - atoms: The atoms of the structure.
  ///   - range: Those of the model.
  ///   - degrees: The bonds that each atom of the model has from better evidence.
  init(_ atoms: AtomTable, _ range: Range<Int>, _ degrees: [UInt8]) {
    self.atoms = atoms
    start = range.lowerBound
    self.degrees = degrees
  }

  /// Returns the most bonds to non-metals that an atom of an element has in any molecule.
  ///
  /// Carbon and its neighbors in the table as in stable molecules and ions; elements not listed have no limit.
  static func limit(_ element: Element) -> UInt8 {
    switch element.atomicNumber {
    case 1, 9, 17, 35, 53: 1
    case 8: 3
    case 5, 6, 7, 14: 4
    case 15: 5
    case 16, 34: 6
    default: .max
    }
  }

  /// Returns the pairs that can all be bonds, the shortest first; where an atom exceeds its limit, its longest pairs
  /// are dropped.
  ///
  /// - Complexity: O(n log n).
  mutating func allowed(_ pairs: [(first: Int, second: Int)]) -> [(first: Int, second: Int)] {
    let ordered =
      pairs.map { (pair: $0, square: BondPerception.squaredDistance(atoms, $0.first, $0.second)) }
      .sorted { ($0.square, $0.pair.first, $0.pair.second) < ($1.square, $1.pair.first, $1.pair.second) }
    return ordered.map(\.pair).filter { pair in
      let ends = [pair.first, pair.second]
      // Bonds to metals are coordination, which no valence limits; alternatives would use up the valences of one atom
      // twice.
      if ends.contains(where: { atoms.element[$0].isMetal || atoms.altloc[$0] != 0 }) { return true }
      guard hasRoom(pair.first), hasRoom(pair.second) else { return false }
      for atom in ends where degrees[atom - start] < .max { degrees[atom - start] += 1 }
      return true
    }
  }

  private func hasRoom(_ atom: Int) -> Bool {
    degrees[atom - start] < Self.limit(atoms.element[atom])
  }
}
