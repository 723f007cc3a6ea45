/// Builds the scene of a molecule in one of the modes.
struct SceneBuilder: Sendable {
  /// The radius of a ball as a fraction of the van der Waals radius.
  ///
  /// - Source: Molecules 2.x.
  private static let ballShare: Float = 0.35
  /// The radius of a stick of the ball-and-stick mode in ångström.
  static let stickRadius: Float = 0.14
  /// The radius of a stick of the cylinder mode in ångström.
  private static let cylinderRadius: Float = 0.22
  /// The radius of a stick of the stick mode in ångström.
  static let licoriceRadius: Float = 0.3
  /// The radius in the cylinder mode of atoms without a bond, in ångström.
  private static let loneAtomRadius: Float = 0.4

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
    case .surface: surfaceScene(of: molecule, .serial, progress: nil) ?? Scene()
    }
  }

  /// Builds the scene of a molecule unless a closure stops it; only a surface takes long enough to ask.
  ///
  /// - Parameter progress: called with the fraction done; returns whether to continue.
  /// - Returns: nil if `progress` returned false.
  func scene(
    of molecule: MoleculeGeometry, work: ParallelWork = .serial, progress: ((Double) -> Bool)?
  ) -> Scene? {
    mode == .surface ? surfaceScene(of: molecule, work, progress: progress) : scene(of: molecule)
  }

  private var colors: ColorScheme { scheme ?? (mode == .cylinders ? .residue : .element) }

  private func balls(of molecule: MoleculeGeometry, share: Float) -> [Sphere] {
    molecule.positions.indices.map { atom in
      Sphere(
        center: molecule.positions[atom],
        radius: ElementStyle.vanDerWaalsRadius(of: molecule.element(atom)) * share,
        color: molecule.color(atom, by: colors), atom: molecule.identifier(atom), isIon: molecule.role(atom) == .ion)
    }
  }

  /// Calls `body` with the two atoms of every bond between different atoms, and its index among the bonds.
  private func forEachBond(of molecule: MoleculeGeometry, _ body: (_ first: Int, _ second: Int, _ bond: Int) -> Void) {
    let atoms = molecule.positions.indices
    for (index, bond) in molecule.bonds.enumerated() where bond.x != bond.y {
      guard atoms.contains(Int(bond.x)), atoms.contains(Int(bond.y)) else { continue }
      body(Int(bond.x), Int(bond.y), index)
    }
  }

  private func sticks(of molecule: MoleculeGeometry, radius: Float) -> [Cylinder] {
    var sticks: [Cylinder] = []
    sticks.reserveCapacity(molecule.bonds.count)
    forEachBond(of: molecule) { first, second, _ in sticks.append(stick(of: molecule, first, second, radius: radius)) }
    return sticks
  }

  /// Returns the stick between two atoms.
  private func stick(of molecule: MoleculeGeometry, _ first: Int, _ second: Int, radius: Float) -> Cylinder {
    Cylinder(
      start: molecule.positions[first], end: molecule.positions[second], radius: radius,
      startColor: molecule.color(first, by: colors), endColor: molecule.color(second, by: colors),
      startAtom: molecule.identifier(first), endAtom: molecule.identifier(second))
  }

  /// Returns bonds as thick sticks, with their orders.
  private func stickScene(of molecule: MoleculeGeometry) -> Scene {
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

  // MARK: Bond orders

  /// The arrangement of the strokes of a multiple bond, relative to a single stick's radius.
  private struct StrokeShape: Sendable {
    /// The radius of each of two strokes, and their distance from the line between the atoms.
    var double: (radius: Float, distance: Float)
    /// The radius of each of three strokes, and the distance of the outer ones from the middle one.
    var triple: (radius: Float, distance: Float)
    /// The radius of the stroke of an aromatic bond and of its dashes.
    var aromatic: (radius: Float, dash: Float)
    /// The distances of stroke and dashes of an aromatic bond from the line between the atoms, on its two sides.
    var aromaticDistance: (stroke: Float, dash: Float)

    /// Strokes that end in balls wider than their spacing.
    static let besideBalls = StrokeShape(
      double: (0.6, 1.15), triple: (0.5, 1.6), aromatic: (1, 0.5), aromaticDistance: (0, 1.9))
    /// Strokes that end in joints no wider than a single stick.
    static let withinJoints = StrokeShape(
      double: (0.42, 0.57), triple: (0.28, 0.7), aromatic: (0.5, 0.28), aromaticDistance: (0.4, 0.7))
  }

  /// The dashes of an aromatic bond, as fractions of its length.
  private static let dashes: [ClosedRange<Float>] = [0.16...0.34, 0.41...0.59, 0.66...0.84]

  /// Returns the bonds as sticks: one for a single bond, two for a double, three for a triple, one with dashes for an
  /// aromatic one.
  ///
  /// Strokes lie in the plane of the neighboring bonds, dashes on the inner side of the ring.
  /// - Parameter radius: the radius of a single stick in ångström.
  private func strokes(of molecule: MoleculeGeometry, radius: Float, _ shape: StrokeShape) -> [Cylinder] {
    let isSimple = molecule.bondOrders.allSatisfy { $0 == .single || $0 == .unknown }
    if isSimple { return sticks(of: molecule, radius: radius) }
    let sides = BondSides(molecule)
    var strokes: [Cylinder] = []
    strokes.reserveCapacity(molecule.bonds.count * 5 / 4)
    forEachBond(of: molecule) { first, second, bond in
      let line = stick(of: molecule, first, second, radius: radius)
      func add(_ width: Float, _ side: SIMD3<Float>, _ distance: Float) {
        strokes.append(line.moved(by: side * distance * radius, radius: width * radius))
      }
      switch molecule.order(ofBond: bond) {
      case .double:
        let side = sides.side(first, second, isAromatic: false)
        for sign in [Float(1), -1] { add(shape.double.radius, side, sign * shape.double.distance) }
      case .triple:
        let side = sides.side(first, second, isAromatic: false)
        for sign in [Float(1), 0, -1] { add(shape.triple.radius, side, sign * shape.triple.distance) }
      case .aromatic:
        let side = sides.side(first, second, isAromatic: true)
        add(shape.aromatic.radius, side, -shape.aromaticDistance.stroke)
        let inner = line.moved(by: side * shape.aromaticDistance.dash * radius, radius: shape.aromatic.dash * radius)
        strokes += Self.dashes.flatMap { inner.parts(of: $0) }
      case .single, .unknown: strokes.append(line)
      }
    }
    return strokes
  }

  // MARK: Polymers

  /// The radius of the backbone's sticks in ångström.
  private static let backboneRadius: Float = 0.4
  /// The radius of the dashes over a gap, and the length of a dash and of the space after it, in ångström.
  private static let dashRadius: Float = 0.18
  private static let dashLength: Float = 0.8

  /// Returns the chains as ribbons, with ligands as sticks and ions as full-size balls beside them; waters only if
  /// highlighted.
  private func cartoonScene(of molecule: MoleculeGeometry) -> Scene {
    var scene = atomsBeside(molecule, molecule.drawings(in: mode, highlighted: highlighted))
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
  private func backboneScene(of molecule: MoleculeGeometry) -> Scene {
    var scene = atomsBeside(molecule, molecule.drawings(in: mode, highlighted: highlighted))
    let colors = AtomColorIndex(molecule)
    scene.cylinders += dashes(over: molecule.gaps, colors)
    for trace in molecule.traces {
      for node in trace.nodes {
        scene.spheres.append(
          Sphere(center: node.position, radius: Self.backboneRadius, color: colors[node.atom], atom: node.atom))
      }
      for (one, next) in zip(trace.nodes, trace.nodes.dropFirst()) {
        scene.cylinders.append(
          Cylinder(
            start: one.position, end: next.position, radius: Self.backboneRadius, startColor: colors[one.atom],
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
  private func surfaceScene(
    of molecule: MoleculeGeometry, _ work: ParallelWork, progress: ((Double) -> Bool)?
  ) -> Scene? {
    let drawings = molecule.drawings(in: mode, highlighted: highlighted)
    var scene = atomsBeside(molecule, drawings)
    let balls = molecule.positions.indices.filter { drawings[$0] == .joined }.map { atom in
      SurfaceBall(
        center: molecule.positions[atom], radius: ElementStyle.vanDerWaalsRadius(of: molecule.element(atom)),
        atom: molecule.identifier(atom))
    }
    let surface = SolventSurface(atomCount: balls.count)
    guard var mesh = surface.mesh(around: balls, work: work, progress: progress) else { return nil }
    let colors = AtomColorIndex(molecule)
    mesh.color { colors[$0] }
    scene.mesh = mesh
    return scene
  }

  /// Returns the atoms beside ribbons and surfaces: ions as full-size balls, the others as sticks.
  private func atomsBeside(_ molecule: MoleculeGeometry, _ drawings: [AtomDrawing]) -> Scene {
    var scene = highlighted == nil ? Scene() : highlightedSticks(molecule.filtered { drawings[$0] == .highlighted })
    let beside = stickScene(of: molecule.filtered { drawings[$0] == .single && molecule.role($0) != .ion })
    scene.spheres += beside.spheres
    scene.cylinders += beside.cylinders
    scene.spheres += balls(of: molecule.filtered { drawings[$0] == .single && molecule.role($0) == .ion }, share: 1)
    return scene
  }

  /// Returns highlighted atoms as sticks.
  ///
  /// If the scheme distinguishes parts of polymers, it colors carbon, and the other elements have their own colors.
  private func highlightedSticks(_ highlighted: MoleculeGeometry) -> Scene {
    var colored = highlighted
    if scheme?.isOfPolymers ?? true {
      for atom in colored.colors.indices where colored.element(atom) != Element.carbon.rawValue {
        colored.colors[atom] = ElementStyle.color(of: colored.element(atom))
      }
    }
    return stickScene(of: colored)
  }
}

/// Determines the side of a bond to which its strokes are moved: the side of its atoms' neighbors.
private struct BondSides {
  private let molecule: MoleculeGeometry
  /// The neighbors of all atoms, atom by atom, each with a flag for an aromatic bond.
  private var neighbors: [(atom: Int32, isAromatic: Bool)]
  private var firsts: [Int32]

  init(_ molecule: MoleculeGeometry) {
    self.molecule = molecule
    let atoms = molecule.positions.indices
    let bonds = molecule.bonds.indices.filter { bond in
      let pair = molecule.bonds[bond]
      return pair.x != pair.y && atoms.contains(Int(pair.x)) && atoms.contains(Int(pair.y))
    }
    firsts = Array(repeating: 0, count: atoms.count + 1)
    for bond in bonds {
      firsts[Int(molecule.bonds[bond].x) + 1] += 1
      firsts[Int(molecule.bonds[bond].y) + 1] += 1
    }
    for atom in atoms { firsts[atom + 1] += firsts[atom] }
    neighbors = Array(repeating: (0, false), count: 2 * bonds.count)
    var next = firsts
    for bond in bonds {
      let pair = molecule.bonds[bond]
      let isAromatic = molecule.order(ofBond: bond) == .aromatic
      for (atom, other) in [(pair.x, pair.y), (pair.y, pair.x)] {
        neighbors[Int(next[Int(atom)])] = (other, isAromatic)
        next[Int(atom)] += 1
      }
    }
  }

  /// Returns the unit direction across the bond in the plane of the neighbors; any perpendicular if there are none.
  ///
  /// - Parameter isAromatic: true if only neighbors by aromatic bonds determine the side.
  func side(_ first: Int, _ second: Int, isAromatic: Bool) -> SIMD3<Float> {
    let axis = (molecule.positions[second] - molecule.positions[first]).normalized
    let across = acrosses(first, second, axis, isAromatic) + acrosses(second, first, axis, isAromatic)
    let strongest = across.max { $0.length < $1.length } ?? .zero
    // Of neighbors on both sides only the plane counts: components out of it, as in a cage, cancel.
    let plane = across.reduce(SIMD3<Float>.zero) { $0 + (($1 * strongest).sum() < 0 ? -$1 : $1) }
    let sum = across.reduce(SIMD3<Float>.zero, +)
    let side = isAromatic && sum.length > 0.3 ? sum : plane
    if side.length > 0.1 { return side.normalized }
    let other: SIMD3<Float> = abs(axis.x) < 0.6 ? SIMD3(1, 0, 0) : SIMD3(0, 1, 0)
    return (other - axis * (other * axis).sum()).normalized
  }

  /// Returns the components across the bond's axis of the unit directions to an atom's other neighbors, one per bond.
  private func acrosses(_ atom: Int, _ other: Int, _ axis: SIMD3<Float>, _ isAromatic: Bool) -> [SIMD3<Float>] {
    neighbors[Int(firsts[atom])..<Int(firsts[atom + 1])].compactMap { neighbor in
      guard Int(neighbor.atom) != other, neighbor.isAromatic || !isAromatic else { return nil }
      let direction = (molecule.positions[Int(neighbor.atom)] - molecule.positions[atom]).normalized
      return direction - axis * (direction * axis).sum()
    }
  }
}

extension Cylinder {
  /// Returns the stick moved sideways, with another radius.
  fileprivate func moved(by offset: SIMD3<Float>, radius: Float) -> Cylinder {
    var stick = self
    stick.start += offset
    stick.end += offset
    stick.radius = radius
    return stick
  }

  /// Returns the stick as dashes with spaces of the same length between them; it begins and ends with a space.
  func dashed(by length: Float) -> [Cylinder] {
    let pieces = max(1, ((end - start).length / (2 * length)).rounded())
    guard pieces < 10_000 else { return [] }
    return (0..<Int(pieces)).flatMap { parts(of: (Float($0) + 0.25) / pieces...(Float($0) + 0.75) / pieces) }
  }

  /// Returns a part of the stick, by fractions of its length, in its colors: two sticks if it has both.
  fileprivate func parts(of range: ClosedRange<Float>) -> [Cylinder] {
    var parts: [Cylinder] = []
    func add(_ from: Float, _ to: Float, _ color: RGBColor, _ atom: Int32) {
      guard from < to else { return }
      parts.append(
        Cylinder(
          start: start + (end - start) * from, end: start + (end - start) * to, radius: radius, startColor: color,
          endColor: color, startAtom: atom, endAtom: atom))
    }
    add(range.lowerBound, min(range.upperBound, 0.5), startColor, startAtom)
    add(max(range.lowerBound, 0.5), range.upperBound, endColor, endAtom)
    return parts
  }
}

/// The colors of atoms by their numbers in the scene.
private struct AtomColorIndex: Sendable {
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
    let index = Int(atom) - Int(first)
    return colors.indices.contains(index) ? colors[index] : RGBColor(0xB4B4B4)
  }
}

extension TriangleMesh {
  /// Colors every corner by its atom.
  mutating func color(by color: (Int32) -> RGBColor) { colors = atoms.map(color) }
}
