/// The way a picture shows an atom.
enum AtomDrawing: Equatable, Sendable {
  /// Not drawn.
  case hidden
  /// In the color of a ribbon, a backbone or a surface.
  case joined
  /// As a ball or sticks of its own.
  case single
  /// As sticks of its own, but only because it is highlighted.
  case highlighted
}

extension MoleculeGeometry {
  /// Returns the way a mode draws each atom.
  ///
  /// Scenes are built by this rule. A camera frames a scene, and labels and legends name its ``DrawnAtoms``.
  ///
  /// - Parameter highlighted: The identifiers of highlighted atoms; nil for none.
  /// - Complexity: O(atoms).
  func drawings(in mode: RenderMode, highlighted: AtomSelection? = nil) -> [AtomDrawing] {
    guard mode.showsPolymers else { return Array(repeating: .single, count: positions.count) }
    let hasPolymer = positions.indices.contains { role($0).isOfPolymer }
    let guides = guides(in: mode)
    return positions.indices.map { atom in
      let drawing = drawing(atom, in: mode, hasPolymer: hasPolymer, guides)
      return drawing != .single && highlighted?[Int(identifier(atom))] ?? false ? .highlighted : drawing
    }
  }

  /// Returns the way a mode draws an atom that is not highlighted.
  private func drawing(
    _ atom: Int, in mode: RenderMode, hasPolymer: Bool, _ guides: Set<Int32>
  ) -> AtomDrawing {
    let isSurface = mode == .surface
    switch role(atom) {
    case .traced: return isSurface || guides.contains(identifier(atom)) ? .joined : .hidden
    case .polymer: return isSurface ? .joined : .single
    case .water: return .hidden
    // A surface encloses everything if there are no polymers.
    case .ion, .other: return isSurface && !hasPolymer ? .joined : .single
    }
  }

  /// Returns the identifiers of the atoms that represent residues and bases of ribbons and backbones.
  private func guides(in mode: RenderMode) -> Set<Int32> {
    switch mode {
    case .cartoon: Set(traces.flatMap { $0.nodes.map(\.atom) + $0.bases.map(\.atom) })
    case .backbone: Set(traces.flatMap { $0.nodes.map(\.atom) })
    case .surface, .ballAndStick, .spacefilling, .cylinders, .sticks: []
    }
  }
}

/// The atoms of a model that a picture shows.
struct DrawnAtoms: Equatable, Sendable {
  /// The model index, 0-based; a model that does not exist has no atoms.
  let model: Int
  /// The atoms with a color in the picture.
  private(set) var all: AtomSelection
  /// The atoms drawn as balls or sticks of their own.
  private(set) var single: AtomSelection
  /// The atoms with a color that depends on their polymer, if the color scheme distinguishes parts of polymers.
  private(set) var ofPolymers: AtomSelection
  /// The transformations of atoms in the picture, the identity first.
  private var transforms = [Transform.identity]
  /// The index in `transforms` for each atom of the structure; empty for the model as deposited.
  private var transformOfAtom: [Int32] = []

  /// Creates the set of no atoms of a model.
  init(noneOf structure: Structure, model: Int) {
    self.model = model
    all = AtomSelection(atomCount: structure.atoms.count)
    (single, ofPolymers) = (all, all)
  }

  /// Collects the atoms of a model's geometry that a mode draws.
  ///
  /// - Parameters:
  ///   - structure: The structure, whose atom indices are the identifiers of the geometry.
  ///   - model: The model of the geometry, 0-based.
  ///   - highlighted: The highlighted atoms; nil for none.
  ///   - copies: The copies of the model; nil for the model as deposited.
  /// - Complexity: O(atoms).
  init(
    _ geometry: MoleculeGeometry, of structure: Structure, model: Int, mode: RenderMode,
    highlighted: AtomSelection? = nil, copies: AssemblyInstances? = nil
  ) {
    self.init(noneOf: structure, model: model)
    for (atom, drawing) in geometry.drawings(in: mode, highlighted: highlighted).enumerated() {
      let identifier = Int(geometry.identifier(atom))
      switch drawing {
      case .hidden: continue
      case .joined: break
      case .single, .highlighted: single.insert(identifier)
      }
      all.insert(identifier)
      if !mode.showsPolymers || geometry.role(atom).isOfPolymer { ofPolymers.insert(identifier) }
    }
    if let copies { formIntersection(copies) }
  }

  /// Collects the atoms of a model that a mode draws.
  ///
  /// - Parameters:
  ///   - model: The model, 0-based; one that does not exist has no atoms.
  ///   - selection: The atoms of the molecule to draw; nil for all.
  ///   - copies: The copies of the model; nil for the model as deposited.
  /// - Complexity: O(atoms).
  init(
    _ structure: Structure, model: Int, selection: AtomSelection? = nil, mode: RenderMode,
    copies: AssemblyInstances? = nil
  ) {
    let geometry = MoleculeGeometry(structure, model: model, selection: selection, mode: mode)
    self.init(geometry, of: structure, model: model, mode: mode, copies: copies)
  }

  /// Removes the atoms that have no copies, and places the others.
  ///
  /// - Complexity: Linear in the atoms of the groups.
  private mutating func formIntersection(_ copies: AssemblyInstances) {
    var copied = AtomSelection(atomCount: all.atomCount)
    // Atoms of several groups are as deposited if they are so in any, else placed by the first one.
    for group in copies.groups where group.includesDeposited { for run in group.atoms { copied.insert(run) } }
    transformOfAtom = Array(repeating: 0, count: all.atomCount)
    for group in copies.groups where !group.includesDeposited {
      for atom in group.atoms.joined() where !copied[atom] {
        transformOfAtom[atom] = Int32(transforms.count)
        copied.insert(atom)
      }
      transforms.append(group.transforms[0])
    }
    all.formIntersection(copied)
    single.formIntersection(copied)
    ofPolymers.formIntersection(copied)
  }

  /// Returns the position of an atom in the picture, in ångström: as deposited if one of its copies is there, else in
  /// its first copy.
  func position(ofAtom atom: Int, in structure: Structure) -> SIMD3<Float> {
    let transform = transformOfAtom.isEmpty ? .identity : transforms[Int(transformOfAtom[atom])]
    return SIMD3<Float>(transform.apply(structure.atoms.position(atom)))
  }
}
