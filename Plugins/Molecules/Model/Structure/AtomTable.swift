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
