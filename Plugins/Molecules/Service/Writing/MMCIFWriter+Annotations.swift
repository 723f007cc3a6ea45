extension MMCIFWriter {
  /// Writes secondary structure and stated links.
  mutating func writeAnnotations() {
    writer.category(
      "_struct_conf",
      ["conf_type_id", "id", "pdbx_PDB_helix_id"] + Self.rangeItems + [
        "pdbx_PDB_helix_class", "pdbx_PDB_helix_length",
      ],
      structure.helices.enumerated().map { index, helix -> [String?] in
        ["HELX_P", "HELX_P\(index + 1)", helix.id] + Self.range(helix.first, helix.last)
          + ["\(helix.helixClass)", helix.length > 0 ? "\(helix.length)" : nil]
      })
    writeSheets()
    writeConnections()
    writeOperators()
  }

  private static let rangeItems = [
    "beg_auth_comp_id", "beg_auth_asym_id", "beg_auth_seq_id", "pdbx_beg_PDB_ins_code", "end_auth_comp_id",
    "end_auth_asym_id", "end_auth_seq_id", "pdbx_end_PDB_ins_code",
  ]

  private static func range(_ first: ResidueAddress, _ last: ResidueAddress) -> [String?] {
    [first, last].flatMap { [$0.name, $0.chain, "\($0.number)", code($0.insertionCode)] }
  }

  private static func code(_ code: UInt8) -> String? { code == 0 ? nil : String(UnicodeScalar(code)) }

  private mutating func writeSheets() {
    writer.category(
      "_struct_sheet_range", ["sheet_id", "id"] + Self.rangeItems,
      structure.sheets.flatMap { sheet in
        sheet.strands.map { strand -> [String?] in [sheet.id, strand.id] + Self.range(strand.first, strand.last) }
      })
    writer.category(
      "_struct_sheet_order", ["sheet_id", "range_id_1", "range_id_2", "sense"],
      structure.sheets.flatMap { sheet in
        zip(sheet.strands, sheet.strands.dropFirst()).compactMap { before, strand -> [String?]? in
          strand.sense == 0 ? nil : [sheet.id, before.id, strand.id, strand.sense < 0 ? "anti-parallel" : "parallel"]
        }
      })
  }

  private mutating func writeConnections() {
    var items = ["id", "conn_type_id"]
    for end in ["ptnr1_", "ptnr2_"] {
      items += ["label_atom_id", "auth_comp_id", "auth_asym_id", "auth_seq_id"].map { end + $0 }
      items += ["pdbx_" + end + "PDB_ins_code", "pdbx_" + end + "label_alt_id", end + "symmetry"]
    }
    items.append("pdbx_value_order")
    let orders: [UInt8: String] = [1: "sing", 2: "doub", 3: "trip", 4: "arom"]
    let rows = (structure.connections + contacts()).enumerated().map { index, connection -> [String?] in
      let kind = Self.kind(connection.kind)
      var row: [String?] = ["\(kind)\(index + 1)", kind]
      row += Self.end(connection.first, "1_555")
      row += Self.end(connection.second, connection.isWithinUnit ? "1_555" : nil)
      row.append(orders[connection.order])
      return row
    }
    writer.category("_struct_conn", items, rows)
  }

  private static func end(_ end: ConnectionEnd, _ symmetry: String?) -> [String?] {
    [
      end.atomName, end.residue.name, end.residue.chain, "\(end.residue.number)", code(end.residue.insertionCode),
      code(end.altloc), symmetry,
    ]
  }

  private static func kind(_ kind: Connection.Kind) -> String {
    switch kind {
    case .covalent: "covale"
    case .disulfide: "disulf"
    case .metal: "metalc"
    case .hydrogenBond: "hydrog"
    case .unknown: "covale_base"
    }
  }

  /// Bonds that were stated by atom numbers (CONECT) and that no residue type says, as links by name.
  private func contacts() -> [Connection] {
    let atoms = structure.atoms
    func end(_ atom: Int) -> ConnectionEnd {
      ConnectionEnd(
        residue: structure.address(ofResidue: Int(atoms.residue[atom])), atomName: structure.atomName(atom),
        altloc: atoms.altloc[atom])
    }
    /// Whether no other atom of the residue has the atom's name and alternate location.
    func isOnly(_ atom: Int) -> Bool {
      structure.residues[Int(atoms.residue[atom])].atoms.allSatisfy {
        $0 == atom || atoms.name[$0] != atoms.name[atom] || atoms.altloc[$0] != atoms.altloc[atom]
      }
    }
    let types = statedTypes
    return molecule.bonds(ofModel: 0).compactMap { bond in
      let (first, second) = (Int(bond.first), Int(bond.second))
      guard bond.origin == .conect else { return nil }
      let residue = Int(atoms.residue[first])
      if residue == Int(atoms.residue[second]), types.contains(structure.residues[residue].name) { return nil }
      guard isOnly(first), isOnly(second) else { return nil }
      let isMetal = atoms.element[first].isMetal || atoms.element[second].isMetal
      return Connection(
        kind: isMetal ? .metal : .covalent, first: end(first), second: end(second), isWithinUnit: true,
        order: bond.order.rawValue)
    }
  }

  private mutating func writeOperators() {
    writer.category(
      "_struct_ncs_oper", ["id", "code"] + Self.transformItems,
      structure.ncsOperators.enumerated().map { index, transform -> [String?] in
        ["\(index + 1)", "generate"] + Self.values(transform)
      })
  }

  /// Writes assemblies with each operator once; every part lists its own.
  mutating func writeAssemblies() {
    writer.category(
      "_pdbx_struct_assembly", ["id", "details"], structure.assemblies.map { [$0.id, $0.details] })
    var operators: [Transform] = []
    var rows: [[String?]] = []
    for assembly in structure.assemblies {
      for part in assembly.parts {
        let start = operators.count
        operators += part.operators
        let ids = part.operators.count == 1 ? "\(start + 1)" : "(\(start + 1)-\(operators.count))"
        rows.append([assembly.id, ids, part.chains.joined(separator: ",")])
      }
    }
    writer.category("_pdbx_struct_assembly_gen", ["assembly_id", "oper_expression", "asym_id_list"], rows)
    writer.category(
      "_pdbx_struct_oper_list", ["id"] + Self.transformItems,
      operators.enumerated().map { index, transform -> [String?] in ["\(index + 1)"] + Self.values(transform) })
  }

  private static let transformItems = (1...3).flatMap { row in
    (1...3).map { "matrix[\(row)][\($0)]" } + ["vector[\(row)]"]
  }

  private static func values(_ transform: Transform) -> [String?] {
    [transform.row0, transform.row1, transform.row2].enumerated().flatMap { row, vector -> [String?] in
      [vector.x, vector.y, vector.z, transform.translation[row]].map { "\($0)" }
    }
  }

  /// Writes the bonds of residue types: those the file's own dictionary had, and of residues stated by atom numbers.
  mutating func writeBonds() {
    var rows = structure.componentBonds.map {
      Self.row(structure.names[$0.component], structure.names[$0.first], structure.names[$0.second], $0.order)
    }
    rows += statedComponents()
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

  /// The names of residues whose stated bonds can be said of their type.
  ///
  /// No template knows the residue, and all residues of the name, in all models, have the same atoms, none of them twice, and
  /// the same bonds.
  private var statedTypes: Set<NameID> {
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
