import PluginAPI

/// The original of a molecule that is about to be deleted, kept so that it can be brought back.
struct SetAsideMolecule: Equatable, Sendable {
  /// The number it had.
  var id: Int
  var title: String
  /// Where its original is kept.
  var path: String
}

extension MoleculeLibrary {
  private var deleted: DeletedOriginals { DeletedOriginals(cache: context.folders.cache) }

  /// Keeps the original of a molecule until the program ends, for code with a thread of its own.
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

  /// Forgets an original that was set aside.
  func forgetAndWait(_ molecule: SetAsideMolecule) { deleted.remove(molecule.path) }

  /// Removes what earlier runs of the program had set aside.
  func tidyAndWait() { deleted.removeAbandoned() }
}
