extension SceneBuilder {
  /// The arrangement of the strokes of a multiple bond, relative to a single stick's radius.
  struct StrokeShape: Sendable {
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
  func strokes(of molecule: MoleculeGeometry, radius: Float, _ shape: StrokeShape) -> [Cylinder] {
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
    var places = firsts
    for bond in bonds {
      let pair = molecule.bonds[bond]
      let isAromatic = molecule.order(ofBond: bond) == .aromatic
      for (atom, other) in [(pair.x, pair.y), (pair.y, pair.x)] {
        neighbors[Int(places[Int(atom)])] = (other, isAromatic)
        places[Int(atom)] += 1
      }
    }
  }

  /// Returns the unit direction across the bond in the plane of the neighbors; any perpendicular if there are none.
  ///
  /// - Parameter isAromatic: true if only neighbors by aromatic bonds count and determine the side.
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
