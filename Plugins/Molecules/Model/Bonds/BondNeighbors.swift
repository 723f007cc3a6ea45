/// The bonded partners of each atom of a model.
struct BondNeighbors: Sendable {
  private let firstAtom: Int
  /// The index at which the partners of each atom start, and one more at the end.
  private var starts: [Int32]
  private var partners: [Int32]

  /// Sorts bonds by their atoms.
  ///
  /// - Parameters:
  ///   - bonds: bonds by atom indices of the structure.
  ///   - atoms: the atoms of the model, which hold both ends of every bond.
  /// - Complexity: linear in atoms and bonds.
  init(_ bonds: [Bond], of atoms: Range<Int>) {
    firstAtom = atoms.lowerBound
    starts = [Int32](repeating: 0, count: atoms.count + 1)
    for bond in bonds {
      starts[Int(bond.first) - firstAtom + 1] += 1
      starts[Int(bond.second) - firstAtom + 1] += 1
    }
    for place in 0..<atoms.count { starts[place + 1] += starts[place] }
    partners = [Int32](repeating: 0, count: bonds.count * 2)
    var next = starts
    for bond in bonds {
      for (own, other) in [(bond.first, bond.second), (bond.second, bond.first)] {
        let place = Int(own) - firstAtom
        partners[Int(next[place])] = other
        next[place] += 1
      }
    }
  }

  /// The atoms bonded to an atom of the model, by index of the structure.
  subscript(atom: Int) -> ArraySlice<Int32> {
    partners[Int(starts[atom - firstAtom])..<Int(starts[atom - firstAtom + 1])]
  }
}
