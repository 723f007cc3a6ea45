extension AtomTable {
  /// Reserves capacity in every column.
  mutating func reserve(_ count: Int) {
    x.reserveCapacity(count)
    y.reserveCapacity(count)
    z.reserveCapacity(count)
    occupancy.reserveCapacity(count)
    bFactor.reserveCapacity(count)
    element.reserveCapacity(count)
    name.reserveCapacity(count)
    residue.reserveCapacity(count)
    altloc.reserveCapacity(count)
    serial.reserveCapacity(count)
    charge.reserveCapacity(count)
    isHetero.reserveCapacity(count)
  }

  /// Reorders the atoms.
  ///
  /// - Parameter order: for each new index the old atom index, 0-based, a permutation.
  mutating func reorder(by order: [Int32]) {
    precondition(order.count == count, "an order has one entry for each atom")
    self = picked(order)
  }

  /// Returns the atoms with some indices, in that order; residues keep their old numbers.
  ///
  /// - Parameter order: for each new index the old atom index, 0-based, each at most once.
  func picked(_ order: [Int32]) -> AtomTable {
    var table = AtomTable()
    table.x = order.map { x[Int($0)] }
    table.y = order.map { y[Int($0)] }
    table.z = order.map { z[Int($0)] }
    table.occupancy = order.map { occupancy[Int($0)] }
    table.bFactor = order.map { bFactor[Int($0)] }
    table.element = order.map { element[Int($0)] }
    table.name = order.map { name[Int($0)] }
    table.residue = order.map { residue[Int($0)] }
    table.altloc = order.map { altloc[Int($0)] }
    table.serial = order.map { serial[Int($0)] }
    table.charge = order.map { charge[Int($0)] }
    table.isHetero = order.map { isHetero[Int($0)] }
    guard !anisotropy.isEmpty else { return table }
    var place = [Int32](repeating: -1, count: count)
    for (new, old) in order.enumerated() { place[Int(old)] = Int32(new) }
    table.anisotropy = anisotropy.compactMap { row in
      guard place[Int(row.atom)] >= 0 else { return nil }
      var row = row
      row.atom = place[Int(row.atom)]
      return row
    }
    table.anisotropy.sort { $0.atom < $1.atom }
    return table
  }
}
