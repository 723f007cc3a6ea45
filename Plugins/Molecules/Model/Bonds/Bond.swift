/// The number of electron pairs of a bond, as far as it is known.
enum BondOrder: UInt8, Equatable, Sendable {
  case unknown = 0
  case single = 1
  case double = 2
  case triple = 3
  case aromatic = 4
}

/// The evidence for a bond, in descending order of trust.
enum BondOrigin: UInt8, Equatable, Sendable, CaseIterable {
  /// The residue's own bonds: built-in templates or the file's _chem_comp_bond.
  case template
  /// Between neighbors of a polymer.
  case polymer
  case disulfide
  /// LINK or _struct_conn.
  case link
  case conect
  case distance
}

/// A bond between two atoms.
struct Bond: Equatable, Sendable {
  /// Atom indices, 0-based, `first < second`.
  var first: Int32
  var second: Int32
  var order: BondOrder
  var origin: BondOrigin
}

extension BondOrigin {
  /// The name in scripts.
  var name: String {
    switch self {
    case .template: "template"
    case .polymer: "polymer"
    case .disulfide: "disulfide"
    case .link: "link"
    case .conect: "conect"
    case .distance: "distance"
    }
  }

  /// A short description.
  var summary: String {
    switch self {
    case .template: "the residue's own bonds, from templates or the file's dictionary"
    case .polymer: "between neighbours of a polymer"
    case .disulfide: "between cysteines"
    case .link: "links the file states"
    case .conect: "CONECT records"
    case .distance: "from distances, where nothing else is known"
    }
  }
}
