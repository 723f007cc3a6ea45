extension MMCIFWriter {
  /// Writes the bonds of residue types: those of the file's own dictionary, and those of residues stated by atom
  /// numbers.
  mutating func writeBonds() {
    let rows =
      structure.componentBonds.map {
        Self.row(structure.names[$0.component], structure.names[$0.first], structure.names[$0.second], $0.order)
      } + statedComponents()
    writer.category(
      "_chem_comp_bond", ["comp_id", "atom_id_1", "atom_id_2", "value_order", "pdbx_aromatic_flag"], rows)
    writeBondList(besidesComponents: !rows.isEmpty)
  }

  /// Writes every bond of the first model by atom numbers for PyMOL, if it would find fewer without the list.
  ///
  /// PyMOL skips `metalc` rows, finds no bonds of metals within residues and none in residue types that
  /// `_chem_comp_bond` lacks, and cannot look up links of atoms that share their name.
  /// - Source: `read_pymol_bond` and `read_struct_conn_` in layer2/CifMoleculeReader.cpp of PyMOL 3.2; 0 is the order of
  ///   bonds to metals, and 4 that of aromatic ones.
  private mutating func writeBondList(besidesComponents hasComponents: Bool) {
    let bonds = molecule.bonds(ofModel: 0)
    guard hasComponents || bonds.contains(where: { touchesMetal($0) || isWithoutNames($0) }) else { return }
    writer.loop("_pymol_bond", ["atom_site_id_1", "atom_site_id_2", "order"])
    for bond in bonds {
      let order = isMetalLink(bond) ? 0 : max(bond.order.rawValue, 1)
      writer.buffer.add("\(bond.first + 1) \(bond.second + 1) \(order)\n")
    }
    writer.buffer.add("#\n")
  }

  /// Returns true if an end of a bond is a metal.
  func touchesMetal(_ bond: Bond) -> Bool {
    let elements = structure.atoms.element
    return elements[Int(bond.first)].isMetal || elements[Int(bond.second)].isMetal
  }

  /// Returns true if a bond joins a metal to another residue.
  private func isMetalLink(_ bond: Bond) -> Bool {
    touchesMetal(bond) && structure.atoms.residue[Int(bond.first)] != structure.atoms.residue[Int(bond.second)]
  }

  /// Returns true if a bond is stated by atom numbers alone.
  private func isWithoutNames(_ bond: Bond) -> Bool {
    bond.origin == .conect && !(hasNameOfItsOwn(Int(bond.first)) && hasNameOfItsOwn(Int(bond.second)))
  }

  private static func row(_ name: String, _ first: String, _ second: String, _ order: BondOrder) -> [String?] {
    let words: [BondOrder: String] = [.single: "sing", .double: "doub", .triple: "trip", .aromatic: "arom"]
    return [name, first, second, words[order], order == .aromatic ? "Y" : "N"]
  }

  /// Returns the bonds within residues whose bonds the file stated by atom numbers, as those of a residue type.
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

  /// The names of residues whose stated bonds apply to their type.
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
