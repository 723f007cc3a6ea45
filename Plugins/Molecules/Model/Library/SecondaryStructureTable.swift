import PluginAPI

/// The secondary structure of residues as a table: DSSP's assignment for each.
enum SecondaryStructureTable {
  /// Returns a row for each residue with a full backbone, in file order.
  ///
  /// - Parameters:
  ///   - assignment: DSSP's assignment of a model.
  ///   - structure: Its structure.
  ///   - selection: The residues to list; nil for all. The others still count as neighbors.
  ///   - progress: Called from time to time with the fraction done, 0 to 1; returns whether to continue.
  /// - Returns: Nil if `progress` returned false.
  static func table(
    _ assignment: SecondaryStructureAssignment, of structure: Structure, selection: AtomSelection? = nil,
    progress: ((Double) -> Bool)? = nil
  ) -> Table? {
    let backbone = BackboneResidue.all(of: structure, in: assignment.residues)
    guard let accessibility = SolventAccessibility(backbone, of: structure, progress: progress) else { return nil }
    let (phi, psi) = BackboneResidue.angles(of: backbone)
    let rows = backbone.indices.filter {
      selection?.intersects(structure.residues[backbone[$0].residue].atoms) ?? true
    }
    let residues = rows.map { backbone[$0].residue }
    let columns = ResidueColumns(residues, of: structure)
    var name = columns.residue
    name.name = "name"
    return Table(columns: [
      columns.chain, columns.number, columns.insertionCode, name,
      .init("state", title: "State", .texts(residues.map { String(assignment[$0]?.letter ?? "-") })),
      .init(
        "accessibility", title: "Accessible", unit: "angstrom²",
        .values(rows.map { .optional(accessibility.rounded($0)) })),
      .init("phi", unit: "degree", .numbers(rows.map { phi[$0] }, .angle)),
      .init("psi", unit: "degree", .numbers(rows.map { psi[$0] }, .angle)),
    ])
  }
}
