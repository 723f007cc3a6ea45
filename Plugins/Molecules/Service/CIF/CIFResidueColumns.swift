/// Where a category names a residue: the columns are found once, not for each row.
struct CIFResidueColumns {
  private let table: CIFTable
  private let numbers: [Int?]
  private let chains: [Int?]
  private let names: [Int?]
  private let insertionCodes: Int?

  /// Finds the items with a prefix; author names come before label names.
  init(_ table: CIFTable, prefix: String, insertionCode: String) {
    self.table = table
    numbers = [table.column(prefix + "auth_seq_id"), table.column(prefix + "label_seq_id")]
    chains = [table.column(prefix + "auth_asym_id"), table.column(prefix + "label_asym_id")]
    names = [table.column(prefix + "auth_comp_id"), table.column(prefix + "label_comp_id")]
    insertionCodes = table.column(insertionCode)
  }

  /// The residue that a row names; nil without a number.
  func address(_ row: Int) -> ResidueAddress? {
    guard let number = table.integer(row, at: numbers[0]) ?? table.integer(row, at: numbers[1]) else { return nil }
    return ResidueAddress(
      chain: table.text(row, at: chains[0]) ?? table.text(row, at: chains[1]) ?? "",
      number: Int32(truncatingIfNeeded: number),
      insertionCode: table.text(row, at: insertionCodes)?.utf8.first ?? 0,
      name: table.text(row, at: names[0]) ?? table.text(row, at: names[1]) ?? "")
  }
}

/// Where _struct_conn names one end of a link.
struct CIFEndColumns {
  private let table: CIFTable
  private let residue: CIFResidueColumns
  private let atoms: [Int?]
  private let altlocs: Int?

  /// Finds the items with a prefix, and those with another that the archive added later.
  init(_ table: CIFTable, prefix: String, pdbxPrefix: String) {
    self.table = table
    residue = CIFResidueColumns(table, prefix: prefix, insertionCode: pdbxPrefix + "pdb_ins_code")
    atoms = [table.column(prefix + "label_atom_id"), table.column(prefix + "auth_atom_id")]
    altlocs = table.column(pdbxPrefix + "label_alt_id")
  }

  /// The end that a row names; nil without a residue number or an atom.
  func end(_ row: Int) -> ConnectionEnd? {
    guard let address = residue.address(row),
      let atom = table.text(row, at: atoms[0]) ?? table.text(row, at: atoms[1])
    else { return nil }
    return ConnectionEnd(
      residue: address, atomName: atom, altloc: table.text(row, at: altlocs)?.utf8.first ?? 0)
  }
}
