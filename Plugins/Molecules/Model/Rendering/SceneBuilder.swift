/// Builds the scene of a molecule in one of the modes.
struct SceneBuilder: Sendable {
  /// The radius of a ball as a fraction of the van der Waals radius.
  ///
  /// - Source: Molecules 2.x.
  static let ballShare: Float = 0.35
  /// The radius of a stick of the ball-and-stick mode in ångström.
  static let stickRadius: Float = 0.14
  /// The radius of a stick of the cylinder mode in ångström.
  static let cylinderRadius: Float = 0.22
  /// The radius of a stick of the stick mode in ångström.
  static let licoriceRadius: Float = 0.3
  /// The radius in the cylinder mode of atoms without a bond, in ångström.
  static let loneAtomRadius: Float = 0.4

  var mode: RenderMode
  /// The colors; nil takes those of the mode: residues for cylinders, as in the original application, else elements.
  var scheme: ColorScheme?
  /// The identifiers of atoms that ribbons, lines and surfaces show as sticks; nil for none.
  var highlighted: AtomSelection?

  init(mode: RenderMode, scheme: ColorScheme? = nil, highlighted: AtomSelection? = nil) {
    self.mode = mode
    self.scheme = scheme
    self.highlighted = highlighted
  }

  /// Builds the scene of a molecule; its primitives refer to atoms by their identifiers.
  ///
  /// - Complexity: O(atoms + bonds).
  func scene(of molecule: MoleculeGeometry) -> Scene {
    switch mode {
    case .spacefilling: Scene(spheres: balls(of: molecule, share: 1))
    case .ballAndStick:
      Scene(
        spheres: balls(of: molecule, share: Self.ballShare),
        cylinders: strokes(of: molecule, radius: Self.stickRadius, .besideBalls))
    case .cylinders:
      cylinderScene(
        of: molecule, sticks(of: molecule, radius: Self.cylinderRadius), radius: Self.cylinderRadius,
        lone: Self.loneAtomRadius)
    case .sticks: stickScene(of: molecule)
    case .backbone: backboneScene(of: molecule)
    case .cartoon: cartoonScene(of: molecule)
    case .surface: surfaceScene(of: molecule, .serial, progress: { _ in true }) ?? Scene()
    }
  }

  /// Builds the scene of a molecule unless a closure stops it; only a surface takes long enough to ask.
  ///
  /// - Parameters:
  ///   - work: the execution of the work.
  ///   - progress: called with the fraction done; returns whether to continue.
  /// - Returns: nil if `progress` returned false.
  func scene(of molecule: MoleculeGeometry, work: ParallelWork = .serial, progress: (Double) -> Bool) -> Scene? {
    mode == .surface ? surfaceScene(of: molecule, work, progress: progress) : scene(of: molecule)
  }

  var colors: ColorScheme { scheme ?? (mode == .cylinders ? .residue : .element) }

  func balls(of molecule: MoleculeGeometry, share: Float) -> [Sphere] {
    molecule.positions.indices.map { atom in
      Sphere(
        center: molecule.positions[atom],
        radius: ElementStyle.vanDerWaalsRadius(of: molecule.element(atom)) * share,
        color: molecule.color(atom, by: colors), atom: molecule.identifier(atom), isIon: molecule.role(atom) == .ion)
    }
  }

  /// Calls `body` with the two atoms of every bond between different atoms, and its index among the bonds.
  func forEachBond(of molecule: MoleculeGeometry, _ body: (_ first: Int, _ second: Int, _ bond: Int) -> Void) {
    let atoms = molecule.positions.indices
    for (place, bond) in molecule.bonds.enumerated() where bond.x != bond.y {
      guard atoms.contains(Int(bond.x)), atoms.contains(Int(bond.y)) else { continue }
      body(Int(bond.x), Int(bond.y), place)
    }
  }

  func sticks(of molecule: MoleculeGeometry, radius: Float) -> [Cylinder] {
    var sticks: [Cylinder] = []
    sticks.reserveCapacity(molecule.bonds.count)
    forEachBond(of: molecule) { first, second, _ in sticks.append(stick(of: molecule, first, second, radius: radius)) }
    return sticks
  }

  /// Returns the stick between two atoms.
  func stick(of molecule: MoleculeGeometry, _ first: Int, _ second: Int, radius: Float) -> Cylinder {
    Cylinder(
      start: molecule.positions[first], end: molecule.positions[second], radius: radius,
      startColor: molecule.color(first, by: colors), endColor: molecule.color(second, by: colors),
      startAtom: molecule.identifier(first), endAtom: molecule.identifier(second))
  }

  /// Returns bonds as thick sticks, with their orders.
  func stickScene(of molecule: MoleculeGeometry) -> Scene {
    cylinderScene(
      of: molecule, strokes(of: molecule, radius: Self.licoriceRadius, .withinJoints), radius: Self.licoriceRadius,
      lone: Self.licoriceRadius * 1.3)
  }

  /// Returns sticks with round joints; atoms without a bond become small balls, so that nothing vanishes.
  private func cylinderScene(
    of molecule: MoleculeGeometry, _ sticks: [Cylinder], radius: Float, lone: Float
  ) -> Scene {
    var isBonded = [Bool](repeating: false, count: molecule.positions.count)
    forEachBond(of: molecule) { first, second, _ in
      isBonded[first] = true
      isBonded[second] = true
    }
    let joints = molecule.positions.indices.map { atom in
      Sphere(
        center: molecule.positions[atom],
        radius: isBonded[atom] ? radius : min(lone, ElementStyle.vanDerWaalsRadius(of: molecule.element(atom))),
        color: molecule.color(atom, by: colors), atom: molecule.identifier(atom), isIon: molecule.role(atom) == .ion)
    }
    return Scene(spheres: joints, cylinders: sticks)
  }
}
