/// A hydrogen bond between two atoms of different residues.
struct HydrogenBond: Equatable, Sendable {
  /// The evidence for a hydrogen bond.
  enum Evidence: String, CaseIterable, Sendable {
    /// The energy between two backbones, as computed by DSSP.
    case energy
    /// Distance and angle at a hydrogen present in the file.
    case hydrogen
    /// Distance, and angles at the atoms bonded to donor and acceptor.
    case geometry
  }

  /// Atom indices of the structure.
  var donor: Int
  var acceptor: Int
  /// The distance from donor to acceptor in Å.
  var distance: Double
  /// The energy in kcal/mol, for bonds between backbones.
  var energy: Double?
  var evidence: Evidence
}
