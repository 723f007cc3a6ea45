/// A hydrogen bond between two atoms of different residues.
struct HydrogenBond: Equatable, Sendable {
  /// How it was told.
  enum Evidence: String, CaseIterable, Sendable {
    /// The energy between two backbones, as DSSP reckons it.
    case energy
    /// Distance and angle at a hydrogen that the file has.
    case hydrogen
    /// Distance, and angles at the atoms that bear donor and acceptor.
    case geometry
  }

  /// Atom indices of the structure.
  var donor: Int
  var acceptor: Int
  /// From donor to acceptor in Å.
  var distance: Double
  /// In kcal/mol, of bonds between backbones.
  var energy: Double?
  var evidence: Evidence
}
