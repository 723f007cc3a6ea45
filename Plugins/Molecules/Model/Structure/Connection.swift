/// A link between two atoms, stated by the file by residue and atom name.
struct Connection: Equatable, Sendable {
  enum Kind: UInt8, Equatable, Sendable {
    case covalent, disulfide, metal, hydrogenBond, unknown
  }

  var kind: Kind
  var first: ConnectionEnd
  var second: ConnectionEnd
  /// A Boolean value indicating whether both ends lie in the same copy of the asymmetric unit.
  var isWithinUnit: Bool { first.symmetry == second.symmetry }
  /// The stated bond order, else 0.
  var order: UInt8 = 0
}

/// One end of a connection.
struct ConnectionEnd: Equatable, Sendable {
  var residue: ResidueAddress
  var atomName: String
  /// The alternate location, 0 if there is none.
  var altloc: UInt8 = 0
  /// The symmetry operator and cell translation that move the end, as in `1_555`; empty if not stated.
  var symmetry = ""
}

/// A bond between two atoms by index, as stated by CONECT.
struct StatedBond: Equatable, Sendable {
  /// Atom indices, 0-based, `first < second`.
  var first: Int32
  var second: Int32
  /// The number of repetitions of the pair in one direction: in many files 2 and 3 mean a double and a triple bond.
  var order: UInt8
}

/// A bond of a residue type by atom names (_chem_comp_bond).
struct ComponentBond: Equatable, Sendable {
  var component: NameID
  var first: NameID
  var second: NameID
  var order: BondOrder
}
