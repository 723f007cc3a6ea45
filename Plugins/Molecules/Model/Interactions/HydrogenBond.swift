import PluginAPI

/// A hydrogen bond between two atoms of different residues.
struct HydrogenBond: Equatable, Sendable {
  /// The evidence for a hydrogen bond.
  enum Evidence: String, CaseIterable, FieldValue {
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

extension HydrogenBond: StructureItem {
  static let typeName = "molecules.hydrogen-bond"
  static let fields = Fields<StructureRow<HydrogenBond>> {
    Field("donor", { $0.label(ofAtom: $0.item.donor) }, "atom that bears the hydrogen, as A/GLY12/N", heading: "Donor")
    Field(
      "acceptor", { $0.label(ofAtom: $0.item.acceptor) }, "atom that the hydrogen points at", heading: "Acceptor")
    Field(
      "distance", \.item.distance, .length, "their distance in angstrom", heading: "Distance", unit: "angstrom")
    Field("evidence", \.item.evidence, "what tells it", heading: "Known from")
    Field(
      "energy", optional: \.item.energy, .energy, "in kcal/mol, between backbones; else null", heading: "Energy",
      unit: "kcal/mol")
  }
}
