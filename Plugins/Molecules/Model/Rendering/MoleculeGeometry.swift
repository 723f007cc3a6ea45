/// The role of an atom in a molecule.
enum AtomRole: UInt8, Equatable, Sendable {
  /// A residue of a polymer with a trace.
  case traced
  /// A residue of a polymer without a trace.
  case polymer
  /// Water, or an ion surrounded only by water.
  case water
  /// A residue of a single atom.
  case ion
  /// A ligand, or a small molecule.
  case other

  /// A Boolean value indicating whether the atom belongs to a polymer.
  var isOfPolymer: Bool { self == .traced || self == .polymer }
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
    case .element, .entity, .secondaryStructure, .bFactor, .plddt, .occupancy, .rainbow:
      return ElementStyle.color(of: element(atom))
    }
  }

  /// Returns the atoms for which a closure returns true, and the bonds between them.
  func filtered(_ isKept: (Int) -> Bool) -> MoleculeGeometry {
    var kept = MoleculeGeometry(positions: [])
    var indices = [Int32](repeating: -1, count: positions.count)
    for atom in positions.indices where isKept(atom) {
      indices[atom] = Int32(truncatingIfNeeded: kept.positions.count)
      kept.positions.append(positions[atom])
      kept.elements.append(element(atom))
      if atom < residueCodes.count { kept.residueCodes.append(residueCodes[atom]) }
      if atom < chains.count { kept.chains.append(chains[atom]) }
      if atom < colors.count { kept.colors.append(colors[atom]) }
      if atom < roles.count { kept.roles.append(roles[atom]) }
      kept.identifiers.append(identifier(atom))
    }
    for (index, bond) in bonds.enumerated()
    where positions.indices.contains(Int(bond.x)) && positions.indices.contains(Int(bond.y)) {
      let pair = SIMD2(indices[Int(bond.x)], indices[Int(bond.y)])
      guard pair.x >= 0, pair.y >= 0 else { continue }
      kept.bonds.append(pair)
      if !bondOrders.isEmpty { kept.bondOrders.append(order(ofBond: index)) }
    }
    return kept
  }

  // MARK: Structures

  /// Creates the geometry of the drawn atoms of one model; identifiers are atom indices of the structure.
  ///
  /// Residues are drawn in their most occupied conformers, so that no part is drawn twice.
  ///
  /// - Parameters:
  ///   - model: the model, 0-based; one that does not exist gives no atoms.
  ///   - selection: the atoms that are drawn; nil for all.
  ///   - bonds: bonds by atom indices of the structure; bonds to atoms that are not drawn are dropped.
  /// - Complexity: O(atoms + bonds).
  init(_ structure: Structure, model: Int = 0, selection: AtomSelection? = nil, bonds: [Bond] = []) {
    self.init(positions: [])
    guard structure.models.indices.contains(model) else { return }
    let part = structure.models[model]
    reserveCapacity(part.atoms.count)
    let codes = (0..<structure.names.count).map { ResidueCode.code(ofResidue: structure.names[NameID($0)]) }
    var indices = [Int32](repeating: -1, count: part.atoms.count)
    let conformers = Conformers(structure, model: model, within: selection)
    for residue in part.residues {
      let row = structure.residues[residue]
      let kind = ResidueCode.code(of: row, in: structure, byName: codes[Int(row.name)])
      let chain = UInt16(clamping: Int(row.chain) - part.chains.lowerBound)
      for atom in row.atoms where conformers.contains(atom) && selection?[atom] ?? true {
        indices[atom - part.atoms.lowerBound] = Int32(positions.count)
        positions.append(SIMD3<Float>(structure.atoms.position(atom)))
        elements.append(ElementStyle.code(ofAtom: atom, structure))
        residueCodes.append(kind)
        chains.append(chain)
        identifiers.append(Int32(truncatingIfNeeded: atom))
      }
    }
    self.bonds.reserveCapacity(bonds.count)
    bondOrders.reserveCapacity(bonds.count)
    for bond in bonds where part.atoms.contains(Int(bond.first)) && part.atoms.contains(Int(bond.second)) {
      let first = indices[Int(bond.first) - part.atoms.lowerBound]
      let second = indices[Int(bond.second) - part.atoms.lowerBound]
      guard first >= 0, second >= 0 else { continue }
      self.bonds.append(SIMD2(first, second))
      bondOrders.append(bond.order)
    }
  }

  private mutating func reserveCapacity(_ count: Int) {
    positions.reserveCapacity(count)
    elements.reserveCapacity(count)
    residueCodes.reserveCapacity(count)
    chains.reserveCapacity(count)
    identifiers.reserveCapacity(count)
  }

  // MARK: Modes and schemes

  /// Creates the geometry of one model with the roles of its atoms, and the traces that a mode draws.
  ///
  /// - Parameters:
  ///   - model: the model, 0-based; one that does not exist gives no atoms.
  ///   - selection: the atoms that are drawn; nil for all.
  ///   - bonds: bonds by atom indices of the structure.
  ///   - kinds: the secondary structure of the model's residues in order; missing ones are coils.
  /// - Complexity: O(atoms + bonds).
  init(
    _ structure: Structure, model: Int, selection: AtomSelection? = nil, bonds: [Bond] = [], mode: RenderMode,
    kinds: [SecondaryStructureKind] = []
  ) {
    self.init(structure, model: model, selection: selection, bonds: bonds)
    guard structure.models.indices.contains(model), !positions.isEmpty else { return }
    if mode.showsPolymers {
      addTraces(structure, model: model, selection, kinds: kinds)
    } else {
      setRoles(structure) { residue in
        let row = structure.residues[residue]
        return row.kind == .ligand && structure.isOfOneAtom(row) ? .ion : .other
      }
    }
  }

  /// Sets the roles of the atoms to those of their residues; `role` is called once for each residue.
  private mutating func setRoles(_ structure: Structure, _ role: (_ residue: Int) -> AtomRole) {
    var last: (residue: Int32, role: AtomRole)?
    roles = identifiers.map { atom in
      let residue = structure.atoms.residue[Int(atom)]
      if let last, last.residue == residue { return last.role }
      let role = role(Int(residue))
      last = (residue, role)
      return role
    }
  }

  /// Creates the geometry of one model with the data needed by a mode and a color scheme.
  ///
  /// - Parameters:
  ///   - model: the model, 0-based; one that does not exist gives no atoms.
  ///   - selection: the atoms that are drawn; nil for all.
  ///   - bonds: bonds by atom indices of the structure.
  ///   - scheme: the color scheme; nil takes the scheme that suits the mode.
  /// - Complexity: O(atoms + bonds); with the secondary structure where ribbons or colors show it.
  init(
    _ structure: Structure, model: Int, selection: AtomSelection? = nil, bonds: [Bond], mode: RenderMode,
    scheme: ColorScheme?
  ) {
    let kinds =
      mode == .cartoon || scheme == .secondaryStructure ? SecondaryStructureKind.kinds(of: structure, model: model) : []
    self.init(structure, model: model, selection: selection, bonds: bonds, mode: mode, kinds: kinds)
    guard !positions.isEmpty else { return }
    let resolved = scheme ?? Self.standardScheme(of: structure, model: model, mode: mode)
    guard resolved != .element || mode.showsPolymers else { return }
    let coloring = AtomColoring(structure, model: model, scheme: resolved, kinds: kinds)
    let all = coloring.colors()
    let first = structure.models[model].atoms.lowerBound
    colors = identifiers.map { all[Int($0) - first] }
    if mode.showsPolymers, resolved.isOfPolymers {
      for atom in positions.indices where !roles[atom].isOfPolymer {
        colors[atom] = ElementStyle.color(of: element(atom))
      }
    }
    if scheme == nil, mode == .cartoon { colorBases() }
  }

  /// Returns the default scheme of a mode.
  ///
  /// Ribbons and surfaces of several chains show chains; a surface of one chain shows elements.
  static func standardScheme(of structure: Structure, model: Int, mode: RenderMode) -> ColorScheme {
    switch mode {
    case .cylinders: return .residue
    case .ballAndStick, .spacefilling, .sticks: return .element
    case .backbone, .cartoon, .surface:
      let chains = structure.models[model].chains.filter { chain in
        structure.chains[chain].residueRuns.joined().contains { structure.residues[$0].kind == .polymer }
      }
      return chains.count > (mode == .surface ? 1 : 0) ? .chain : .element
    }
  }

  /// Returns a note on parts of the molecule that a mode cannot show, or only coarsely; nil if there is none.
  func note(on mode: RenderMode) -> String? {
    switch mode {
    case .cartoon, .backbone:
      guard traces.isEmpty else { return nil }
      return "no polymer chains: atoms are shown instead" + (roles.contains(.water) ? ", without water" : "")
    case .surface:
      let surface = SolventSurface(atomCount: drawings(in: mode).count { $0 == .joined })
      return surface.isCoarse
        ? "coarse surface for a large molecule: grid of \(FixedText.text(Double(surface.spacing), decimals: 1)) Å" : nil
    case .ballAndStick, .spacefilling, .cylinders, .sticks: return nil
    }
  }

  /// Finds the traces and the role of every atom.
  private mutating func addTraces(
    _ structure: Structure, model: Int, _ selection: AtomSelection?, kinds: [SecondaryStructureKind]
  ) {
    let found = BackboneTracer.trace(structure, model: model, selection: selection, shapes: kinds.map(\.shape))
    let first = structure.models[model].residues.lowerBound
    traces = found.traces.map { $0.closed(in: structure) }
    gaps = BackboneTrace.gaps(between: traces, of: structure)
    setRoles(structure) { residue in
      if found.isTraced[residue - first] { return .traced }
      let row = structure.residues[residue]
      switch row.kind {
      case .water: return .water
      case .polymer: return structure.isOfOneAtom(row) ? .ion : .polymer
      case .ligand: return structure.isOfOneAtom(row) ? .ion : .other
      }
    }
    findSolventIons()
  }

  /// The largest distance in ångström between an ion and anything but water; ions beyond the second shell belong to the
  /// solvent.
  private static let reachOfIons: Float = 6

  /// Assigns the role of water to ions surrounded only by water: they fill the box of a simulation.
  private mutating func findSolventIons() {
    let ions = roles.indices.filter { roles[$0] == .ion }
    let solute = roles.indices.filter { roles[$0] != .ion && roles[$0] != .water }.map { positions[$0] }
    // Ions without a solute are the subject, as are those of a small molecule without water, such as a salt.
    guard !ions.isEmpty, !solute.isEmpty, !traces.isEmpty || roles.contains(.water) else { return }
    let grid = PointGrid(solute, edge: Self.reachOfIons)
    for ion in ions {
      var isNear = false
      grid.forEachPoint(near: positions[ion], within: Self.reachOfIons) { point in
        if !isNear { isNear = (solute[point] - positions[ion]).length <= Self.reachOfIons }
      }
      if !isNear { roles[ion] = .water }
    }
  }

  /// Colors bases by residue, so that they are distinguishable on ribbons of another color.
  private mutating func colorBases() {
    let indices = Dictionary(zip(identifiers, identifiers.indices)) { first, _ in first }
    for base in traces.flatMap(\.bases) {
      guard let atom = indices[base.atom] else { continue }
      colors[atom] = ColorTable.residueColor(residueCodes[atom])
    }
  }
}

/// The residue codes of the original application.
enum ResidueCode {
  static let unknown: UInt8 = 0
  static let water: UInt8 = 29

  /// Returns the code of a residue name; modified residues have that of their parent if known, inosine that of
  /// guanosine.
  static func code(ofResidue name: String) -> UInt8 {
    guard let entry = ResidueCatalog.entry(name) else { return unknown }
    switch entry.family {
    case .water: return water
    case .aminoAcid: return aminoAcids[entry.letter] ?? unknown
    case .deoxyribonucleotide: return entry.letter == "U" ? 8 : deoxyribonucleotides[entry.letter] ?? unknown
    case .ribonucleotide: return ribonucleotides[entry.letter] ?? unknown
    }
  }

  private static let deoxyribonucleotides: [Character: UInt8] = ["A": 1, "C": 2, "G": 3, "T": 4, "I": 3]
  private static let ribonucleotides: [Character: UInt8] = ["A": 5, "C": 6, "G": 7, "U": 8, "T": 8, "I": 7]
  private static let aminoAcids: [Character: UInt8] = [
    "G": 9, "A": 10, "V": 11, "L": 12, "I": 13, "S": 14, "C": 15, "T": 16, "M": 17, "P": 18, "F": 19, "Y": 20, "W": 21,
    "H": 22, "K": 23, "R": 24, "D": 25, "E": 26, "N": 27, "Q": 28,
  ]

  /// Returns the code of a residue: that of its name, or for a nucleotide else that of the base it was modified from.
  static func code(of row: Residue, in structure: Structure, byName code: UInt8) -> UInt8 {
    code == unknown && row.kind == .polymer ? self.code(ofModified: row, in: structure) : code
  }

  /// Returns the code of a nucleotide by the atoms of its base; 0 if it is not a nucleotide.
  ///
  /// A purine with N6 is an adenine, any other a guanine, which inosine resembles except for its N2. A pyrimidine with
  /// N4 is a cytosine, any other a uracil with a ribose and a thymine with a deoxyribose.
  private static func code(ofModified row: Residue, in structure: Structure) -> UInt8 {
    let names = Set(row.atoms.map { structure.names[structure.atoms.name[$0]] })
    guard names.contains("C1'") || names.contains("C1*") else { return unknown }
    let isRibose = names.contains("O2'") || names.contains("O2*")
    let codes = isRibose ? ribonucleotides : deoxyribonucleotides
    if names.contains("N9") { return codes[names.contains("N6") ? "A" : "G"] ?? unknown }
    guard names.contains("C6") else { return unknown }
    return codes[names.contains("N4") ? "C" : isRibose ? "U" : "T"] ?? unknown
  }
}
