extension Scene {
  /// Returns the primitives of atoms in some runs and the primitives without an atom.
  ///
  /// Sticks are kept if both of their atoms are, triangles if the atom of their first corner is.
  ///
  /// - Parameter runs: Ascending runs of atom indices (0-based).
  /// - Complexity: O(primitives + atoms).
  func restricted(to runs: [Range<Int>]) -> Scene {
    var isKept = [Bool](repeating: false, count: runs.last?.upperBound ?? 0)
    for run in runs where run.upperBound <= isKept.count {
      for atom in run { isKept[atom] = true }
    }
    func keeps(_ atom: Int32) -> Bool { atom < 0 || (Int(atom) < isKept.count && isKept[Int(atom)]) }
    var part = Scene()
    part.spheres = spheres.filter { keeps($0.atom) }
    part.cylinders = cylinders.filter { keeps($0.startAtom) && keeps($0.endAtom) }
    part.mesh = mesh
    if mesh.isComplete {
      part.mesh.triangles = mesh.triangles.filter { keeps(mesh.atoms[Int($0.x)]) }
      if part.mesh.triangles.count < mesh.triangles.count { part.mesh.isClosed = false }
    }
    return part
  }
}
