import PluginAPI

/// The columns that identify the residue of a table's row, by the author's names and numbers.
struct ResidueColumns {
  let chain: Table.Column
  let residue: Table.Column
  let number: Table.Column
  let insertionCode: Table.Column

  /// Creates the columns.
  ///
  /// - Parameters:
  ///   - residues: Residue indices of the structure, 0-based, a row for each.
  ///   - structure: Their structure.
  init(_ residues: [Int], of structure: Structure) {
    let rows = residues.map { structure.residues[$0] }
    let codes = rows.map { $0.insertionCode == 0 ? "" : String(UnicodeScalar($0.insertionCode)) }
    chain = .init("chain", title: "Chain", .texts(residues.map { structure.chainName(ofResidue: $0) }))
    residue = .init("residue", title: "Residue", .texts(rows.map { structure.names[$0.name] }))
    number = .init("number", title: "Number", .integers(rows.map { Int($0.number) }))
    insertionCode = .init("insertionCode", title: "Ins", .texts(codes))
  }

  /// The columns in the order of most tables.
  var all: [Table.Column] { [chain, residue, number, insertionCode] }
}
