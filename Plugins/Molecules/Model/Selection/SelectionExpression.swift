/// What a selection says, as a tree.
indirect enum SelectionExpression: Equatable, Sendable {
  case all
  case none
  /// Atoms of a class, as `protein`.
  case member(of: SelectionClass)
  /// Atoms or residues whose name matches one of the patterns, as `resn ALA+GLY`.
  case text(SelectionTextProperty, [TextPattern])
  /// Residues by number and insertion code, as `resi 5-10+52A`.
  case residueNumbers([ResidueNumberRange])
  /// Atoms of which a number lies in one of the ranges, as `serial 1-100`.
  case numbers(SelectionNumberProperty, [ClosedRange<Double>])
  /// Atoms of which a number compares so to another, as `b > 30`.
  case comparison(SelectionNumberProperty, SelectionComparison, Double)
  /// Atoms by place, as `A/50/CA`.
  case path(AtomPath)
  /// The atoms of a named set.
  case set(String)
  case not(SelectionExpression)
  case and([SelectionExpression])
  case or([SelectionExpression])
  /// Atoms at most so many Å from one of the others, these included.
  case within(Double, of: SelectionExpression)
  /// Atoms farther than so many Å from all of the others.
  case beyond(Double, of: SelectionExpression)
  /// Atoms at most so many Å from one of the others, these left out.
  case around(Double, of: SelectionExpression)
  /// Whole residues, chains, molecules or models of which an atom is meant.
  case whole(SelectionUnit, SelectionExpression)
  /// The atoms of the first that some of the second have the identity of.
  case matching(SelectionExpression, SelectionIdentity, SelectionExpression)
  /// The first or the last atom of a model, in the order of the file.
  case end(SelectionEnd, SelectionExpression)
  /// Atoms bonded to an atom of a set: all of them, or those that are not of the set.
  case bonded(SelectionExpression, isOutside: Bool)
  /// A set and the atoms at most so many bonds from it.
  case extended(Int, SelectionExpression)
  /// Residues of proteins whose one-letter codes follow each other so, as `pepseq ACDE`.
  case sequences([[UInt8]])
}

/// What an atom can be.
enum SelectionClass: String, CaseIterable, Sendable {
  case polymer, protein, nucleic, dna, rna, ligand, organic, water, backbone, sidechain, hydrogen, metal, hetero
  case helix, sheet, loop
  /// Neither helix nor sheet, loops and other molecules too.
  case unassigned
  case inorganic, guide, donors, acceptors
}

/// What names an atom has.
enum SelectionTextProperty: String, Sendable {
  case chain, segment, residueName, name, element, alternate

  /// True if `a` and `A` differ, as for chains, segments and alternate locations.
  var isCaseSensitive: Bool { self == .chain || self == .segment || self == .alternate }

  /// What one value is called in messages.
  var valueName: String {
    switch self {
    case .chain: "a chain name"
    case .segment: "a segment name"
    case .residueName: "a residue name"
    case .name: "an atom name"
    case .element: "an element symbol"
    case .alternate: "an alternate location"
    }
  }
}

/// What numbers an atom has.
enum SelectionNumberProperty: String, Sendable {
  case bFactor, occupancy, charge, x, y, z, serial, index, model, residueNumber

  /// Whether its values are whole numbers, which are given as lists and ranges too.
  var isInteger: Bool {
    switch self {
    case .bFactor, .occupancy, .x, .y, .z: false
    case .charge, .serial, .index, .model, .residueNumber: true
    }
  }
}

/// How two numbers compare.
enum SelectionComparison: String, Sendable {
  case less = "<"
  case lessOrEqual = "<="
  case greater = ">"
  case greaterOrEqual = ">="
  case equal = "="
  case unequal = "!="

  /// Whether the numbers compare so; what is not a number compares in no way.
  @inline(__always)
  func holds<Number: FloatingPoint>(_ left: Number, _ right: Number) -> Bool {
    switch self {
    case .less: left < right
    case .lessOrEqual: left <= right
    case .greater: left > right
    case .greaterOrEqual: left >= right
    case .equal: left == right
    case .unequal: left < right || left > right
    }
  }
}

/// What a selection can be widened to.
enum SelectionUnit: String, Sendable {
  case residue, chain, model
  /// The groups of atoms that bonds hold together.
  case molecule
}

/// The fields in which atoms of two sets are to agree.
enum SelectionIdentity: Equatable, Sendable {
  /// Chain, residue and atom name, as `in` demands.
  case full
  /// Residue number and atom name, as `like` demands.
  case numberAndName
}

/// An end of the atoms of a model.
enum SelectionEnd: Equatable, Sendable {
  case first, last
}

/// The place of atoms in the hierarchy; what is nil may be anything.
struct AtomPath: Equatable, Sendable {
  var segment: [TextPattern]?
  var chain: [TextPattern]?
  var residue: [PathResidue]?
  var name: [TextPattern]?
  /// The conformer: this alternate location, as an ASCII code, and atoms without one beside it.
  var conformer: UInt8?

  /// A residue in a path: by number, or by what stands there as text: name, or name and number as `CYS3`.
  enum PathResidue: Equatable, Sendable {
    case number(ResidueNumberRange)
    case text(TextPattern)
  }
}
