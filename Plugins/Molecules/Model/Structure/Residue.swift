/// One residue: a monomer of a polymer, a ligand or a water.
struct Residue: Equatable, Sendable {
  /// What part a residue plays.
  enum Kind: UInt8, Equatable, Sendable {
    case polymer, water, ligand
  }

  var name: NameID
  /// Author residue number; may be negative.
  var number: Int32
  /// Insertion code as an ASCII code, 0 when there is none.
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

/// The identity of a residue as users and files write it; several atoms of one file may share it only within one model.
struct ResidueAddress: Hashable, Sendable {
  /// Author chain name, of any length, may be empty.
  var chain: String
  var number: Int32
  /// ASCII code, 0 when there is none.
  var insertionCode: UInt8 = 0
  /// Residue name, empty when it does not matter.
  var name: String = ""

  /// Number with insertion code, as in `56A`.
  var numberText: String {
    insertionCode == 0 ? "\(number)" : "\(number)\(Character(UnicodeScalar(insertionCode)))"
  }
}
