/// More atoms at one place than matter can hold, as a broken file has them.
///
/// Pairs of such atoms grow with the square of their number, so that tables of what touches cannot be made of them.
struct AtomCrowd: Equatable, Sendable {
  /// The atom in their midst, by index of the structure.
  var atom: Int
  /// The number of atoms around it, itself included.
  var count: Int

  /// How far around an atom others are counted, in Å.
  static let radius: Float = 2
  /// The most atoms other than hydrogens within the radius; diamond has 6.
  static let mostAtoms = 100

  /// Finds the first crowd of a model; nil in a sound structure.
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
