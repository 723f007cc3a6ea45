import PluginAPI

/// Something found in a structure that is listed in tables; it refers to atoms and residues by index.
protocol StructureItem: Sendable {
  /// The name of the type, `molecules.name`.
  static var typeName: String { get }

  /// The columns of its tables.
  static var fields: Fields<StructureRow<Self>> { get }
}

/// An item together with its structure: a row of a table.
struct StructureRow<Item: StructureItem>: Model {
  static var typeName: String { Item.typeName }
  static var fields: Fields<StructureRow> { Item.fields }

  let item: Item
  private let shared: SharedStructure

  /// Returns the table of items of a structure.
  static func table(of items: [Item], in structure: Structure) -> Table {
    let shared = SharedStructure(structure)
    return fields.table(of: items.map { StructureRow(item: $0, shared: shared) })
  }

  /// Returns the label of an atom: `A/CYS3/SG`, or `A/CYS3/SG@B` with its alternate location.
  func label(ofAtom atom: Int) -> String { shared.structure.label(ofAtom: atom) }

  /// Returns the name of an atom.
  func atomName(_ atom: Int) -> String { shared.structure.atomName(atom) }

  /// Returns the name of a residue.
  func residueName(_ residue: Int) -> String { shared.structure.residueName(residue) }

  /// Returns the author name of a residue's chain.
  fileprivate func chainName(ofResidue residue: Int) -> String { shared.structure.chainName(ofResidue: residue) }

  fileprivate func residue(_ index: Int) -> Residue { shared.structure.residues[index] }

  /// A structure that rows share without copying it.
  private final class SharedStructure: Sendable {
    let structure: Structure
    init(_ structure: Structure) { self.structure = structure }
  }
}

/// An item that belongs to a residue.
protocol ResidueItem: StructureItem {
  /// The residue's index in the structure, 0-based.
  var residue: Int { get }
}

/// The columns that identify the residue of a row, by the author's names and numbers.
extension StructureRow where Item: ResidueItem {
  static var chain: Field<StructureRow> {
    Field("chain", { $0.chainName(ofResidue: $0.item.residue) }, "author name of the chain", heading: "Chain")
  }

  /// The residue's name, in a column of a name that depends on the table.
  static func residueName(_ name: String) -> Field<StructureRow> {
    Field(name, { $0.residueName($0.item.residue) }, "residue name", heading: "Residue")
  }

  static var number: Field<StructureRow> {
    Field("number", { Int($0.residue($0.item.residue).number) }, "author residue number", heading: "Number")
  }

  static var insertionCode: Field<StructureRow> {
    Field("insertionCode", { $0.residue($0.item.residue).insertionCode.mark }, "insertion code", heading: "Ins")
  }
}

extension UInt8 {
  /// The ASCII code as text; empty for 0, which means none.
  var mark: String { self == 0 ? "" : String(UnicodeScalar(self)) }
}

extension Structure {
  /// Returns the label of an atom: `A/CYS3/SG`, or `A/CYS3/SG@B` with its alternate location.
  func label(ofAtom atom: Int) -> String {
    let address = address(ofResidue: Int(atoms.residue[atom]))
    let letter = atoms.altloc[atom]
    return "\(address.chain)/\(address.name)\(address.numberText)/\(atomName(atom))"
      + (letter == 0 ? "" : "@" + letter.mark)
  }
}
