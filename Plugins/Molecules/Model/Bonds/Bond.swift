/// The number of electron pairs of a bond, as far as it is known.
enum BondOrder: UInt8, Equatable, Sendable {
  case unknown = 0
  case single = 1
  case double = 2
  case triple = 3
  case aromatic = 4
}

/// The evidence for a bond, in descending order of trust.
enum BondOrigin: UInt8, Equatable, Sendable, CaseIterable {
  /// The residue's own bonds: built-in templates or the file's _chem_comp_bond.
  case template
  /// Between neighbors of a polymer.
  case polymer
  case disulfide
  /// LINK or _struct_conn.
  case link
  case conect
  case distance

  /// The name in scripts.
  var name: String {
    switch self {
    case .template: "template"
    case .polymer: "polymer"
    case .disulfide: "disulfide"
    case .link: "link"
    case .conect: "conect"
    case .distance: "distance"
    }
  }

  /// A short description.
  var summary: String {
    switch self {
    case .template: "Bonds of a residue, from templates or the dictionary in the file"
    case .polymer: "Bonds between neighbors in a polymer"
    case .disulfide: "Disulfide bonds between cysteines"
    case .link: "Links stated in the file"
    case .conect: "CONECT records"
    case .distance: "Bonds from distances, where no other data exists"
    }
  }
}

/// A bond between two atoms.
struct Bond: Equatable, Sendable {
  /// Atom indices, 0-based, `first < second`.
  var first: Int32
  var second: Int32
  var order: BondOrder
  var origin: BondOrigin
}

/// Gathers bonds in order of trust and keeps each pair of atoms once.
struct BondCollector {
  private(set) var bonds: [Bond] = []

  init(expected: Int) { bonds.reserveCapacity(expected) }

  /// Adds a bond; of a pair added twice, the first bond stays, with the order of the second if it has none itself.
  @inline(__always)
  mutating func add(_ a: Int, _ b: Int, _ order: BondOrder, _ origin: BondOrigin) {
    bonds.append(Bond(first: Int32(min(a, b)), second: Int32(max(a, b)), order: order, origin: origin))
  }

  /// Returns the number of bonds of each atom of a range so far; repeated pairs count each time.
  func degrees(_ atoms: Range<Int>) -> [UInt8] {
    var degrees = [UInt8](repeating: 0, count: atoms.count)
    for bond in bonds {
      for end in [bond.first, bond.second] {
        let index = Int(end) - atoms.lowerBound
        if degrees[index] < 255 { degrees[index] += 1 }
      }
    }
    return degrees
  }

  /// Returns all bonds, each pair once, by ascending first and second atom.
  ///
  /// - Complexity: linear: a counting sort by the first atom, then short sorts of each atom's few bonds.
  consuming func finished(_ atoms: Range<Int>) -> [Bond] {
    var starts = [Int32](repeating: 0, count: atoms.count + 1)
    for bond in bonds { starts[Int(bond.first) - atoms.lowerBound + 1] += 1 }
    for index in 0..<atoms.count { starts[index + 1] += starts[index] }
    var order = [Int32](repeating: 0, count: bonds.count)
    var next = starts
    for (row, bond) in bonds.enumerated() {
      let index = Int(bond.first) - atoms.lowerBound
      order[Int(next[index])] = Int32(row)
      next[index] += 1
    }
    var result: [Bond] = []
    result.reserveCapacity(bonds.count)
    for index in 0..<atoms.count where starts[index] < starts[index + 1] {
      appendBonds(order[Int(starts[index])..<Int(starts[index + 1])], to: &result)
    }
    return result
  }

  /// Appends the bonds of one first atom, sorted by second atom, pairs merged.
  private func appendBonds(_ rows: ArraySlice<Int32>, to result: inout [Bond]) {
    let start = result.count
    let sorted =
      rows.count == 1
      ? Array(rows)
      : rows.sorted { (bonds[Int($0)].second, $0) < (bonds[Int($1)].second, $1) }
    for row in sorted {
      let bond = bonds[Int(row)]
      let last = result.count - 1
      if last >= start, result[last].second == bond.second {
        if result[last].order == .unknown { result[last].order = bond.order }
      } else {
        result.append(bond)
      }
    }
  }
}

/// The bonded partners of each atom of a model.
struct BondNeighbors: Sendable {
  private let firstAtom: Int
  /// The index at which the partners of each atom start, followed by the total.
  private var starts: [Int32]
  private var partners: [Int32]

  /// Sorts bonds by their atoms.
  ///
  /// - Parameters:
  ///   - bonds: The bonds, by atom indices of the structure.
  ///   - atoms: The atoms of the model, which include both ends of every bond.
  /// - Complexity: linear in atoms and bonds.
  init(_ bonds: [Bond], of atoms: Range<Int>) {
    firstAtom = atoms.lowerBound
    starts = [Int32](repeating: 0, count: atoms.count + 1)
    for bond in bonds {
      starts[Int(bond.first) - firstAtom + 1] += 1
      starts[Int(bond.second) - firstAtom + 1] += 1
    }
    for index in 0..<atoms.count { starts[index + 1] += starts[index] }
    partners = [Int32](repeating: 0, count: bonds.count * 2)
    var next = starts
    for bond in bonds {
      for (own, other) in [(bond.first, bond.second), (bond.second, bond.first)] {
        let index = Int(own) - firstAtom
        partners[Int(next[index])] = other
        next[index] += 1
      }
    }
  }

  /// The atoms bonded to an atom of the model, by index of the structure.
  subscript(atom: Int) -> ArraySlice<Int32> {
    partners[Int(starts[atom - firstAtom])..<Int(starts[atom - firstAtom + 1])]
  }
}
