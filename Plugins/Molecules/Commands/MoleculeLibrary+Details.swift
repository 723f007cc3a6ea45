/// What is known of a molecule besides its atoms.
struct MoleculeDetails: Equatable, Sendable {
  var molecule: MoleculeSummary
  /// Group by group, in the order of the groups.
  var entries: [MetadataEntry]
}

extension MoleculeLibrary {
  /// Reads what is known of a molecule, for code with a thread of its own.
  ///
  /// - Throws: ``LibraryError/unknownMolecule``.
  func detailsAndWait(of id: Int) throws -> MoleculeDetails {
    guard let molecule = try store.snapshotAndWait().molecules.first(where: { $0.id == id }) else {
      throw LibraryError.unknownMolecule(id)
    }
    return MoleculeDetails(molecule: molecule, entries: try store.metadataAndWait(of: id))
  }
}
