/// An implausible number of atoms at one position, as in a broken file.
///
/// The number of pairs grows with the square of the number of atoms, so tables of contacts are not computed for them.
struct AtomCrowd: Equatable, Sendable {
  /// The index of its central atom in the structure.
  var atom: Int
  /// The number of atoms around the central atom, itself included.
  var count: Int

  /// The radius around an atom within which others are counted, in Å.
  static let radius: Float = 2
  /// The most plausible number of atoms other than hydrogens within the radius; diamond has 6.
  static let mostAtoms = 100

  /// Finds the first crowd of a model; fails for a sound structure.
  ///
  /// - Parameter model: Model index, 0-based.
  /// - Complexity: linear in the atoms of a sound structure.
  init?(_ structure: Structure, model: Int) {
    let elements = structure.atoms.element
    let atoms = ContactAtoms(structure, model: model, reach: Self.radius) { _, atom in !elements[atom].isHydrogen }
    for (index, point) in atoms.points.enumerated()
    where atoms.grid.pointCount(near: point, within: Self.radius) > Self.mostAtoms {
      var count = 0
      atoms.forEachAtom(near: point, within: Self.radius) { _, _ in count += 1 }
      if count > Self.mostAtoms {
        self.init(atom: Int(atoms.atoms[index]), count: count)
        return
      }
    }
    return nil
  }

  init(atom: Int, count: Int) {
    self.atom = atom
    self.count = count
  }
}
