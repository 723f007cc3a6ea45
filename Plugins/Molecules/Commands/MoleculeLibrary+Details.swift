/// The metadata of a molecule.
struct MoleculeDetails: Equatable, Sendable {
  var molecule: MoleculeSummary
  /// The entries, group by group, in the order of the groups.
  var entries: [MetadataEntry]
}

extension MoleculeLibrary {
  /// Reads the metadata of a molecule; blocks the calling thread.
  ///
  /// - Throws: ``LibraryError/unknownMolecule``.
  func detailsAndWait(of id: Int) throws -> MoleculeDetails {
    guard let molecule = try store.snapshotAndWait().molecules.first(where: { $0.id == id }) else {
      throw LibraryError.unknownMolecule(id)
    }
    return MoleculeDetails(molecule: molecule, entries: try store.metadataAndWait(of: id))
  }
}
