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
