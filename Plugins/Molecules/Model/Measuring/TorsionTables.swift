import PluginAPI

/// Tables of torsions.
enum TorsionTables {
  /// Phi, psi and omega, a row for each residue that has one of them.
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
        + ["phi", "psi", "omega"].map { .init($0, unit: "degree", .numbers(columns[$0] ?? [], decimals: 1)) })
  }

  /// All named torsions, a row for each.
  static func torsions(of structure: Structure, model: Int, selection: AtomSelection?) -> Table {
    let all = Torsions.all(of: structure, model: model, selection: selection)
    let atoms = all.map { torsion in torsion.atoms.map { structure.atomName($0) }.joined(separator: " ") }
    return Table(
      columns: places(all, structure) + [
        .init("torsion", title: "Torsion", .texts(all.map(\.name))),
        .init("atoms", title: "Atoms", .texts(atoms)),
        .init("value", title: "Value", unit: "degree", .numbers(all.map(\.degrees), decimals: 1)),
      ])
  }

  private static func places(_ torsions: [Torsion], _ structure: Structure) -> [Table.Column] {
    let residues = torsions.map(\.residue)
    let rows = residues.map { structure.residues[$0] }
    func mark(_ code: UInt8) -> String { code == 0 ? "" : String(UnicodeScalar(code)) }
    return [
      .init("chain", title: "Chain", .texts(residues.map { structure.chainName(ofResidue: $0) })),
      .init("residue", title: "Residue", .texts(rows.map { structure.names[$0.name] })),
      .init("number", title: "Number", .integers(rows.map { Int($0.number) })),
      .init("insertionCode", title: "Ins", .texts(rows.map { mark($0.insertionCode) })),
      .init("alternate", title: "Alt", .texts(torsions.map { mark($0.conformer) })),
    ]
  }
}
