import PluginAPI

/// The secondary structure of residues as a table: what DSSP says of each.
enum SecondaryStructureTable {
  /// A row for each residue with a full backbone, in file order.
  ///
  /// - Parameters:
  ///   - assignment: What DSSP makes of a model.
  ///   - structure: Where it is from.
  ///   - selection: The residues that are listed are those it touches; nil for all. The others still count around them.
  ///   - progress: Called now and then with the share done, 0 to 1; answers whether to go on.
  /// - Returns: nil when the closure asked to stop.
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
