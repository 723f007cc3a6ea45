import PluginAPI

/// Tables of interactions in a molecule, and of accessible surface.
enum InteractionTables {
  /// Returns the accessible area by residue, without residues that have no measured atoms; for a selection the area of
  /// its own atoms.
  static func surface(_ area: SurfaceArea, of structure: Structure, selection: AtomSelection? = nil) -> Table {
    var rows: [(residue: Int, area: Double)] = []
    for (atom, value) in zip(area.atoms, area.areas) where selection?[Int(atom)] ?? true {
      let residue = Int(structure.atoms.residue[Int(atom)])
      if rows.last?.residue == residue {
        rows[rows.count - 1].area += value
      } else {
        rows.append((residue, value))
      }
    }
    let relative = rows.map { row in
      SurfaceArea.largestArea(ofResidue: structure.residueName(row.residue)).map { row.area / $0 } ?? .nan
    }
    return Table(
      columns: ResidueColumns(rows.map(\.residue), of: structure).all + [
        .init("area", title: "Area", unit: "angstrom²", .numbers(rows.map(\.area), .area)),
        .init("relative", title: "Relative", .numbers(relative, .ratio)),
      ])
  }

  /// Returns a table of contacts between residues.
  static func contacts(_ contacts: [ResidueContact], of structure: Structure) -> Table {
    Table(columns: [
      .init("first", title: "Atom", .texts(contacts.map { PartTables.label($0.firstAtom, structure) })),
      .init("second", title: "Atom", .texts(contacts.map { PartTables.label($0.secondAtom, structure) })),
      .init("distance", title: "Distance", unit: "angstrom", .numbers(contacts.map(\.distance), .length)),
      .init("atomPairs", title: "Pairs", .integers(contacts.map(\.atomPairs))),
    ])
  }

  /// Returns a table of hydrogen bonds.
  static func hydrogenBonds(_ bonds: [HydrogenBond], of structure: Structure) -> Table {
    Table(columns: [
      .init("donor", title: "Donor", .texts(bonds.map { PartTables.label($0.donor, structure) })),
      .init("acceptor", title: "Acceptor", .texts(bonds.map { PartTables.label($0.acceptor, structure) })),
      .init("distance", title: "Distance", unit: "angstrom", .numbers(bonds.map(\.distance), .length)),
      .init("evidence", title: "Known from", .texts(bonds.map(\.evidence.rawValue))),
      .init("energy", title: "Energy", unit: "kcal/mol", .numbers(bonds.map { $0.energy ?? .nan }, .energy)),
    ])
  }

  /// Returns a table of salt bridges.
  static func saltBridges(_ bridges: [SaltBridge], of structure: Structure) -> Table {
    Table(columns: [
      .init("positive", title: "Positive", .texts(bridges.map { PartTables.label($0.positive, structure) })),
      .init("negative", title: "Negative", .texts(bridges.map { PartTables.label($0.negative, structure) })),
      .init("distance", title: "Distance", unit: "angstrom", .numbers(bridges.map(\.distance), .length)),
    ])
  }

  /// Returns a table of disulfides.
  static func disulfides(_ bridges: [Disulfide], of structure: Structure) -> Table {
    Table(columns: [
      .init("first", title: "Sulfur", .texts(bridges.map { PartTables.label($0.first, structure) })),
      .init("second", title: "Sulfur", .texts(bridges.map { PartTables.label($0.second, structure) })),
      .init("distance", title: "Distance", unit: "angstrom", .numbers(bridges.map(\.distance), .length)),
      .init("stated", title: "Stated", .values(bridges.map { .bool($0.isStated) })),
    ])
  }
}
