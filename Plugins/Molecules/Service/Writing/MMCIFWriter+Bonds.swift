extension MMCIFWriter {
  /// Writes the bonds of residue types: those the file's own dictionary had, and of residues stated by atom numbers.
  ///
  /// Where there are such, those of all other residue types are written too: PyMOL takes the category for complete.
  mutating func writeBonds() {
    var rows = structure.componentBonds.map {
      Self.row(structure.names[$0.component], structure.names[$0.first], structure.names[$0.second], $0.order)
    }
    rows += statedComponents()
    if !rows.isEmpty { rows += otherComponents(besides: Set(rows.compactMap { $0[0] })) }
    writer.category(
      "_chem_comp_bond", ["comp_id", "atom_id_1", "atom_id_2", "value_order", "pdbx_aromatic_flag"], rows)
  }

  private static func row(_ name: String, _ first: String, _ second: String, _ order: BondOrder) -> [String?] {
    let words: [BondOrder: String] = [.single: "sing", .double: "doub", .triple: "trip", .aromatic: "arom"]
    return [name, first, second, words[order], order == .aromatic ? "Y" : "N"]
  }

  /// The bonds within residues whose bonds the file stated by atom numbers, as those of a residue type.
  private func statedComponents() -> [[String?]] {
    var known: Set<NameID> = []
    let types = statedTypes
    var rows: [[String?]] = []
    for residue in structure.models.first.map(\.residues) ?? 0..<0 {
      let name = structure.residues[residue].name
      guard types.contains(name), known.insert(name).inserted else { continue }
      for bond in molecule.bonds(ofModel: 0)
      where Int(structure.atoms.residue[Int(bond.first)]) == residue
        && Int(structure.atoms.residue[Int(bond.second)]) == residue
      {
        rows.append(
          Self.row(
            structure.names[name], structure.atomName(Int(bond.first)), structure.atomName(Int(bond.second)), bond.order
          ))
      }
    }
    return rows
  }

  /// The bonds within residues of types that no row tells of yet, as they are in any residue of the type.
  private func otherComponents(besides known: Set<String>) -> [[String?]] {
    let atoms = structure.atoms
    var seen: Set<[NameID]> = []
    var rows: [[String?]] = []
    for bond in molecule.bonds(ofModel: 0) where bond.origin == .template || bond.origin == .distance {
      let (first, second) = (Int(bond.first), Int(bond.second))
      let residue = Int(atoms.residue[first])
      let name = structure.residues[residue].name
      guard residue == Int(atoms.residue[second]), !known.contains(structure.names[name]) else { continue }
      let names = [atoms.name[first], atoms.name[second]].sorted()
      guard seen.insert([name] + names).inserted else { continue }
      rows.append(
        Self.row(structure.names[name], structure.atomName(first), structure.atomName(second), bond.order))
    }
    return rows
  }

  /// The names of residues whose stated bonds can be said of their type.
  ///
  /// No template knows the residue, and all residues of the name, in all models, have the same atoms, none of them twice, and
  /// the same bonds.
  var statedTypes: Set<NameID> {
    var stated: [NameID: Int] = [:]
    var known = Set(structure.componentBonds.map(\.component))
    for bond in molecule.bonds(ofModel: 0) {
      let residue = Int(structure.atoms.residue[Int(bond.first)])
      guard residue == Int(structure.atoms.residue[Int(bond.second)]) else { continue }
      let name = structure.residues[residue].name
      if bond.origin == .template { known.insert(name) }
      if bond.origin == .conect { stated[name] = stated[name] ?? residue }
    }
    guard !structure.statesAllBonds || hasSameBondsInAllModels else { return [] }
    return Set(stated.filter { !known.contains($0.key) && isUniform($0.key, as: $0.value) }.keys)
  }

  private var hasSameBondsInAllModels: Bool {
    let first = molecule.bonds(ofModel: 0)
    return structure.models.indices.dropFirst().allSatisfy { model in
      let shift = Int32(structure.models[model].atoms.lowerBound - structure.models[0].atoms.lowerBound)
      return molecule.bonds(ofModel: model).elementsEqual(first) {
        $0.first == $1.first + shift && $0.second == $1.second + shift && $0.order == $1.order
      }
    }
  }

  private func isUniform(_ name: NameID, as residue: Int) -> Bool {
    let atoms = structure.residues[residue].atoms.map { structure.atoms.name[$0] }
    guard Set(atoms).count == atoms.count else { return false }
    return structure.residues.allSatisfy { row in
      row.name != name
        || row.atoms.elementsEqual(structure.residues[residue].atoms) {
          structure.atoms.name[$0] == structure.atoms.name[$1]
        }
    }
  }
}
