extension MoleculeGeometry {
  /// Creates the geometry of one model with the data needed by a mode and a color scheme.
  ///
  /// - Parameters:
  ///   - structure: the structure.
  ///   - model: the model, 0-based; one that does not exist gives no atoms.
  ///   - selection: the atoms that are drawn; nil for all.
  ///   - bonds: bonds by atom indices of the structure.
  ///   - mode: the drawing mode.
  ///   - scheme: the color scheme; nil takes the scheme that suits the mode.
  /// - Complexity: O(atoms + bonds); with the secondary structure where ribbons or colors show it.
  init(
    _ structure: Structure, model: Int, selection: AtomSelection? = nil, bonds: [Bond], mode: RenderMode,
    scheme: ColorScheme?
  ) {
    self.init(structure, model: model, selection: selection, bonds: bonds)
    guard structure.models.indices.contains(model), !positions.isEmpty else { return }
    let kinds =
      mode == .cartoon || scheme == .secondaryStructure ? SecondaryStructureKind.kinds(of: structure, model: model) : []
    if mode.showsPolymers {
      addTraces(structure, model: model, selection, kinds: kinds)
    } else {
      roles = identifiers.map { atom in
        let residue = structure.residues[Int(structure.atoms.residue[Int(atom)])]
        return residue.kind == .ligand && structure.isOfOneAtom(residue) ? .ion : .other
      }
    }
    let resolved = scheme ?? Self.standardScheme(of: structure, model: model, mode: mode)
    guard resolved != .element || mode.showsPolymers else { return }
    let coloring = AtomColoring(structure, model: model, scheme: resolved, kinds: kinds)
    let all = coloring.colors()
    let first = structure.models[model].atoms.lowerBound
    colors = identifiers.map { all[Int($0) - first] }
    if mode.showsPolymers, resolved.isOfPolymers {
      for atom in positions.indices where roles[atom] != .traced && roles[atom] != .polymer {
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
    case .cartoon, .backbone: return traces.isEmpty ? "no chain of a polymer: atoms are shown instead" : nil
    case .surface:
      let surface = SolventSurface(atomCount: positions.count)
      return surface.isCoarse
        ? "surface on a grid of \(FixedText.text(Double(surface.spacing), decimals: 1)) Å, as it is large" : nil
    default: return nil
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
    roles = identifiers.map { atom in
      let residue = Int(structure.atoms.residue[Int(atom)])
      if found.isTraced[residue - first] { return .traced }
      let isWater = structure.residues[residue].kind == .water
      if !isWater, structure.isOfOneAtom(structure.residues[residue]) { return .ion }
      switch structure.residues[residue].kind {
      case .polymer: return .polymer
      case .water: return .water
      case .ligand: return .other
      }
    }
    if !traces.isEmpty { findSolventIons() }
  }

  /// The largest distance in ångström between an ion and anything but water; ions beyond the second shell belong to the
  /// solvent.
  private static let reachOfIons: Float = 6

  /// Assigns the role of water to ions surrounded only by water: they fill the box of a simulation.
  private mutating func findSolventIons() {
    let ions = roles.indices.filter { roles[$0] == .ion }
    guard !ions.isEmpty else { return }
    let solute = roles.indices.filter { roles[$0] != .ion && roles[$0] != .water }.map { positions[$0] }
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
    let places = Dictionary(zip(identifiers, identifiers.indices)) { first, _ in first }
    for base in traces.flatMap(\.bases) {
      guard let atom = places[base.atom] else { continue }
      colors[atom] = ColorTable.residueColor(residueCodes[atom])
    }
  }
}

extension RenderMode {
  /// A Boolean value indicating whether the mode draws polymers as a whole, with other parts as atoms.
  var showsPolymers: Bool { self == .backbone || self == .cartoon || self == .surface }
}

extension ColorScheme {
  /// A Boolean value indicating whether the scheme distinguishes parts of polymers, so that ligands are colored by
  /// element.
  var isOfPolymers: Bool {
    switch self {
    case .chain, .entity, .residue, .secondaryStructure, .rainbow: true
    case .element, .bFactor, .plddt, .occupancy: false
    }
  }
}
