extension Molecule {
  /// Returns the molecule with some of its atoms only; models that lose all of theirs are removed.
  func restricted(to kept: AtomSelection) -> Molecule {
    let restriction = StructureRestriction(structure, to: kept)
    var molecule = self
    molecule.structure = restriction.structure
    molecule.bonds = structure.models.indices.filter { kept.intersects(structure.models[$0].atoms) }
      .map { restriction.bonds(bonds(ofModel: $0)) }
    return molecule
  }
}
