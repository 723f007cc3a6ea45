import PluginAPI

/// The command that rebuilds the library from its originals; `workbench store rebuild` runs it.
enum RebuildCommand {
  static let command = CommandPart(
    CommandDescription(
      "rebuild library", "rebuilds a damaged library from the originals beside it",
      output: .model(RebuiltLibrary.self), effects: [.reads, .writes]
    ).explained(
      """
      Numbers, times and settings are taken over as far as they can be read; each molecule is read from its original, \
      which is left as it is. The damaged file is kept beside the new one. 'workbench store rebuild molecules:library' \
      does the same and asks first.
      """,
      examples: [.init("rebuild library", "from the originals")]
    ).findable(by: ["repair", "damaged"])
  ) { call in
    let library = try MoleculeLibrary(call)
    let replacement = try await library.store.replaceByOriginals()
    let molecules = try await library.opened().molecules
    for title in replacement.lost {
      call.warn(
        Diagnostic(
          .warning, code: "molecules.not-rebuilt", "'\(title)' has no original and is not in the rebuilt library",
          advice: "import its file again"))
    }
    try await call.emit(RebuiltLibrary(moleculeCount: molecules.count, replacement: replacement))
  }
}

/// The library after its database was replaced.
private struct RebuiltLibrary: Model {
  let moleculeCount: Int
  let replacement: LibraryReplacement

  static let typeName = "molecules.rebuilt-library"
  static let fields = Fields<RebuiltLibrary> {
    Field("store", { _ in LibraryStore.storeName }, "the store")
    Field("molecules", \.moleculeCount, "molecules in the library now")
    Field("damagedFile", \.replacement.damagedFile, "where the damaged file is kept")
    Field(
      "lost", \.replacement.lost, "titles of molecules that have no original and are in the damaged file only")
  }
}
