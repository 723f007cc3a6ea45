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
  /// Whole residues, chains or models of which an atom is meant.
  case whole(SelectionUnit, SelectionExpression)
}

/// What an atom can be.
enum SelectionClass: String, CaseIterable, Sendable {
  case polymer, protein, nucleic, dna, rna, ligand, organic, water, backbone, sidechain, hydrogen, metal, hetero
  case helix, sheet, loop
}

/// What names an atom has.
enum SelectionTextProperty: String, Sendable {
  case chain, residueName, name, element, alternate

  /// Whether `a` and `A` differ: they do as chains and alternate locations.
  var isCaseSensitive: Bool { self == .chain || self == .alternate }

  /// What one value is called in messages.
  var valueName: String {
    switch self {
    case .chain: "a chain name"
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
}

/// The place of atoms in the hierarchy; what is nil may be anything.
struct AtomPath: Equatable, Sendable {
  var chain: [TextPattern]?
  var residue: [PathResidue]?
  var name: [TextPattern]?

  /// A residue in a path: by number, or by what stands there as text: name, or name and number as `CYS3`.
  enum PathResidue: Equatable, Sendable {
    case number(ResidueNumberRange)
    case text(TextPattern)
  }
}
