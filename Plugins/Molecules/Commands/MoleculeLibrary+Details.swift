/// The metadata of a molecule.
struct MoleculeDetails: Equatable, Sendable {
  var molecule: MoleculeSummary
  /// The entries, group by group, in the order of the groups.
  var entries: [MetadataEntry]
}

extension MoleculeLibrary {
  /// Reads the metadata of a molecule.
  ///
  /// - Throws: ``LibraryError/unknownMolecule``.
  func details(of id: Int) async throws -> MoleculeDetails {
    guard let molecule = try await store.snapshot().molecules.first(where: { $0.id == id }) else {
      throw LibraryError.unknownMolecule(id)
    }
    return MoleculeDetails(molecule: molecule, entries: try await store.metadata(of: id))
  }
}
