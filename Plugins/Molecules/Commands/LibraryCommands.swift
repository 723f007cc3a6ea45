import PluginAPI

/// Commands on the library as a whole: list, import, delete, open.
enum LibraryCommands {
  static let all = [list, importing, deletion, opening]

  static let list = CommandPart(
    CommandDescription("list", "lists the molecules of the library", output: .init(.table(listFields)))
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
      return try await call.emit(.table(table(molecules)))
    }
    if ids.isEmpty { call.warn(Diagnostic(.note, code: "molecules.no-hits", "nothing is found for '\(text)'")) }
    let byID = Dictionary(molecules.map { ($0.id, $0) }) { first, _ in first }
    try await call.emit(.table(table(ids.compactMap { byID[$0] })))
  }

  private static let match = Option(
    "match", String.self,
    "only molecules whose code, title, compounds, authors or keywords have all these words; the best first")

  static let importing = CommandPart(
    CommandDescription(
      "import", "takes files into the library and keeps the originals beside it",
      output: .init(.list(.record(importFields)), typeName: MoleculeValueType.importReport), effects: [.reads, .writes]
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
      output: .init(.record(deletionFields), typeName: MoleculeValueType.deletion),
      effects: [.reads, .writes, .deletes]
    ).taking(stored).explained(
      examples: [.init("delete 3", "deletes molecule 3"), .init("delete 1crn", "deletes the molecule of that code")]
    ).findable(by: ["remove"])
  ) { call in
    let library = try MoleculeLibrary(call)
    let molecule = try await library.summary(call[stored])
    try await library.store.delete(molecule.id)
    try await call.emit(
      Value.record([
        "id": .integer(molecule.id), "code": .text(molecule.code), "title": .text(molecule.title),
        "file": .text(molecule.file),
      ]).typed(MoleculeValueType.deletion))
  }

  static let opening = CommandPart(
    CommandDescription(
      "open", "makes a molecule the one that the viewer shows at its next start",
      output: .init(.record(listFields), typeName: MoleculeValueType.opened), effects: [.reads, .writes, .network]
    ).taking(stored).explained(
      "A link 'molecules://host/path' is downloaded from 'http://host/path' into the library first.",
      examples: [.init("open 1bna", "remembers the molecule of that code as viewed last")])
  ) { call in
    let library = try MoleculeLibrary(call)
    let molecule = try await opened(call[stored], library, call)
    try await library.store.setLastViewed(molecule.id)
    try await call.emit(Value.record(table([molecule]).row(0)).typed(MoleculeValueType.opened))
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

  static let listFields: [ValueSchema.Field] = [
    .init("id", .integer, "number in the library, from 1, never used again"),
    .init("code", .text, "entry code, empty if the file has none"),
    .init("title", .text, "title as the file writes it"),
    .init("format", .text, "PDB, mmCIF, BinaryCIF, SDF or XYZ"),
    .init("atoms", .integer, "atoms of the first model"),
    .init("bonds", .integer, "bonds of the first model"),
    .init("models", .integer, "models"),
    .init("addedAt", .date, "when it was imported"),
  ]

  static func table(_ molecules: [MoleculeSummary]) -> Table {
    Table(columns: [
      .init("id", title: "Id", .integers(molecules.map(\.id))),
      .init("code", title: "Code", .texts(molecules.map(\.code))),
      .init("title", title: "Title", .texts(molecules.map(\.title))),
      .init("format", title: "Format", .texts(molecules.map(\.format))),
      .init("atoms", title: "Atoms", .integers(molecules.map(\.counts.atoms))),
      .init("bonds", title: "Bonds", .integers(molecules.map(\.counts.bonds))),
      .init("models", title: "Models", .integers(molecules.map(\.counts.models))),
      .init("addedAt", title: "Added", .values(molecules.map { .date($0.addedAt) })),
    ])
  }
}

extension LibraryCommands {
  private static let deletionFields: [ValueSchema.Field] = [
    .init("id", .integer, "the number it had"), .init("code", .text, "entry code"), .init("title", .text, "title"),
    .init("file", .text, "the original that was removed"),
  ]

  static let importFields: [ValueSchema.Field] = [
    .init("file", .text, "the file as it was named"),
    .init("id", .integer, "its number in the library"),
    .init("code", .text, "entry code"),
    .init("title", .text, "title"),
    .init("format", .text, "PDB, mmCIF, BinaryCIF, SDF or XYZ"),
    .init("models", .integer, "models"),
    .init("chains", .integer, "chains of the first model"),
    .init("residues", .integer, "residues of the first model"),
    .init("atoms", .integer, "atoms of the first model"),
    .init("bonds", .integer, "bonds of the first model"),
    .init("wasKnown", .bool, "whether the same file was in the library already"),
    .init("diagnostics", .list(.record(DiagnosticValue.fields)), "what was wrong in the file"),
  ]

  /// Imports files one after the other; failures do not stop the others.
  @Sendable private static func importFiles(_ call: CommandCall) async throws {
    let library = try MoleculeLibrary(call)
    _ = try await library.opened()
    var (imported, failed) = ([Value](), [(file: String, report: ErrorReport)]())
    for file in call[files] {
      try Task.checkCancellation()
      do {
        if MoleculeLibrary.isLegacy(file) {
          for (file, result) in try await library.importDatabase(file) {
            imported.append(importValue(file, result, call))
          }
        } else {
          imported.append(importValue(file, try await library.importFile(file), call))
        }
      } catch let error as MoleculeError {
        failed.append((file, error.report))
      }
    }
    if let first = failed.first, failed.count == 1, imported.isEmpty { throw first.report }
    for (_, report) in failed {
      call.warn(Diagnostic(.error, code: report.code, report.message, advice: report.advice))
    }
    if !imported.isEmpty { try await call.emit(Value.list(imported).typed(MoleculeValueType.importReport)) }
    if let first = failed.first {
      throw MoleculeError.notAllImported(failed: failed.map(\.file), imported: imported.count, first: first.report)
    }
  }

  /// Returns the value of an import; warns if the file was already present.
  static func importValue(_ file: String, _ result: ImportedMolecule, _ call: CommandCall) -> Value {
    if result.wasKnown {
      call.warn(
        Diagnostic(.note, code: "molecules.already-imported", "'\(file)' is molecule \(result.id) already; read anew"))
    }
    let (metadata, counts) = (result.molecule.structure.metadata, result.molecule.counts)
    return [
      "file": .text(file), "id": .integer(result.id), "code": .text(metadata.entryID), "title": .text(metadata.title),
      "format": .text(result.molecule.format), "models": .integer(counts.models), "chains": .integer(counts.chains),
      "residues": .integer(counts.residues), "atoms": .integer(counts.atoms), "bonds": .integer(counts.bonds),
      "wasKnown": .bool(result.wasKnown),
      "diagnostics": .list(result.molecule.structure.diagnostics.map(DiagnosticValue.value)),
    ]
  }
}
