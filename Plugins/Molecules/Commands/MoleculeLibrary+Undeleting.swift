import PluginAPI

/// The original of a molecule about to be deleted, stored for restoring.
struct SetAsideMolecule: Equatable, Sendable {
  /// The molecule's number before the deletion.
  var id: Int
  var title: String
  /// The path of the stored original.
  var path: String
}

extension MoleculeLibrary {
  private var deleted: DeletedOriginals { DeletedOriginals(cache: context.folders.cache) }

  /// Stores the original of a molecule until the program ends.
  ///
  /// - Throws: ``LibraryError/unknownMolecule``, ``LibraryError/originalUnreadable`` and
  ///   ``LibraryError/originalNotKept``.
  func setAside(_ id: Int) async throws -> SetAsideMolecule {
    guard let summary = try await store.snapshot().molecules.first(where: { $0.id == id }) else {
      throw LibraryError.unknownMolecule(id)
    }
    let deleted = self.deleted
    let path = try await store.onDisk { try deleted.keep($0.read(summary.file), as: summary.file) }
    return SetAsideMolecule(id: id, title: summary.displayTitle, path: path)
  }

  /// Removes an original that was set aside.
  func forget(_ molecule: SetAsideMolecule) async throws {
    let deleted = self.deleted
    try await store.onDisk { _ in deleted.remove(molecule.path) }
  }

  /// Removes originals that earlier runs of the program had set aside.
  func tidy() async throws {
    let deleted = self.deleted
    try await store.onDisk { _ in deleted.removeAbandoned() }
  }
}
