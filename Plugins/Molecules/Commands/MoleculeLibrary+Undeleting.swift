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

  /// Stores the original of a molecule until the program ends; blocks the calling thread.
  ///
  /// - Throws: ``LibraryError/unknownMolecule``, ``LibraryError/originalUnreadable`` and
  ///   ``LibraryError/originalNotKept``.
  func setAsideAndWait(_ id: Int) throws -> SetAsideMolecule {
    guard let summary = try store.snapshotAndWait().molecules.first(where: { $0.id == id }) else {
      throw LibraryError.unknownMolecule(id)
    }
    let path = try deleted.keep(store.originals.read(summary.file), as: summary.file)
    return SetAsideMolecule(id: id, title: summary.displayTitle, path: path)
  }

  /// Removes an original that was set aside.
  func forgetAndWait(_ molecule: SetAsideMolecule) { deleted.remove(molecule.path) }

  /// Removes originals that earlier runs of the program had set aside.
  func tidyAndWait() { deleted.removeAbandoned() }
}
