/// One residue: a monomer of a polymer, a ligand or a water.
struct Residue: Equatable, Sendable {
  /// The role of a residue.
  enum Kind: UInt8, Equatable, Sendable {
    case polymer, water, ligand
  }

  var name: NameID
  /// The author's residue number; may be negative.
  var number: Int32
  /// The insertion code as an ASCII code, 0 if there is none.
  var insertionCode: UInt8
  var kind: Kind
  /// Chain index, 0-based.
  var chain: Int32
  /// First atom index and one past the last.
  var firstAtom: Int32
  var endAtom: Int32

  /// Indices of its atoms, 0-based, in file order.
  var atoms: Range<Int> { Int(firstAtom)..<Int(endAtom) }
}

/// The identity of a residue as written by users and files; residues of one file may share it only in different models.
struct ResidueAddress: Hashable, Sendable {
  /// The author's chain name, of any length, may be empty.
  var chain: String
  var number: Int32
  /// The insertion code as an ASCII code, 0 if there is none.
  var insertionCode: UInt8 = 0
  /// The residue name, empty if it does not matter.
  var name: String = ""

  /// The number with insertion code, as in `56A`.
  var numberText: String {
    insertionCode == 0 ? "\(number)" : "\(number)\(Character(UnicodeScalar(insertionCode)))"
  }
}
