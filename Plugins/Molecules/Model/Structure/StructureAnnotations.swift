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

/// A helix stated by the file.
struct Helix: Equatable, Sendable {
  var id: String
  var first: ResidueAddress
  var last: ResidueAddress
  /// The class number of the PDB format: 1 right-handed alpha, 3 pi, 5 3-10, 10 polyproline.
  var helixClass: Int
  /// The stated number of residues, 0 if not stated.
  var length: Int
}

/// A sheet stated by the file.
struct Sheet: Equatable, Sendable {
  var id: String
  /// Strands in file order; a barrel repeats its first strand at the end.
  var strands: [Strand]
}

/// One strand of a sheet.
struct Strand: Equatable, Sendable {
  var id: String
  var first: ResidueAddress
  var last: ResidueAddress
  /// 0 for the first strand, 1 parallel, -1 antiparallel to the previous strand.
  var sense: Int
}

/// A cis peptide bond that the file states (CISPEP, _struct_mon_prot_cis).
struct CisPeptide: Equatable, Sendable {
  /// The residue whose C takes part in the bond.
  var first: ResidueAddress
  /// The residue whose N takes part in the bond.
  var second: ResidueAddress
  /// The alternate location, 0 if there is none.
  var altloc: UInt8 = 0
  /// The model number in the file; 0 if there is none.
  var model: Int
  /// The omega angle in degrees; nil if not stated.
  var omega: Double?
}

/// A modified residue that the file states (MODRES, _pdbx_struct_mod_residue).
struct ModifiedResidue: Equatable, Sendable {
  var residue: ResidueAddress
  /// The name of the standard residue it derives from, as in `MET`; empty if not stated.
  var parent: String
  /// The modification in words, as in `SELENOMETHIONINE`; empty if not stated.
  var details: String
}

/// A non-crystallographic symmetry operator (MTRIX, _struct_ncs_oper).
struct NCSOperator: Equatable, Sendable {
  var transform: Transform
  /// True if the coordinates already contain its copy.
  var isGiven: Bool
}
