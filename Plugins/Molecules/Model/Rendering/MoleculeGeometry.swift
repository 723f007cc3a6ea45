/// The role of an atom in a molecule.
enum AtomRole: UInt8, Equatable, Sendable {
  /// A residue of a polymer with a trace.
  case traced
  /// A residue of a polymer without a trace.
  case polymer
  /// Water, or an ion beside polymers surrounded only by water.
  case water
  /// A residue of a single atom.
  case ion
  /// A ligand, or a small molecule.
  case other
}

/// The drawn part of a molecule, as plain columns; every column but the positions may be empty.
struct MoleculeGeometry: Equatable, Sendable {
  /// The positions of the atoms in ångström; bonds refer to atoms by index here.
  var positions: [SIMD3<Float>]
  /// Element codes: atomic numbers, 0 unknown, 119 deuterium; one per atom.
  var elements: [UInt8]
  /// Pairs of atom indices (0-based); pairs with a missing atom, or one atom twice, are skipped.
  var bonds: [SIMD2<Int32>]
  /// Orders of the bonds, one per bond; empty if all are drawn alike.
  var bondOrders: [BondOrder] = []
  /// Residue kinds by the code of the original application (0 unknown, 29 water); one per atom.
  var residueCodes: [UInt8]
  /// Indices of the atoms' chains in the model (0-based); one per atom.
  var chains: [UInt16]
  /// Colors by a scheme that depends on more than these columns; one per atom.
  var colors: [RGBColor] = []
  /// The roles of the atoms; one per atom.
  var roles: [AtomRole] = []
  /// The traces of cartoon and backbone.
  var traces: [BackboneTrace] = []
  /// The gaps between traces, at missing residues.
  var gaps: [BackboneGap] = []
  /// The scene's numbers of the atoms if they differ from their indices in these columns; one per atom.
  var identifiers: [Int32]

  init(
    positions: [SIMD3<Float>], elements: [UInt8] = [], bonds: [SIMD2<Int32>] = [], residueCodes: [UInt8] = [],
    chains: [UInt16] = [], identifiers: [Int32] = []
  ) {
    self.positions = positions
    self.elements = elements
    self.bonds = bonds
    self.residueCodes = residueCodes
    self.chains = chains
    self.identifiers = identifiers
  }

  /// Returns the scene's number of an atom: its identifier, or its index in the columns.
  func identifier(_ atom: Int) -> Int32 {
    atom < identifiers.count ? identifiers[atom] : Int32(truncatingIfNeeded: atom)
  }

  /// Returns the role of an atom.
  func role(_ atom: Int) -> AtomRole { atom < roles.count ? roles[atom] : .other }

  /// Returns the order of a bond by its index.
  func order(ofBond bond: Int) -> BondOrder { bond < bondOrders.count ? bondOrders[bond] : .unknown }

  /// Returns the element code of an atom, 0 if there is none.
  func element(_ atom: Int) -> UInt8 {
    atom < elements.count ? elements[atom] : 0
  }

  /// Returns the color of an atom in a scheme: its own if it has one, else one derived from these columns.
  func color(_ atom: Int, by scheme: ColorScheme) -> RGBColor {
    if atom < colors.count { return colors[atom] }
    switch scheme {
    case .residue: return ColorTable.residueColor(atom < residueCodes.count ? residueCodes[atom] : 0)
    case .chain: return ColorTable.chainColor(atom < chains.count ? Int(chains[atom]) : 0)
    default: return ElementStyle.color(of: element(atom))
    }
  }

  /// Returns the atoms for which a closure returns true, and the bonds between them.
  func filtered(_ isKept: (Int) -> Bool) -> MoleculeGeometry {
    var kept = MoleculeGeometry(positions: [])
    var places = [Int32](repeating: -1, count: positions.count)
    for atom in positions.indices where isKept(atom) {
      places[atom] = Int32(truncatingIfNeeded: kept.positions.count)
      kept.positions.append(positions[atom])
      kept.elements.append(element(atom))
      if atom < residueCodes.count { kept.residueCodes.append(residueCodes[atom]) }
      if atom < chains.count { kept.chains.append(chains[atom]) }
      if atom < colors.count { kept.colors.append(colors[atom]) }
      if atom < roles.count { kept.roles.append(roles[atom]) }
      kept.identifiers.append(identifier(atom))
    }
    for (place, bond) in bonds.enumerated()
    where positions.indices.contains(Int(bond.x)) && positions.indices.contains(Int(bond.y)) {
      let pair = SIMD2(places[Int(bond.x)], places[Int(bond.y)])
      guard pair.x >= 0, pair.y >= 0 else { continue }
      kept.bonds.append(pair)
      if !bondOrders.isEmpty { kept.bondOrders.append(order(ofBond: place)) }
    }
    return kept
  }
}
