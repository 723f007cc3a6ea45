extension AtomTable {
  /// Reserves room in every column.
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

  /// Puts the atoms into a new order.
  ///
  /// - Parameter order: for each new place the old atom index, 0-based, a permutation.
  mutating func reorder(by order: [Int32]) {
    precondition(order.count == count, "an order has one entry for each atom")
    x = order.map { x[Int($0)] }
    y = order.map { y[Int($0)] }
    z = order.map { z[Int($0)] }
    occupancy = order.map { occupancy[Int($0)] }
    bFactor = order.map { bFactor[Int($0)] }
    element = order.map { element[Int($0)] }
    name = order.map { name[Int($0)] }
    residue = order.map { residue[Int($0)] }
    altloc = order.map { altloc[Int($0)] }
    serial = order.map { serial[Int($0)] }
    charge = order.map { charge[Int($0)] }
    isHetero = order.map { isHetero[Int($0)] }
    guard !anisotropy.isEmpty else { return }
    var place = [Int32](repeating: 0, count: order.count)
    for (new, old) in order.enumerated() { place[Int(old)] = Int32(new) }
    for row in anisotropy.indices { anisotropy[row].atom = place[Int(anisotropy[row].atom)] }
    anisotropy.sort { $0.atom < $1.atom }
  }
}
