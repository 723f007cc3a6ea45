/// Makes the scene of a molecule in one of the modes.
struct SceneBuilder: Sendable {
  /// The radius of a ball as a share of the van der Waals radius.
  ///
  /// - Source: Molecules 2.x.
  static let ballShare: Float = 0.35
  /// The radius of a stick of the ball-and-stick mode in ångström.
  static let stickRadius: Float = 0.14
  /// The radius of a stick of the cylinder mode in ångström.
  static let cylinderRadius: Float = 0.22
  /// The radius in the cylinder mode of atoms that no bond shows, in ångström.
  static let loneAtomRadius: Float = 0.4

  var mode: RenderMode
  /// The colours; nil takes those of the mode: residues for cylinders, as the original did, else elements.
  var scheme: ColorScheme?

  init(mode: RenderMode, scheme: ColorScheme? = nil) {
    self.mode = mode
    self.scheme = scheme
  }

  /// Makes the scene of a molecule; the atom indices in it are those of the columns.
  ///
  /// - Complexity: O(atoms + bonds).
  func scene(of molecule: MoleculeGeometry) -> Scene {
    switch mode {
    case .spacefilling: Scene(spheres: balls(of: molecule, share: 1))
    case .ballAndStick:
      Scene(
        spheres: balls(of: molecule, share: Self.ballShare),
        cylinders: sticks(of: molecule, radius: Self.stickRadius))
    case .cylinders: cylinderScene(of: molecule)
    }
  }

  private var colors: ColorScheme { scheme ?? (mode == .cylinders ? .residue : .element) }

  private func balls(of molecule: MoleculeGeometry, share: Float) -> [Sphere] {
    molecule.positions.indices.map { atom in
      Sphere(
        center: molecule.positions[atom],
        radius: ElementStyle.vanDerWaalsRadius(of: molecule.element(atom)) * share,
        color: molecule.color(atom, by: colors), atom: Int32(truncatingIfNeeded: atom))
    }
  }

  private func sticks(of molecule: MoleculeGeometry, radius: Float) -> [Cylinder] {
    let count = molecule.positions.count
    var sticks: [Cylinder] = []
    sticks.reserveCapacity(molecule.bonds.count)
    for bond in molecule.bonds {
      let first = Int(bond.x)
      let second = Int(bond.y)
      guard first != second, first >= 0, second >= 0, first < count, second < count else { continue }
      sticks.append(
        Cylinder(
          start: molecule.positions[first], end: molecule.positions[second], radius: radius,
          startColor: molecule.color(first, by: colors), endColor: molecule.color(second, by: colors),
          startAtom: bond.x, endAtom: bond.y))
    }
    return sticks
  }

  /// Sticks with round joints; atoms without a bond become small balls, so that nothing vanishes.
  private func cylinderScene(of molecule: MoleculeGeometry) -> Scene {
    let sticks = sticks(of: molecule, radius: Self.cylinderRadius)
    var isBonded = [Bool](repeating: false, count: molecule.positions.count)
    for stick in sticks {
      isBonded[Int(stick.startAtom)] = true
      isBonded[Int(stick.endAtom)] = true
    }
    let joints = molecule.positions.indices.map { atom in
      Sphere(
        center: molecule.positions[atom], radius: isBonded[atom] ? Self.cylinderRadius : Self.loneAtomRadius,
        color: molecule.color(atom, by: colors), atom: Int32(truncatingIfNeeded: atom))
    }
    return Scene(spheres: joints, cylinders: sticks)
  }
}
