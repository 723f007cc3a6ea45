/// Makes secondary structure, links and component bonds of the kept categories.
struct CIFAnnotations {
  let tables: [String: CIFTable]

  /// Fills helices, sheets, connections and component bonds.
  func fill(_ structure: inout Structure) {
    structure.helices = helices()
    structure.sheets = sheets()
    structure.connections = connections()
    structure.componentBonds = componentBonds(names: &structure.names)
  }

  private func helices() -> [Helix] {
    guard let table = tables["_struct_conf"] else { return [] }
    return (0..<table.rowCount).compactMap { row in
      guard table.text(row, "conf_type_id")?.uppercased().hasPrefix("HELX") == true,
        let first = address(table, row, "beg_", "pdbx_beg_pdb_ins_code"),
        let last = address(table, row, "end_", "pdbx_end_pdb_ins_code")
      else { return nil }
      return Helix(
        id: table.text(row, ["pdbx_pdb_helix_id", "id"]) ?? "", first: first, last: last,
        helixClass: table.integer(row, "pdbx_pdb_helix_class") ?? 1,
        length: table.integer(row, "pdbx_pdb_helix_length") ?? 0)
    }
  }

  private func sheets() -> [Sheet] {
    guard let table = tables["_struct_sheet_range"] else { return [] }
    let senses = strandSenses()
    var list: [Sheet] = []
    for row in 0..<table.rowCount {
      guard let sheet = table.text(row, "sheet_id"), let first = address(table, row, "beg_", "pdbx_beg_pdb_ins_code"),
        let last = address(table, row, "end_", "pdbx_end_pdb_ins_code")
      else { continue }
      let id = table.text(row, "id") ?? ""
      let strand = Strand(id: id, first: first, last: last, sense: senses[sheet + "\n" + id] ?? 0)
      if let known = list.lastIndex(where: { $0.id == sheet }) {
        list[known].strands.append(strand)
      } else {
        list.append(Sheet(id: sheet, strands: [strand]))
      }
    }
    return list
  }

  /// Sense of each strand to the one before, by sheet and strand name.
  private func strandSenses() -> [String: Int] {
    guard let table = tables["_struct_sheet_order"] else { return [:] }
    var senses: [String: Int] = [:]
    for row in 0..<table.rowCount {
      guard let sheet = table.text(row, "sheet_id"), let range = table.text(row, "range_id_2") else { continue }
      senses[sheet + "\n" + range] = table.text(row, "sense")?.hasPrefix("anti") == true ? -1 : 1
    }
    return senses
  }

  private func connections() -> [Connection] {
    guard let table = tables["_struct_conn"] else { return [] }
    return (0..<table.rowCount).compactMap { row in
      guard let first = end(table, row, "ptnr1_", "pdbx_ptnr1_"), let second = end(table, row, "ptnr2_", "pdbx_ptnr2_")
      else { return nil }
      return Connection(
        kind: kind(table.text(row, "conn_type_id") ?? ""), first: first, second: second,
        isWithinUnit: table.text(row, "ptnr1_symmetry") == table.text(row, "ptnr2_symmetry"),
        order: Self.order(table.text(row, "pdbx_value_order")).rawValue)
    }
  }

  private func kind(_ type: String) -> Connection.Kind {
    let name = type.lowercased()
    if name.hasPrefix("covale") { return .covalent }
    switch name {
    case "disulf": return .disulfide
    case "metalc": return .metal
    case "hydrog": return .hydrogenBond
    default: return .unknown
    }
  }

  private func end(_ table: CIFTable, _ row: Int, _ prefix: String, _ pdbxPrefix: String) -> ConnectionEnd? {
    guard let residue = address(table, row, prefix, pdbxPrefix + "pdb_ins_code"),
      let atom = table.text(row, [prefix + "label_atom_id", prefix + "auth_atom_id"])
    else { return nil }
    return ConnectionEnd(
      residue: residue, atomName: atom, altloc: table.text(row, pdbxPrefix + "label_alt_id")?.utf8.first ?? 0)
  }

  /// The residue that items with a prefix name, by author names where the file has them.
  private func address(_ table: CIFTable, _ row: Int, _ prefix: String, _ codeItem: String) -> ResidueAddress? {
    guard let number = table.integer(row, prefix + "auth_seq_id") ?? table.integer(row, prefix + "label_seq_id") else {
      return nil
    }
    return ResidueAddress(
      chain: table.text(row, [prefix + "auth_asym_id", prefix + "label_asym_id"]) ?? "",
      number: Int32(truncatingIfNeeded: number), insertionCode: table.text(row, codeItem)?.utf8.first ?? 0,
      name: table.text(row, [prefix + "auth_comp_id", prefix + "label_comp_id"]) ?? "")
  }

  private func componentBonds(names: inout NameTable) -> [ComponentBond] {
    guard let table = tables["_chem_comp_bond"] else { return [] }
    var bonds: [ComponentBond] = []
    for row in 0..<table.rowCount {
      guard let component = table.text(row, "comp_id"), let first = table.text(row, "atom_id_1"),
        let second = table.text(row, "atom_id_2")
      else { continue }
      let isAromatic = table.text(row, "pdbx_aromatic_flag") == "Y"
      bonds.append(
        ComponentBond(
          component: names.intern(component), first: names.intern(first), second: names.intern(second),
          order: isAromatic ? .aromatic : Self.order(table.text(row, "value_order"))))
    }
    return bonds
  }

  /// The bond order that a word of the dictionary names.
  private static func order(_ word: String?) -> BondOrder {
    switch word?.lowercased() {
    case "sing": .single
    case "doub": .double
    case "trip": .triple
    case "arom", "delo": .aromatic
    default: .unknown
    }
  }
}
