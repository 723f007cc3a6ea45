/// Gathers bonds in order of trust and keeps each pair of atoms once.
struct BondCollector {
  private(set) var bonds: [Bond] = []

  init(expected: Int) { bonds.reserveCapacity(expected) }

  /// Adds a bond; of a pair added twice the first bond stays, with the order of the second if it has none.
  @inline(__always)
  mutating func add(_ a: Int, _ b: Int, _ order: BondOrder, _ origin: BondOrigin) {
    bonds.append(Bond(first: Int32(min(a, b)), second: Int32(max(a, b)), order: order, origin: origin))
  }

  /// Returns the number of bonds of each atom of a range so far; repeated pairs count each time.
  func degrees(_ atoms: Range<Int>) -> [UInt8] {
    var degrees = [UInt8](repeating: 0, count: atoms.count)
    for bond in bonds {
      for end in [bond.first, bond.second] {
        let place = Int(end) - atoms.lowerBound
        if degrees[place] < 255 { degrees[place] += 1 }
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
    for place in 0..<atoms.count { starts[place + 1] += starts[place] }
    var order = [Int32](repeating: 0, count: bonds.count)
    var next = starts
    for (row, bond) in bonds.enumerated() {
      let place = Int(bond.first) - atoms.lowerBound
      order[Int(next[place])] = Int32(row)
      next[place] += 1
    }
    var result: [Bond] = []
    result.reserveCapacity(bonds.count)
    for place in 0..<atoms.count where starts[place] < starts[place + 1] {
      appendBonds(order[Int(starts[place])..<Int(starts[place + 1])], to: &result)
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
