/// Builds secondary structure, links and component bonds from the stored categories.
struct CIFAnnotations {
  let tables: [String: CIFTable]

  /// Fills in helices, sheets, connections and component bonds.
  func fill(_ structure: inout Structure) {
    structure.helices = helices()
    structure.sheets = sheets()
    structure.connections = connections()
    structure.cisPeptides = cisPeptides()
    structure.modifiedResidues = modifiedResidues()
    structure.componentBonds = componentBonds(names: &structure.names)
  }

  private func helices() -> [Helix] {
    guard let table = tables["_struct_conf"] else { return [] }
    let (begin, end) = ends(of: table)
    return (0..<table.rowCount).compactMap { row in
      guard let type = table.text(row, "conf_type_id")?.uppercased(), type.hasPrefix("HELX"),
        let first = begin.address(row), let last = end.address(row)
      else { return nil }
      return Helix(
        id: table.text(row, ["pdbx_pdb_helix_id", "id"]) ?? "", first: first, last: last,
        helixClass: table.integer(row, "pdbx_pdb_helix_class") ?? Self.helixClasses[type] ?? 1,
        length: table.integer(row, "pdbx_pdb_helix_length") ?? 0)
    }
  }

  /// Helix classes of the PDB format by type name.
  private static let helixClasses = [
    "HELX_RH_AL_P": 1, "HELX_RH_OM_P": 2, "HELX_RH_PI_P": 3, "HELX_RH_GA_P": 4, "HELX_RH_3T_P": 5, "HELX_LH_AL_P": 6,
    "HELX_LH_OM_P": 7, "HELX_LH_GA_P": 8, "HELX_RH_27_P": 9, "HELX_LH_PP_P": 10,
  ]

  /// Returns the columns of the first and the last residue of a helix or strand.
  private func ends(of table: CIFTable) -> (begin: CIFResidueColumns, end: CIFResidueColumns) {
    (
      CIFResidueColumns(table, prefix: "beg_", insertionCode: "pdbx_beg_pdb_ins_code"),
      CIFResidueColumns(table, prefix: "end_", insertionCode: "pdbx_end_pdb_ins_code")
    )
  }

  private func sheets() -> [Sheet] {
    guard let table = tables["_struct_sheet_range"] else { return [] }
    let senses = strandSenses()
    let (begin, end) = ends(of: table)
    var list: [Sheet] = []
    for row in 0..<table.rowCount {
      guard let sheet = table.text(row, "sheet_id"), let first = begin.address(row),
        let last = end.address(row)
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

  /// Returns the sense of each strand relative to the previous one, by sheet and strand name.
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
    let ends = [1, 2].map { number in
      CIFEndColumns(table, prefix: "ptnr\(number)_", pdbxPrefix: "pdbx_ptnr\(number)_")
    }
    let (kinds, orders) = (table.column("conn_type_id"), table.column("pdbx_value_order"))
    let symmetry = (table.column("ptnr1_symmetry"), table.column("ptnr2_symmetry"))
    return (0..<table.rowCount).compactMap { row in
      guard var first = ends[0].end(row), var second = ends[1].end(row) else { return nil }
      first.symmetry = table.text(row, at: symmetry.0) ?? ""
      second.symmetry = table.text(row, at: symmetry.1) ?? ""
      return Connection(
        kind: kind(table.text(row, at: kinds) ?? ""), first: first, second: second,
        order: Self.order(table.text(row, at: orders)).rawValue)
    }
  }

  private func cisPeptides() -> [CisPeptide] {
    guard let table = tables["_struct_mon_prot_cis"] else { return [] }
    let first = CIFResidueColumns(table, prefix: "", insertionCode: "pdbx_pdb_ins_code")
    let second = CIFResidueColumns(table, prefix: "pdbx_", suffix: "_2", insertionCode: "pdbx_pdb_ins_code_2")
    return (0..<table.rowCount).compactMap { row in
      guard let one = first.address(row), let other = second.address(row) else { return nil }
      return CisPeptide(
        first: one, second: other, altloc: table.text(row, "label_alt_id")?.utf8.first ?? 0,
        model: table.integer(row, "pdbx_pdb_model_num") ?? 0, omega: table.number(row, "pdbx_omega_angle"))
    }
  }

  private func modifiedResidues() -> [ModifiedResidue] {
    guard let table = tables["_pdbx_struct_mod_residue"] else { return [] }
    let residues = CIFResidueColumns(table, prefix: "", insertionCode: "pdb_ins_code")
    return (0..<table.rowCount).compactMap { row in
      residues.address(row).map {
        ModifiedResidue(
          residue: $0, parent: table.text(row, "parent_comp_id") ?? "", details: table.text(row, "details") ?? "")
      }
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

  private func componentBonds(names: inout NameTable) -> [ComponentBond] {
    guard let table = tables["_chem_comp_bond"] else { return [] }
    let (components, firsts) = (table.column("comp_id"), table.column("atom_id_1"))
    let (seconds, orders) = (table.column("atom_id_2"), table.column("value_order"))
    let aromatic = table.column("pdbx_aromatic_flag")
    var bonds: [ComponentBond] = []
    for row in 0..<table.rowCount {
      guard let component = table.text(row, at: components), let first = table.text(row, at: firsts),
        let second = table.text(row, at: seconds)
      else { continue }
      let isAromatic = table.text(row, at: aromatic) == "Y"
      bonds.append(
        ComponentBond(
          component: names.intern(component), first: names.intern(first), second: names.intern(second),
          order: isAromatic ? .aromatic : Self.order(table.text(row, at: orders))))
    }
    return bonds
  }

  /// Returns the bond order for a word of the dictionary.
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
