import PluginAPI

/// Commands on the library as a whole: list, import, delete, open.
enum LibraryCommands {
  static let all = [list, importing, deletion, opening]

  static let list = CommandPart(
    CommandDescription("list", "List the molecules in the library", output: .table(of: MoleculeSummary.self))
      .taking(match)
      .explained(
        "The first start fills the library with the starters, structures that come with the program.",
        examples: [
          .init("list", "All molecules"), .init("list --json", "As JSON, for scripts"),
          .init("list --match 'transfer rna'", "Molecules with words that begin with these"),
        ])
  ) { call in
    let library = try MoleculeLibrary(call)
    let molecules = try await library.opened().molecules
    guard let text = call[match], let ids = try await library.store.matches(text) else {
      return try await call.emit(table: molecules)
    }
    if ids.isEmpty { call.warn(Diagnostic(.note, code: "molecules.no-hits", "no molecules found for '\(text)'")) }
    let byID = Dictionary(molecules.map { ($0.id, $0) }) { first, _ in first }
    try await call.emit(table: ids.compactMap { byID[$0] })
  }

  private static let match = Option(
    "match", String.self,
    "Words that must all occur in the code, title, compounds, authors or keywords; best matches first")

  static let importing = CommandPart(
    CommandDescription(
      "import", "Import structure files into the library",
      output: ImportedMolecule.output, effects: [.reads, .writes]
    ).taking(files).explained(
      """
      The library keeps a copy of each original file. A file that is already in the library is read again and keeps \
      its number. If some files cannot be read, the others are imported, and the exit status reports the failure.
      """,
      examples: [
        .init("import 1crn.pdb", "Import one file"), .init("import *.cif.gz", "Import many files"),
        .init("import Documents", "Import molecules.sql and the files beside it"),
      ]),
    importFiles)

  private static let files = Argument(
    "file", list: String.self, kind: .inputFile(extensions: MoleculeFileTypes.extensions),
    "Structure file, plain or gzipped; or a Documents folder of the original application", isRequired: true)

  static let deletion = CommandPart(
    CommandDescription(
      "delete", "Delete a molecule and its original file from the library",
      output: .model(DeletedMolecule.self), effects: [.reads, .writes, .deletes]
    ).taking(stored).explained(
      examples: [
        .init("delete 3", "Delete molecule 3"), .init("delete 1crn", "Delete the molecule with this entry code"),
      ]
    ).findable(by: ["remove"])
  ) { call in
    let library = try MoleculeLibrary(call)
    let molecule = try await library.summary(call[stored])
    try await library.store.delete(molecule.id)
    try await call.emit(DeletedMolecule(molecule: molecule))
  }

  static let opening = CommandPart(
    CommandDescription(
      "open", "Choose the molecule that the viewer shows next",
      output: .model(MoleculeSummary.self), effects: [.reads, .writes, .network]
    ).taking(stored).explained(
      "For a link 'molecules://host/path' the command first downloads 'http://host/path' into the library.",
      examples: [.init("open 1bna", "Show 1BNA at the next start of the viewer")])
  ) { call in
    let library = try MoleculeLibrary(call)
    let molecule = try await opened(call[stored], library, call)
    try await library.store.setLastViewed(molecule.id)
    try await call.emit(molecule)
  }

  /// Returns the molecule of a word or of a link, which is fetched unless the library has it from there.
  private static func opened(
    _ word: String, _ library: MoleculeLibrary, _ call: CommandCall
  ) async throws -> MoleculeSummary {
    guard MoleculeFetch.isLink(word) else { return try await library.summary(word) }
    _ = try await library.opened()
    let file = MoleculeFetch.file(at: word)
    if let id = try await library.store.id(ofSource: file.address) { return try await library.summary("\(id)") }
    return try await library.summary("\(MoleculeFetch.download(file, library, call).id)")
  }

  private static let stored = Argument(
    "molecule", String.self, kind: .document(extensions: []),
    "Number, entry code or beginning of the title of a molecule"
  ).completedByLibrary()

  /// Imports files one after the other; failures do not stop the others.
  @Sendable private static func importFiles(_ call: CommandCall) async throws {
    let library = try MoleculeLibrary(call)
    _ = try await library.opened()
    var (imported, failures) = ([Value](), FileFailures(among: call[files].count))
    for file in call[files] {
      try Task.checkCancellation()
      do {
        if MoleculeLibrary.isLegacy(file) {
          for result in try await library.importDatabase(file) { imported.append(result.value(reportedTo: call)) }
        } else {
          imported.append(try await library.importFile(file).value(reportedTo: call))
        }
      } catch let error as ErrorReport {
        try failures.add(file, error, call)
      }
    }
    if !imported.isEmpty { try await call.emit(Value.list(imported).typed(ImportedMolecule.typeName)) }
    try failures.check("imported", count: imported.count)
  }
}

/// The command that rebuilds the library from its originals; `workbench store rebuild` runs it.
enum RebuildCommand {
  static let command = CommandPart(
    CommandDescription(
      "rebuild library", "Rebuild a damaged library from the original files",
      output: .model(RebuiltLibrary.self), effects: [.reads, .writes]
    ).explained(
      """
      Each molecule is read again from its original file, which stays unchanged. Numbers, times and settings are kept \
      if they are readable. The damaged database is kept beside the new one. 'workbench store rebuild \
      molecules:library' does the same after a confirmation.
      """,
      examples: [.init("rebuild library", "Read all original files again")]
    ).findable(by: ["repair", "damaged"])
  ) { call in
    let library = try MoleculeLibrary(call)
    let replacement = try await library.store.replaceByOriginals()
    let molecules = try await library.opened().molecules
    for title in replacement.lost {
      call.warn(
        Diagnostic(
          .warning, code: "molecules.not-rebuilt", "'\(title)' has no original file and is not in the rebuilt library",
          advice: "import its file again"))
    }
    if replacement.before == nil {
      call.warn(
        Diagnostic(
          .warning, code: "molecules.rebuilt-uncounted",
          "the number of molecules in the damaged database is unknown; the rebuilt library has \(molecules.count)",
          advice: "compare the library with your files"))
    }
    try await call.emit(RebuiltLibrary(moleculeCount: molecules.count, replacement: replacement))
  }
}

/// The library after its database was replaced.
private struct RebuiltLibrary: Model {
  let moleculeCount: Int
  let replacement: LibraryReplacement

  /// The titles of lost molecules; nil if the damaged database names none and may have had more.
  private var lost: [String]? {
    replacement.before == nil && replacement.lost.isEmpty ? nil : replacement.lost
  }

  static let typeName = "molecules.rebuilt-library"
  static let fields = Fields<RebuiltLibrary> {
    Field("store", { _ in LibraryStore.storeName }, "Name of the store")
    Field("molecules", \.moleculeCount, "Number of molecules in the library")
    Field("before", \.replacement.before, "Number of molecules in the damaged database; null if unknown")
    Field("damagedFile", \.replacement.damagedFile, "Path of the damaged database")
    Field(
      "lost", \.lost,
      "Titles of molecules without an original file, which are only in the damaged database; null if unknown")
  }
}
