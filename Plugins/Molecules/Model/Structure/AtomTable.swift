/// The atoms of a structure as columns of equal length.
struct AtomTable: Equatable, Sendable {
  /// The mark of a serial number that is missing or unreadable (`*****`).
  static let missingSerial = Int32.min

  /// The Cartesian coordinates in ångström.
  var x: [Double] = []
  var y: [Double] = []
  var z: [Double] = []
  /// Occupancy, normally 0...1.
  var occupancy: [Float] = []
  /// Isotropic displacement factor in Å², or pLDDT (0...100) in predicted structures.
  var bFactor: [Float] = []
  var element: [Element] = []
  var name: [NameID] = []
  /// Residue index, 0-based.
  var residue: [Int32] = []
  /// The alternate location as an ASCII code, 0 if there is none.
  var altloc: [UInt8] = []
  /// Serial number in the file; files may repeat or omit it.
  var serial: [Int32] = []
  /// Formal charge in elementary charges.
  var charge: [Int8] = []
  /// A Boolean value indicating whether the atom is a HETATM.
  var isHetero: [Bool] = []
  /// The anisotropic displacements of the atoms that have one, by ascending atom index.
  var anisotropy: [Anisotropy] = []

  /// The number of atoms.
  var count: Int { x.count }
  var isEmpty: Bool { x.isEmpty }

  /// Returns the coordinates of one atom in ångström.
  func position(_ atom: Int) -> SIMD3<Double> { SIMD3(x[atom], y[atom], z[atom]) }

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
    var newIndex = [Int32](repeating: -1, count: count)
    for (new, old) in order.enumerated() { newIndex[Int(old)] = Int32(new) }
    table.anisotropy = anisotropy.compactMap { row in
      guard newIndex[Int(row.atom)] >= 0 else { return nil }
      var row = row
      row.atom = newIndex[Int(row.atom)]
      return row
    }
    table.anisotropy.sort { $0.atom < $1.atom }
    return table
  }
}

/// An anisotropic displacement tensor of one atom.
struct Anisotropy: Equatable, Sendable {
  /// Atom index, 0-based.
  var atom: Int32
  /// U11, U22, U33, U12, U13, U23 in Å².
  var u11: Float
  var u22: Float
  var u33: Float
  var u12: Float
  var u13: Float
  var u23: Float

  /// A Boolean value indicating whether any component is nonzero.
  var isNonzero: Bool {
    u11 != 0 || u22 != 0 || u33 != 0 || u12 != 0 || u13 != 0 || u23 != 0
  }
}
