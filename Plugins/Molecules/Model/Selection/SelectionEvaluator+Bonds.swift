/// Bonds, and what atoms can do in hydrogen bonds.
extension SelectionEvaluator {
  /// The bonds of a model, found when they are first needed.
  private mutating func neighbors(inModel model: Int) -> BondNeighbors {
    if let known = bonds[model] { return known }
    let found = BondNeighbors(
      BondPerception.bonds(of: structure, model: model), of: structure.models[model].atoms)
    bonds[model] = found
    return found
  }

  /// The atoms bonded to an atom of a set; atoms of the set are among them where they are bonded to each other.
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

  /// Whole molecules of which an atom is in a set: all that bonds hold together.
  ///
  /// A bond from a metal to another residue does not count: metals would join water and protein to one molecule.
  mutating func molecules(of set: AtomSelection) -> AtomSelection {
    let (residues, elements) = (structure.atoms.residue, structure.atoms.element)
    return extended(set, by: .max) { atom, other in
      residues[atom] == residues[other] || !elements[atom].isMetal && !elements[other].isMetal
    }
  }

  /// A set with the atoms at most so many bonds from it.
  ///
  /// - Parameters:
  ///   - set: the set.
  ///   - steps: the number of bonds.
  ///   - isFollowed: whether the bond between two atoms counts.
  /// - Complexity: linear in atoms and bonds, whatever the number of steps.
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

  /// The atoms that can give a hydrogen to a hydrogen bond, or take one, as the command `hydrogen-bonds` sees them.
  func hydrogenBonding(_ role: HydrogenBondRoles.Role) -> AtomSelection {
    var roles = HydrogenBondRoles(structure)
    var result = nothing
    for atom in atoms where roles.role(atom).contains(role) { result.insert(atom) }
    return result
  }
}
