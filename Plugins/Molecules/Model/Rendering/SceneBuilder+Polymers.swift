extension SceneBuilder {
  /// The radius of the backbone's sticks in ångström.
  static let backboneRadius: Float = 0.4
  /// The radius of the dashes over a gap, and the length of a dash and of the space after it, in ångström.
  private static let dashRadius: Float = 0.18
  private static let dashLength: Float = 0.8

  /// Returns the chains as ribbons, with ligands as sticks and ions as full-size balls beside them; waters only if
  /// highlighted.
  func cartoonScene(of molecule: MoleculeGeometry) -> Scene {
    var scene = atomsBeside(molecule)
    let residues = molecule.traces.reduce(0) { $0 + $1.residueCount }
    let cartoon = CartoonBuilder.build(molecule.traces, style: .suited(toResidues: residues))
    let colors = AtomColorIndex(molecule)
    scene.mesh = cartoon.mesh
    scene.mesh.color { colors[$0] }
    scene.cylinders += dashes(over: molecule.gaps, colors)
    scene.cylinders += cartoon.sticks.map { stick in
      var stick = stick
      stick.startColor = colors[stick.startAtom]
      stick.endColor = colors[stick.endAtom]
      return stick
    }
    return scene
  }

  /// Returns the line of guide points of each chain, with ligands as sticks and ions as full-size balls beside it.
  func backboneScene(of molecule: MoleculeGeometry) -> Scene {
    var scene = atomsBeside(molecule)
    let colors = AtomColorIndex(molecule)
    scene.cylinders += dashes(over: molecule.gaps, colors)
    for trace in molecule.traces {
      for node in trace.nodes {
        scene.spheres.append(
          Sphere(center: node.place, radius: Self.backboneRadius, color: colors[node.atom], atom: node.atom))
      }
      for (one, next) in zip(trace.nodes, trace.nodes.dropFirst()) {
        scene.cylinders.append(
          Cylinder(
            start: one.place, end: next.place, radius: Self.backboneRadius, startColor: colors[one.atom],
            endColor: colors[next.atom], startAtom: one.atom, endAtom: next.atom))
      }
    }
    return scene
  }

  /// Returns dashes at the missing residues of a chain.
  private func dashes(over gaps: [BackboneGap], _ colors: AtomColorIndex) -> [Cylinder] {
    gaps.flatMap { gap in
      let line = Cylinder(
        start: gap.start, end: gap.end, radius: Self.dashRadius, startColor: colors[gap.startAtom],
        endColor: colors[gap.endAtom], startAtom: gap.startAtom, endAtom: gap.endAtom)
      return line.dashed(by: Self.dashLength)
    }
  }

  /// Returns the surface of the polymers or, if there are none, of everything but water; ligands are drawn inside it.
  ///
  /// Highlighted atoms are excluded and drawn as sticks, since a closed surface would hide them.
  /// - Parameter progress: called with the fraction done; returns whether to continue.
  /// - Returns: nil if `progress` returned false.
  func surfaceScene(
    of molecule: MoleculeGeometry, _ work: ParallelWork, progress: (Double) -> Bool
  ) -> Scene? {
    let roles = molecule.positions.indices.map { molecule.role($0) }
    let hasPolymer = roles.contains { $0 == .traced || $0 == .polymer }
    let balls = molecule.positions.indices.filter { atom in
      if isHighlighted(atom, molecule) { return false }
      return hasPolymer ? roles[atom] == .traced || roles[atom] == .polymer : roles[atom] != .water
    }.map { atom in
      SurfaceBall(
        center: molecule.positions[atom], radius: ElementStyle.vanDerWaalsRadius(of: molecule.element(atom)),
        atom: molecule.identifier(atom))
    }
    var scene = hasPolymer ? atomsBeside(molecule, withUntraced: false) : highlightedSticks(molecule) { _ in true }
    let surface = SolventSurface(atomCount: balls.count)
    guard var mesh = surface.mesh(around: balls, work: work, progress: progress) else { return nil }
    let colors = AtomColorIndex(molecule)
    mesh.color { colors[$0] }
    scene.mesh = mesh
    return scene
  }

  /// Returns the parts that ribbons do not show: ions as full-size balls, the others as sticks.
  private func atomsBeside(_ molecule: MoleculeGeometry, withUntraced: Bool = true) -> Scene {
    var scene = highlightedSticks(molecule) { atom in
      let role = molecule.role(atom)
      return role == .traced || role == .water || (!withUntraced && role == .polymer)
    }
    let beside = stickScene(
      of: molecule.filtered { atom in
        let role = molecule.role(atom)
        return role == .other || (withUntraced && role == .polymer)
      })
    scene.spheres += beside.spheres
    scene.cylinders += beside.cylinders
    scene.spheres += balls(of: molecule.filtered { molecule.role($0) == .ion }, share: 1)
    return scene
  }

  private func isHighlighted(_ atom: Int, _ molecule: MoleculeGeometry) -> Bool {
    highlighted?[Int(molecule.identifier(atom))] ?? false
  }

  /// Returns highlighted atoms as sticks.
  ///
  /// If the scheme distinguishes parts of polymers, it colors carbon, and the other elements have their own colors.
  private func highlightedSticks(_ molecule: MoleculeGeometry, where isWanted: (Int) -> Bool) -> Scene {
    guard highlighted != nil else { return Scene() }
    var shown = molecule.filtered { isHighlighted($0, molecule) && isWanted($0) }
    if scheme?.isOfPolymers ?? true {
      for atom in shown.colors.indices where shown.element(atom) != Element.carbon.rawValue {
        shown.colors[atom] = ElementStyle.color(of: shown.element(atom))
      }
    }
    return stickScene(of: shown)
  }
}

/// The colors of atoms by their numbers in the scene.
struct AtomColorIndex: Sendable {
  private let first: Int32
  private var colors: [RGBColor]

  /// Creates the index of the colors of a molecule; atoms without a color are gray.
  init(_ molecule: MoleculeGeometry) {
    let identifiers = molecule.positions.indices.map { molecule.identifier($0) }
    first = identifiers.min() ?? 0
    let last = identifiers.max() ?? -1
    colors = Array(repeating: RGBColor(0xB4B4B4), count: max(0, Int(last) - Int(first) + 1))
    for (atom, identifier) in identifiers.enumerated() {
      colors[Int(identifier - first)] = molecule.color(atom, by: .element)
    }
  }

  subscript(atom: Int32) -> RGBColor {
    let place = Int(atom) - Int(first)
    return colors.indices.contains(place) ? colors[place] : RGBColor(0xB4B4B4)
  }
}

extension TriangleMesh {
  /// Colors every corner by its atom.
  mutating func color(by color: (Int32) -> RGBColor) { colors = atoms.map(color) }
}
