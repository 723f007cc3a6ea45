extension MMCIFWriter {
  /// Writes secondary structure, stated links, cis peptides and modified residues.
  mutating func writeAnnotations() {
    let sites = CIFSites(structure, labels)
    writeHelices(sites)
    writeSheets(sites)
    writeConnections(sites)
    writeCisPeptides(sites)
    writeModifiedResidues(sites)
  }

  private mutating func writeHelices(_ sites: CIFSites) {
    guard !structure.helices.isEmpty else { return }
    writer.category("_struct_conf_type", ["id"], [["HELX_P"]])
    writer.category(
      "_struct_conf",
      ["conf_type_id", "id", "pdbx_PDB_helix_id"] + CIFSites.rangeItems + [
        "pdbx_PDB_helix_class", "pdbx_PDB_helix_length",
      ],
      structure.helices.enumerated().map { index, helix -> [String?] in
        ["HELX_P", "HELX_P\(index + 1)", helix.id] + sites.range(helix.first, helix.last)
          + ["\(helix.helixClass)", helix.length > 0 ? "\(helix.length)" : nil]
      })
  }

  private mutating func writeSheets(_ sites: CIFSites) {
    writer.category(
      "_struct_sheet", ["id", "number_strands"], structure.sheets.map { [$0.id, "\($0.strands.count)"] })
    writer.category(
      "_struct_sheet_range", ["sheet_id", "id"] + CIFSites.rangeItems,
      structure.sheets.flatMap { sheet in
        sheet.strands.map { strand -> [String?] in [sheet.id, strand.id] + sites.range(strand.first, strand.last) }
      })
    writer.category(
      "_struct_sheet_order", ["sheet_id", "range_id_1", "range_id_2", "sense"],
      structure.sheets.flatMap { sheet in
        zip(sheet.strands, sheet.strands.dropFirst()).compactMap { before, strand -> [String?]? in
          strand.sense == 0 ? nil : [sheet.id, before.id, strand.id, strand.sense < 0 ? "anti-parallel" : "parallel"]
        }
      })
  }

  private mutating func writeConnections(_ sites: CIFSites) {
    let connections = structure.connections + contacts()
    var kinds: [String] = []
    let rows = connections.enumerated().map { index, connection -> [String?] in
      let kind = Self.kind(connection.kind)
      if !kinds.contains(kind) { kinds.append(kind) }
      return ["\(kind)\(index + 1)", kind] + sites.end(connection.first) + sites.end(connection.second)
        + [
          sites.distance(connection).map { DecimalText.fixed($0, 3) },
          BondOrder(rawValue: connection.order).flatMap(Self.word),
        ]
    }
    writer.category("_struct_conn_type", ["id"], kinds.map { [$0] })
    writer.category(
      "_struct_conn",
      ["id", "conn_type_id"] + CIFSites.endItems(1) + CIFSites.endItems(2) + ["pdbx_dist_value", "pdbx_value_order"],
      rows)
  }

  private static func kind(_ kind: Connection.Kind) -> String {
    switch kind {
    case .covalent: "covale"
    case .disulfide: "disulf"
    case .metal: "metalc"
    case .hydrogenBond: "hydrog"
    case .unknown: "mismat"
    }
  }

  /// Returns the bonds between residues that the file states by atom numbers (CONECT), as links by name.
  private func contacts() -> [Connection] {
    let atoms = structure.atoms
    func end(_ atom: Int) -> ConnectionEnd {
      ConnectionEnd(
        residue: structure.address(ofResidue: Int(atoms.residue[atom])), atomName: structure.atomName(atom),
        altloc: atoms.altloc[atom], symmetry: "1_555")
    }
    return molecule.bonds(ofModel: 0).compactMap { bond in
      let (first, second) = (Int(bond.first), Int(bond.second))
      guard bond.origin == .conect, component(bond) == nil, hasNameOfItsOwn(first), hasNameOfItsOwn(second) else {
        return nil
      }
      return Connection(
        kind: touchesMetal(bond) ? .metal : .covalent, first: end(first), second: end(second),
        order: bond.order.rawValue)
    }
  }

  /// Returns true if no other atom of the residue has the atom's name and alternate location.
  private func hasNameOfItsOwn(_ atom: Int) -> Bool {
    let atoms = structure.atoms
    return structure.residues[Int(atoms.residue[atom])].atoms.allSatisfy {
      $0 == atom || atoms.name[$0] != atoms.name[atom] || atoms.altloc[$0] != atoms.altloc[atom]
    }
  }

  private mutating func writeCisPeptides(_ sites: CIFSites) {
    let numbers = modelNumbers
    writer.category(
      "_struct_mon_prot_cis",
      ["pdbx_id", "label_alt_id"] + CIFSites.residueItems(code: "pdbx_PDB_ins_code")
        + CIFSites.residueItems(prefix: "pdbx_", suffix: "_2", code: "pdbx_PDB_ins_code_2")
        + ["pdbx_PDB_model_num", "pdbx_omega_angle"],
      structure.cisPeptides.enumerated().map { index, bond -> [String?] in
        let model = structure.models.firstIndex { $0.number == bond.model } ?? 0
        return ["\(index + 1)", CIFSites.code(bond.altloc) ?? CIFTextWriter.inapplicable] + sites.residue(bond.first)
          + sites.residue(bond.second) + ["\(numbers[model])", bond.omega.map { DecimalText.fixed($0, 2) }]
      })
  }

  private mutating func writeModifiedResidues(_ sites: CIFSites) {
    writer.category(
      "_pdbx_struct_mod_residue",
      ["id"] + CIFSites.residueItems(code: "PDB_ins_code") + ["parent_comp_id", "details"],
      structure.modifiedResidues.enumerated().map { index, row -> [String?] in
        ["\(index + 1)"] + sites.residue(row.residue) + [row.parent, row.details]
      })
  }
}

// MARK: Bonds

extension MMCIFWriter {
  /// Writes the bonds of residue types: those of the file's own dictionary, and those of residues stated by atom
  /// numbers.
  mutating func writeBonds() {
    let rows = (structure.componentBonds + statedComponents()).map { bond -> [String?] in
      [
        structure.names[bond.component], structure.names[bond.first], structure.names[bond.second],
        Self.word(bond.order), bond.order == .aromatic ? "Y" : "N",
      ]
    }
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
  private func touchesMetal(_ bond: Bond) -> Bool {
    let elements = structure.atoms.element
    return elements[Int(bond.first)].isMetal || elements[Int(bond.second)].isMetal
  }

  /// Returns true if a bond joins a metal to another residue.
  private func isMetalLink(_ bond: Bond) -> Bool { touchesMetal(bond) && component(bond) == nil }

  /// Returns true if a bond is stated by atom numbers, and is not a link by name.
  private func isWithoutNames(_ bond: Bond) -> Bool {
    bond.origin == .conect
      && !(component(bond) == nil && hasNameOfItsOwn(Int(bond.first)) && hasNameOfItsOwn(Int(bond.second)))
  }

  /// Returns the name of the residue that a bond belongs to; nil if it joins two residues.
  private func component(_ bond: Bond) -> NameID? {
    let residue = structure.atoms.residue[Int(bond.first)]
    return residue == structure.atoms.residue[Int(bond.second)] ? structure.residues[Int(residue)].name : nil
  }

  /// Returns the dictionary's word for a bond order; nil if it is unknown.
  private static func word(_ order: BondOrder) -> String? {
    switch order {
    case .single: "sing"
    case .double: "doub"
    case .triple: "trip"
    case .aromatic: "arom"
    case .unknown: nil
    }
  }

  /// Returns the bonds of residue types that the file states by atom numbers, by type.
  ///
  /// A type has the bonds of all its residues, since each may lack atoms. It has none if they differ in the stated
  /// order of a bond, if one would get a bond that it does not have, or if atoms of one name are bonded.
  private func statedComponents() -> [ComponentBond] {
    let models = structure.models.indices.map { molecule.bonds(ofModel: $0) }
    var names: Set<NameID> = []
    let types = models.joined().filter { $0.origin == .conect }.compactMap(component)
      .filter { names.insert($0).inserted }
    guard !types.isEmpty else { return [] }
    var bonds: [ComponentBond] = []
    var indices: [SIMD3<NameID>: Int] = [:]
    var unfit: Set<NameID> = []
    for bond in models.joined() {
      guard let type = component(bond), names.contains(type) else { continue }
      let (first, second) = (structure.atoms.name[Int(bond.first)], structure.atoms.name[Int(bond.second)])
      if first == second { unfit.insert(type) }
      let key = SIMD3(type, min(first, second), max(first, second))
      guard let index = indices[key] else {
        indices[key] = bonds.count
        bonds.append(ComponentBond(component: type, first: first, second: second, order: bond.order))
        continue
      }
      // Bonds found by distance have no order, so they contradict none.
      if bond.order == .unknown { continue }
      if bonds[index].order == .unknown { bonds[index].order = bond.order }
      if bonds[index].order != bond.order { unfit.insert(type) }
    }
    unfit.formUnion(misapplied(bonds, models))
    return types.filter { !unfit.contains($0) }.flatMap { type in bonds.filter { $0.component == type } }
  }

  /// Returns the residue types whose bonds apply to residues that do not have them.
  private func misapplied(_ bonds: [ComponentBond], _ models: [[Bond]]) -> Set<NameID> {
    var typed = structure
    typed.componentBonds += bonds
    var templates = TemplateBonds(typed)
    var types: Set<NameID> = []
    for (model, bonds) in zip(structure.models, models) {
      let known = Set(bonds.map { SIMD2($0.first, $0.second) })
      var collector = BondCollector(expected: bonds.count)
      templates.add(model, to: &collector)
      for bond in collector.bonds where bond.origin == .template {
        guard !known.contains(SIMD2(bond.first, bond.second)), let type = component(bond) else { continue }
        types.insert(type)
      }
    }
    return types
  }
}

/// Identifies residues and atoms of annotations by their author and label items.
struct CIFSites {
  private let structure: Structure
  private let labels: CIFLabels
  private let residues: [ResidueAddress: Int]

  /// Creates the identification for a structure and its labels.
  ///
  /// - Complexity: linear in the residues of the first model.
  init(_ structure: Structure, _ labels: CIFLabels) {
    self.structure = structure
    self.labels = labels
    residues = Dictionary(
      structure.models[0].residues.map { (structure.address(ofResidue: $0), $0) },
      uniquingKeysWith: { first, _ in first })
  }

  // MARK: Residues

  /// Returns the items that identify a residue, in the order of the values of ``residue(_:)``.
  static func residueItems(prefix: String = "", suffix: String = "", code: String) -> [String] {
    ["label_asym_id", "label_comp_id", "label_seq_id", "auth_asym_id", "auth_comp_id", "auth_seq_id"]
      .map { prefix + $0 + suffix } + [code]
  }

  /// Returns the values that identify a residue; labels are unknown if the coordinates lack it.
  func residue(_ address: ResidueAddress) -> [String?] {
    let index = residues[address] ?? structure.residue(at: address)
    let part = index.map { labels.part(ofResidue: $0) }
    let number = index.map { residue in labels.number(ofResidue: residue).map { "\($0)" } ?? CIFTextWriter.inapplicable
    }
    let name = address.name.isEmpty ? index.map { structure.residueName($0) } : address.name
    return [
      part?.label, name, number, Self.chain(address.chain), name, "\(address.number)", Self.code(address.insertionCode),
    ]
  }

  /// Returns the author name of a chain as a value, which is explicit even if empty, so that readers do not use the
  /// label instead.
  static func chain(_ name: String) -> String { name.isEmpty ? CIFTextWriter.empty : name }

  /// Returns the letter of an insertion code or an alternate location; nil if there is none.
  static func code(_ code: UInt8) -> String? { code == 0 ? nil : String(UnicodeScalar(code)) }

  // MARK: Ranges

  static let rangeItems = ["beg", "end"].flatMap { end in
    residueItems(prefix: end + "_", code: "pdbx_\(end)_PDB_ins_code")
  }

  func range(_ first: ResidueAddress, _ last: ResidueAddress) -> [String?] { residue(first) + residue(last) }

  // MARK: Links

  /// Returns the items that identify an end of a link, in the order of the values of ``end(_:)``.
  static func endItems(_ number: Int) -> [String] {
    ["ptnr\(number)_label_atom_id"] + residueItems(prefix: "ptnr\(number)_", code: "pdbx_ptnr\(number)_PDB_ins_code")
      + ["pdbx_ptnr\(number)_label_alt_id", "ptnr\(number)_symmetry"]
  }

  func end(_ end: ConnectionEnd) -> [String?] {
    [end.atomName] + residue(end.residue) + [Self.code(end.altloc), end.symmetry]
  }

  /// Returns the length of a link within one copy of the asymmetric unit, in Å; nil if an atom is missing.
  func distance(_ connection: Connection) -> Double? {
    guard connection.isWithinUnit, let first = atom(connection.first), let second = atom(connection.second) else {
      return nil
    }
    let step = structure.atoms.position(second) - structure.atoms.position(first)
    return (step * step).sum().squareRoot()
  }

  private func atom(_ end: ConnectionEnd) -> Int? {
    guard let residue = residues[end.residue] else { return nil }
    return structure.residues[residue].atoms.first {
      structure.atoms.altloc[$0] == end.altloc && structure.atomName($0) == end.atomName
    }
  }
}
