/// The part of a molecule that is drawn, as plain columns; every column but the positions may be left empty.
struct MoleculeGeometry: Equatable, Sendable {
  /// Places of the atoms in ångström; bonds name atoms by their order here.
  var positions: [SIMD3<Float>]
  /// Element codes: atomic numbers, 0 unknown, 119 deuterium; one per atom.
  var elements: [UInt8]
  /// Pairs of atom indices (0-based); pairs that name no atom, or one atom twice, are passed over.
  var bonds: [SIMD2<Int32>]
  /// Residue kinds by the code of the original application (0 unknown, 29 water); one per atom.
  var residueCodes: [UInt8]
  /// Positions of the atoms' chains in the model (0-based); one per atom.
  var chains: [UInt16]
  /// What the scene calls each atom, when that is not its place in these columns; one per atom.
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

  /// What the scene calls an atom: its identifier, or its place in the columns.
  func identifier(_ atom: Int) -> Int32 {
    atom < identifiers.count ? identifiers[atom] : Int32(truncatingIfNeeded: atom)
  }

  /// The element code of an atom, 0 where none is given.
  func element(_ atom: Int) -> UInt8 {
    atom < elements.count ? elements[atom] : 0
  }

  /// The colour of an atom in a scheme.
  func color(_ atom: Int, by scheme: ColorScheme) -> RGBColor {
    switch scheme {
    case .element: ElementStyle.color(of: element(atom))
    case .residue: ColorTable.residueColor(atom < residueCodes.count ? residueCodes[atom] : 0)
    case .chain: ColorTable.chainColor(atom < chains.count ? Int(chains[atom]) : 0)
    }
  }
}
