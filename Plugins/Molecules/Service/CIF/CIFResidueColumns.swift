/// The columns in which a category names a residue, found once rather than for each row.
struct CIFResidueColumns {
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
struct CIFEndColumns {
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
