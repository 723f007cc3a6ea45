import PluginAPI

/// The command that rebuilds the library from its originals; `workbench store rebuild` runs it.
enum RebuildCommand {
  static let command = CommandPart(
    CommandDescription(
      "rebuild library", "rebuilds a damaged library from the originals beside it",
      output: .init(
        .record([
          .init("store", .text, "the store"),
          .init("molecules", .integer, "molecules in the library now"),
          .init("damagedFile", .text, "where the damaged file is kept"),
          .init("lost", .list(.text), "titles of molecules that have no original and are in the damaged file only"),
        ])), effects: [.reads, .writes]
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
    let value: Value = [
      "store": .text(LibraryStore.storeName), "molecules": .integer(molecules.count),
      "damagedFile": .text(replacement.damagedFile), "lost": .list(replacement.lost.map(Value.text)),
    ]
    try await call.emit(value)
  }
}
