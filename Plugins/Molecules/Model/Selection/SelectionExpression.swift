/// A selection as a syntax tree.
indirect enum SelectionExpression: Equatable, Sendable {
  case all
  case none
  /// Atoms of a class, as `protein`.
  case member(of: SelectionClass)
  /// Atoms or residues whose name matches one of the patterns, as `resn ALA+GLY`.
  case text(SelectionTextProperty, [TextPattern])
  /// Residues by number and insertion code, as `resi 5-10+52A`.
  case residueNumbers([ResidueNumberRange])
  /// Atoms with a number in one of the ranges, as `serial 1-100`.
  case numbers(SelectionNumberProperty, [ClosedRange<Double>])
  /// Atoms with a number that satisfies a comparison, as `b > 30`.
  case comparison(SelectionNumberProperty, SelectionComparison, Double)
  /// Atoms by path, as `A/50/CA`.
  case path(AtomPath)
  /// The atoms of a named set.
  case set(String)
  case not(SelectionExpression)
  case and([SelectionExpression])
  case or([SelectionExpression])
  /// Atoms within a distance in Å from one of the others, including these.
  case within(Double, of: SelectionExpression)
  /// Atoms farther than a distance in Å from all of the others.
  case beyond(Double, of: SelectionExpression)
  /// Atoms within a distance in Å from one of the others, excluding these.
  case around(Double, of: SelectionExpression)
  /// Whole residues, chains, molecules or models that have a selected atom.
  case whole(SelectionUnit, SelectionExpression)
  /// The atoms of the first set that share the identity of an atom of the second.
  case matching(SelectionExpression, SelectionIdentity, SelectionExpression)
  /// The first or the last atom of a model, in the order of the file.
  case end(SelectionEnd, SelectionExpression)
  /// Atoms bonded to an atom of a set: all of them, or only those outside the set.
  case bonded(SelectionExpression, isOutside: Bool)
  /// A set and the atoms within a number of bonds from it.
  case extended(Int, SelectionExpression)
  /// Residues of proteins with a sequence of one-letter codes, as `pepseq ACDE`.
  case sequences([[UInt8]])
}

/// A class of atoms.
enum SelectionClass: String, CaseIterable, Sendable {
  case polymer, protein, nucleic, dna, rna, ligand, organic, water, backbone, sidechain, hydrogen, metal, hetero
  case helix, sheet, loop
  /// Neither helix nor sheet, including loops and other molecules.
  case unassigned
  case inorganic, guide, donors, acceptors
}

/// A textual property of an atom.
enum SelectionTextProperty: String, Sendable {
  case chain, segment, residueName, name, element, alternate

  /// True if `a` and `A` differ, as for chains, segments and alternate locations.
  var isCaseSensitive: Bool { self == .chain || self == .segment || self == .alternate }

  /// The description of one value in messages.
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

/// A numeric property of an atom.
enum SelectionNumberProperty: String, Sendable {
  case bFactor, occupancy, charge, x, y, z, serial, index, model, residueNumber

  /// A Boolean value indicating whether its values are integers, which can also be given as lists and ranges.
  var isInteger: Bool {
    switch self {
    case .bFactor, .occupancy, .x, .y, .z: false
    case .charge, .serial, .index, .model, .residueNumber: true
    }
  }
}

/// A comparison of two numbers.
enum SelectionComparison: String, Sendable {
  case less = "<"
  case lessOrEqual = "<="
  case greater = ">"
  case greaterOrEqual = ">="
  case equal = "="
  case unequal = "!="

  /// Returns true if the numbers satisfy the comparison; NaN satisfies none.
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

/// A unit to which a selection can be widened.
enum SelectionUnit: String, Sendable {
  case residue, chain, model
  /// The groups of bonded atoms.
  case molecule
}

/// The fields in which atoms of two sets must agree.
enum SelectionIdentity: Equatable, Sendable {
  /// Chain, residue and atom name, as required by `in`.
  case full
  /// Residue number and atom name, as required by `like`.
  case numberAndName
}

/// The first or last of a model's atoms.
enum SelectionEnd: Equatable, Sendable {
  case first, last
}

/// The position of atoms in the hierarchy; nil matches anything.
struct AtomPath: Equatable, Sendable {
  var segment: [TextPattern]?
  var chain: [TextPattern]?
  var residue: [PathResidue]?
  var name: [TextPattern]?
  /// The conformer: this alternate location, as an ASCII code, together with atoms without one.
  var conformer: UInt8?

  /// A residue in a path: by number, or by text, which is a name, or name and number as `CYS3`.
  enum PathResidue: Equatable, Sendable {
    case number(ResidueNumberRange)
    case text(TextPattern)
  }
}
