/// Evaluates bonds and roles in hydrogen bonds.
extension SelectionEvaluator {
  /// Returns the bonds of a model, found when first needed.
  private mutating func neighbors(inModel model: Int) -> BondNeighbors {
    if let known = bonds[model] { return known }
    let found = BondNeighbors(
      BondPerception.bonds(of: structure, model: model), of: structure.models[model].atoms)
    bonds[model] = found
    return found
  }

  /// Returns the atoms bonded to an atom of a set, including atoms of the set that are bonded to each other.
  mutating func bonded(to set: AtomSelection) -> AtomSelection {
    var result = nothing
    for model in models {
      let range = structure.models[model].atoms
      guard set.intersects(range) else { continue }
      let neighbors = neighbors(inModel: model)
      for atom in range where set[atom] {
        for other in neighbors[atom] { result.insert(Int(other)) }
      }
    }
    return result
  }

  /// Returns the whole molecules, as bonded groups of atoms, that have an atom in a set.
  ///
  /// A bond from a metal to another residue does not count: metals would join water and protein to one molecule.
  mutating func molecules(of set: AtomSelection) -> AtomSelection {
    let (residues, elements) = (structure.atoms.residue, structure.atoms.element)
    return extended(set, by: .max) { atom, other in
      residues[atom] == residues[other] || !elements[atom].isMetal && !elements[other].isMetal
    }
  }

  /// Returns a set with the atoms within a number of bonds from it.
  ///
  /// - Parameters:
  ///   - set: the set.
  ///   - steps: the number of bonds.
  ///   - isFollowed: returns true if the bond between two atoms counts.
  /// - Complexity: linear in atoms and bonds, independent of the number of steps.
  mutating func extended(
    _ set: AtomSelection, by steps: Int, where isFollowed: (Int, Int) -> Bool = { _, _ in true }
  ) -> AtomSelection {
    var result = set
    for model in models {
      var edge = structure.models[model].atoms.filter { set[$0] }
      guard !edge.isEmpty else { continue }
      let neighbors = neighbors(inModel: model)
      var step = 0
      while step < steps, !edge.isEmpty {
        var next: [Int] = []
        for atom in edge {
          for other in neighbors[atom] where !result[Int(other)] && isFollowed(atom, Int(other)) {
            result.insert(Int(other))
            next.append(Int(other))
          }
        }
        edge = next
        step += 1
      }
    }
    return result
  }

  /// Returns the hydrogen bond donors or acceptors, as determined by the command `hydrogen-bonds`.
  func hydrogenBonding(_ role: HydrogenBondRoles.Role) -> AtomSelection {
    var roles = HydrogenBondRoles(structure)
    var result = nothing
    for atom in atoms where roles.role(atom).contains(role) { result.insert(atom) }
    return result
  }
}
