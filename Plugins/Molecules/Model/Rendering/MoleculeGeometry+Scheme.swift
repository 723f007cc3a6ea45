extension MoleculeGeometry {
  /// The atoms of one model with what a mode and a colour scheme need besides.
  ///
  /// - Parameters:
  ///   - structure: the structure.
  ///   - model: the model, 0-based; one that does not exist gives no atoms.
  ///   - selection: the atoms that are drawn; nil for all.
  ///   - bonds: bonds by atom indices of the structure.
  ///   - mode: how it will be drawn.
  ///   - scheme: what the colours tell; nil takes the scheme that suits the mode.
  /// - Complexity: O(atoms + bonds); with the secondary structure where ribbons or colours show it.
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

  /// The scheme of a mode that nobody chose one for.
  ///
  /// Ribbons show chains, and so do surfaces of several; a surface of one chain shows elements.
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

  /// What a mode cannot show of the molecule, or only coarsely; nil where nothing is to be said.
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

  /// Finds the traces, and what every atom is part of.
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

  /// An ion farther than this from everything but water belongs to the solvent, in ångström: beyond the second shell of
  /// what it is bound to.
  private static let reachOfIons: Float = 6

  /// Gives ions that only water surrounds the role of water: they fill the box of a simulation.
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

  /// Gives bases the colours of their residues, so that they can be told on ribbons coloured otherwise.
  private mutating func colorBases() {
    let places = Dictionary(zip(identifiers, identifiers.indices)) { first, _ in first }
    for base in traces.flatMap(\.bases) {
      guard let atom = places[base.atom] else { continue }
      colors[atom] = ColorTable.residueColor(residueCodes[atom])
    }
  }
}

extension RenderMode {
  /// Whether it draws polymers as a whole and what lies beside them as atoms.
  var showsPolymers: Bool { self == .backbone || self == .cartoon || self == .surface }
}

extension ColorScheme {
  /// Whether it tells parts of polymers from each other, so that ligands beside them are told by element.
  var isOfPolymers: Bool {
    switch self {
    case .chain, .entity, .residue, .secondaryStructure, .rainbow: true
    case .element, .bFactor, .plddt, .occupancy: false
    }
  }
}
