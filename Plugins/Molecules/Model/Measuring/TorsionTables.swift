import PluginAPI

/// Tables of torsions.
enum TorsionTables {
  /// Returns phi, psi and omega, a row for each residue that has one of them.
  static func phiPsi(of structure: Structure, model: Int, selection: AtomSelection?) -> Table {
    var rows: [Torsion] = []
    var columns: [String: [Double]] = ["phi": [], "psi": [], "omega": []]
    for torsion in Torsions.all(of: structure, model: model, selection: selection) where columns[torsion.name] != nil {
      if rows.last?.residue != torsion.residue {
        rows.append(torsion)
        for name in columns.keys { columns[name]?.append(.nan) }
      }
      columns[torsion.name]?[rows.count - 1] = torsion.degrees
    }
    return Table(
      columns: places(rows, structure)
        + ["phi", "psi", "omega"].map { .init($0, unit: "degree", .numbers(columns[$0] ?? [], .angle)) })
  }

  /// Returns all named torsions, a row for each.
  static func torsions(of structure: Structure, model: Int, selection: AtomSelection?) -> Table {
    let all = Torsions.all(of: structure, model: model, selection: selection)
    let atoms = all.map { torsion in torsion.atoms.map { structure.atomName($0) }.joined(separator: " ") }
    return Table(
      columns: places(all, structure) + [
        .init("torsion", title: "Torsion", .texts(all.map(\.name))),
        .init("atoms", title: "Atoms", .texts(atoms)),
        .init("value", title: "Value", unit: "degree", .numbers(all.map(\.degrees), .angle)),
      ])
  }

  private static func places(_ torsions: [Torsion], _ structure: Structure) -> [Table.Column] {
    let alternates = torsions.map { $0.conformer == 0 ? "" : String(UnicodeScalar($0.conformer)) }
    return ResidueColumns(torsions.map(\.residue), of: structure).all + [
      .init("alternate", title: "Alt", .texts(alternates))
    ]
  }
}
