import PluginAPI

/// Commands on the library as a whole: list, import, delete, open.
enum LibraryCommands {
  static let all = [list, importing, deletion, opening]

  static let list = CommandPart(
    CommandDescription("list", "lists the molecules of the library", output: .table(of: MoleculeSummary.self))
      .taking(match)
      .explained(
        "At the first start the library is filled with the starters that come with the program.",
        examples: [
          .init("list", "shows all molecules"), .init("list --json", "the same for scripts"),
          .init("list --match 'transfer rna'", "shows those with words that begin so"),
        ])
  ) { call in
    let library = try MoleculeLibrary(call)
    let molecules = try await library.opened().molecules
    guard let text = call[match], let ids = try await library.store.matches(text) else {
      return try await call.emit(table: molecules)
    }
    if ids.isEmpty { call.warn(Diagnostic(.note, code: "molecules.no-hits", "nothing is found for '\(text)'")) }
    let byID = Dictionary(molecules.map { ($0.id, $0) }) { first, _ in first }
    try await call.emit(table: ids.compactMap { byID[$0] })
  }

  private static let match = Option(
    "match", String.self,
    "only molecules whose code, title, compounds, authors or keywords have all these words; the best first")

  static let importing = CommandPart(
    CommandDescription(
      "import", "takes files into the library and keeps the originals beside it",
      output: ImportedMolecule.output, effects: [.reads, .writes]
    ).taking(files).explained(
      """
      A file whose content is in the library already is read anew under its old number. If some files cannot be read, \
      the others are imported all the same and the exit status tells.
      """,
      examples: [
        .init("import 1crn.pdb", "imports one file"), .init("import *.cif.gz", "imports many"),
        .init("import Documents", "molecules.sql and the files beside it"),
      ]),
    importFiles)

  private static let files = Argument(
    "file", list: String.self, kind: .inputFile(extensions: MoleculeFileTypes.extensions),
    "structure file, plain or gzipped, or a Documents folder of the original program", isRequired: true)

  static let deletion = CommandPart(
    CommandDescription(
      "delete", "deletes a molecule and its original from the library",
      output: .model(DeletedMolecule.self), effects: [.reads, .writes, .deletes]
    ).taking(stored).explained(
      examples: [.init("delete 3", "deletes molecule 3"), .init("delete 1crn", "deletes the molecule of that code")]
    ).findable(by: ["remove"])
  ) { call in
    let library = try MoleculeLibrary(call)
    let molecule = try await library.summary(call[stored])
    try await library.store.delete(molecule.id)
    try await call.emit(DeletedMolecule(molecule: molecule))
  }

  static let opening = CommandPart(
    CommandDescription(
      "open", "makes a molecule the one that the viewer shows at its next start",
      output: .model(MoleculeSummary.self), effects: [.reads, .writes, .network]
    ).taking(stored).explained(
      "A link 'molecules://host/path' is downloaded from 'http://host/path' into the library first.",
      examples: [.init("open 1bna", "remembers the molecule of that code as viewed last")])
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
    "number, entry code or beginning of the title of a molecule"
  ).completedByLibrary()

  /// Imports files one after the other; failures do not stop the others.
  @Sendable private static func importFiles(_ call: CommandCall) async throws {
    let library = try MoleculeLibrary(call)
    _ = try await library.opened()
    var (imported, failed) = ([Value](), [(file: String, report: ErrorReport)]())
    for file in call[files] {
      try Task.checkCancellation()
      do {
        if MoleculeLibrary.isLegacy(file) {
          for result in try await library.importDatabase(file) { imported.append(result.value(reportedTo: call)) }
        } else {
          imported.append(try await library.importFile(file).value(reportedTo: call))
        }
      } catch let error as ErrorReport {
        failed.append((file, error))
      }
    }
    if let first = failed.first, failed.count == 1, imported.isEmpty { throw first.report }
    for (_, report) in failed {
      call.warn(Diagnostic(.error, code: report.code, report.message, advice: report.advice))
    }
    if !imported.isEmpty { try await call.emit(Value.list(imported).typed(ImportedMolecule.typeName)) }
    if let first = failed.first {
      let count = "\(failed.count) of \(failed.count + imported.count) files"
      throw ErrorReport(
        code: first.report.code, kind: first.report.kind,
        "\(count) could not be imported; the first: \(first.report.message)", advice: first.report.advice,
        details: ["failed": failed.map(\.file).fieldValue, "imported": .integer(imported.count)])
    }
  }
}

/// A molecule that was deleted from the library.
private struct DeletedMolecule: Model {
  let molecule: MoleculeSummary

  static let typeName = MoleculeValueType.deletion
  static let fields = Fields<DeletedMolecule> {
    Field("id", \.molecule.id, "the number it had")
    Field("code", \.molecule.code, "entry code")
    Field("title", \.molecule.title, "title")
    Field("file", \.molecule.file, "the original that was removed")
  }
}

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
