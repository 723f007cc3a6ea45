/// The atoms of a model that can take part in contacts: the conformers of its residues, sorted into a grid.
struct ContactAtoms {
  /// Atom indices of the structure, ascending.
  let atoms: [Int32]
  /// Their positions in Å.
  let points: [SIMD3<Float>]
  let grid: PointGrid

  /// Collects atoms.
  ///
  /// - Parameters:
  ///   - structure: Their structure.
  ///   - model: Model index, 0-based.
  ///   - reach: The radius of later searches, in Å.
  ///   - isTaken: Returns true for the residues and atoms that take part, by index in the structure.
  init(_ structure: Structure, model: Int, reach: Float, where isTaken: (_ residue: Int, _ atom: Int) -> Bool) {
    precondition(structure.models.indices.contains(model), "there is no model of this index")
    var atoms: [Int32] = []
    let conformers = Conformers(structure, model: model)
    for residue in structure.models[model].residues {
      for atom in structure.residues[residue].atoms where conformers.contains(atom) && isTaken(residue, atom) {
        atoms.append(Int32(atom))
      }
    }
    self.atoms = atoms
    points = atoms.map { SIMD3<Float>(structure.atoms.position(Int($0))) }
    grid = PointGrid(points, edge: reach)
  }

  /// Calls `body` for each atom within a distance of a position, with its index in the list and the squared distance in
  /// Å².
  @inline(__always)
  func forEachAtom(near place: SIMD3<Float>, within distance: Float, _ body: (Int, Float) -> Void) {
    grid.forEachPoint(near: place, within: distance) { other in
      let step = points[other] - place
      let square = step.x * step.x + step.y * step.y + step.z * step.z
      if square <= distance * distance { body(other, square) }
    }
  }
}
