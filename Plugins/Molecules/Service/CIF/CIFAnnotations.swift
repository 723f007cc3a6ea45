import PluginText

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

/// The columns in which a category names a residue, found once rather than for each row.
private struct CIFResidueColumns {
  private let table: CIFTable
  private let numbers: [Int?]
  private let chains: [Int?]
  private let names: [Int?]
  private let insertionCodes: Int?

  /// Finds the items with a prefix and a suffix; author names take precedence over label names.
  init(_ table: CIFTable, prefix: String, suffix: String = "", insertionCode: String) {
    func columns(_ item: String) -> [Int?] {
      ["auth", "label"].map { table.column("\(prefix)\($0)_\(item)_id\(suffix)") }
    }
    self.table = table
    numbers = columns("seq")
    chains = columns("asym")
    names = columns("comp")
    insertionCodes = table.column(insertionCode)
  }

  /// Returns the residue named by a row; nil without a number.
  func address(_ row: Int) -> ResidueAddress? {
    guard let number = table.integer(row, at: numbers[0]) ?? table.integer(row, at: numbers[1]) else { return nil }
    return ResidueAddress(
      chain: table.text(row, at: chains[0]) ?? table.text(row, at: chains[1]) ?? "",
      number: Int32(truncatingIfNeeded: number),
      insertionCode: table.text(row, at: insertionCodes)?.utf8.first ?? 0,
      name: table.text(row, at: names[0]) ?? table.text(row, at: names[1]) ?? "")
  }
}

/// The columns in which _struct_conn names one end of a link.
private struct CIFEndColumns {
  private let table: CIFTable
  private let residue: CIFResidueColumns
  private let atoms: [Int?]
  private let altlocs: Int?

  /// Finds the items with a prefix, and those with another prefix that the archive added later.
  init(_ table: CIFTable, prefix: String, pdbxPrefix: String) {
    self.table = table
    residue = CIFResidueColumns(table, prefix: prefix, insertionCode: pdbxPrefix + "pdb_ins_code")
    atoms = [table.column(prefix + "label_atom_id"), table.column(prefix + "auth_atom_id")]
    altlocs = table.column(pdbxPrefix + "label_alt_id")
  }

  /// Returns the end named by a row; nil without a residue number.
  ///
  /// Rows of mismatched base pairs name no atoms.
  func end(_ row: Int) -> ConnectionEnd? {
    guard let address = residue.address(row) else { return nil }
    return ConnectionEnd(
      residue: address, atomName: table.text(row, at: atoms[0]) ?? table.text(row, at: atoms[1]) ?? "",
      altloc: table.text(row, at: altlocs)?.utf8.first ?? 0)
  }
}

/// Builds assemblies and non-crystallographic operators from the stored categories.
struct CIFAssemblies {
  let tables: [String: CIFTable]
  /// The file of the tables; nil if it is binary.
  let file: UnsafeBufferPointer<UInt8>?
  /// The largest number of operators in one part: an expression of a few bytes could expand to any number.
  static let mostOperators = 100_000

  /// Returns the assemblies in file order with all products of operators expanded.
  func assemblies(log: inout DiagnosticLog) -> [Assembly] {
    guard let generators = tables["_pdbx_struct_assembly_gen"] else { return [] }
    let operators = operatorsByID()
    var list: [Assembly] = []
    for row in 0..<generators.rowCount {
      guard let id = generators.text(row, "assembly_id"), let expression = generators.text(row, "oper_expression")
      else { continue }
      let chains = (generators.text(row, "asym_id_list") ?? "").replacingLineEnds().split(separator: ",")
      guard let transforms = Self.expand(expression, operators) else {
        log.add(
          "cif-operators-unreadable", at: CIFContent.location(of: generators.offset(row, "oper_expression"), in: file),
          "operator expression '\(expression)' of assembly '\(id)' has unknown or too many operators; it was left out")
        continue
      }
      let part = AssemblyPart(chains: chains.map { $0.trimmed() }, usesLabels: true, operators: transforms)
      if let known = list.firstIndex(where: { $0.id == id }) {
        list[known].parts.append(part)
      } else {
        list.append(
          Assembly(
            id: id, details: text(id, "details"), oligomericDetails: text(id, "oligomeric_details"), parts: [part]))
      }
    }
    return list
  }

  private func text(_ id: String, _ item: String) -> String {
    guard let table = tables["_pdbx_struct_assembly"] else { return "" }
    let row = (0..<table.rowCount).first { table.text($0, "id") == id }
    return row.flatMap { table.text($0, item) } ?? ""
  }

  private func operatorsByID() -> [String: Transform] {
    guard let table = tables["_pdbx_struct_oper_list"] else { return [:] }
    var operators: [String: Transform] = [:]
    for row in 0..<table.rowCount {
      guard let id = table.text(row, "id") else { continue }
      operators[id] = Self.transform(table, row)
    }
    return operators
  }

  /// Returns the non-crystallographic operators; the coordinates already include the copies of those without the code
  /// `generate`.
  func ncsOperators() -> [NCSOperator] {
    guard let table = tables["_struct_ncs_oper"] else { return [] }
    return (0..<table.rowCount).map { row in
      NCSOperator(
        transform: Self.transform(table, row), isGiven: table.text(row, "code")?.lowercased() != "generate")
    }
  }

  /// Returns the transformation to the deposited coordinates; nil if not stated.
  func depositedFrame() -> Transform? {
    guard let table = tables["_database_pdb_matrix"], table.rowCount > 0, table.has("origx[1][1]") else { return nil }
    return Self.transform(table, 0, matrix: "origx", vector: "origx_vector")
  }

  private static func transform(
    _ table: CIFTable, _ row: Int, matrix: String = "matrix", vector: String = "vector"
  ) -> Transform {
    func line(_ line: Int) -> SIMD3<Double> {
      SIMD3(
        table.number(row, "\(matrix)[\(line)][1]") ?? (line == 1 ? 1 : 0),
        table.number(row, "\(matrix)[\(line)][2]") ?? (line == 2 ? 1 : 0),
        table.number(row, "\(matrix)[\(line)][3]") ?? (line == 3 ? 1 : 0))
    }
    func shift(_ axis: Int) -> Double { table.number(row, "\(vector)[\(axis)]") ?? 0 }
    return Transform(
      row0: line(1), row1: line(2), row2: line(3), translation: SIMD3(shift(1), shift(2), shift(3)))
  }

  /// Returns the transformations of an operator expression; nil if it names an unknown operator, or too many.
  ///
  /// Grammar: adjacent factors are multiplied, the right one is applied first; a factor is a bracketed or bare list of
  /// names and number ranges, as in `1`, `1,2,5`, `(1-60)(61-88)`, `P(61-88)`, `(X0)(1-60)`.
  /// - Source: PDBx/mmCIF dictionary, _pdbx_struct_assembly_gen.oper_expression
  static func expand(_ expression: String, _ operators: [String: Transform]) -> [Transform]? {
    var result: [Transform]?
    for factor in factors(expression) {
      var transforms: [Transform] = []
      for name in factor {
        guard let transform = operators[name] else { return nil }
        transforms.append(transform)
      }
      guard let left = result else {
        result = transforms
        continue
      }
      guard left.count * transforms.count <= mostOperators else { return nil }
      result = left.flatMap { outer in transforms.map { outer.after($0) } }
    }
    return result
  }

  /// Returns the factors of an expression, each a list of operator names with expanded ranges.
  private static func factors(_ expression: String) -> [[String]] {
    var factors: [[String]] = []
    var text = ""
    func close() {
      let names = text.split(separator: ",").flatMap { range($0.trimmed()) }
      if !names.isEmpty { factors.append(names) }
      text = ""
    }
    for character in expression {
      switch character {
      case "(", ")": close()
      case "'", "\"", " ", "\n", "\r": break
      default: text.append(character)
      }
    }
    close()
    return factors
  }

  private static func range(_ text: String) -> [String] {
    let ends = text.split(separator: "-")
    guard ends.count == 2, let first = Int(ends[0]), let last = Int(ends[1]), first <= last,
      last - first < mostOperators
    else { return text.isEmpty ? [] : [text] }
    return (first...last).map { String($0) }
  }
}
