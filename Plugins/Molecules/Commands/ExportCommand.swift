import PluginAPI

/// The command that writes molecules in other formats.
enum ExportCommand {
  static let command = CommandPart(
    CommandDescription(
      "export", "Export molecules to a file in another format", output: .model(ExportedFile.self),
      effects: [.reads, .writes]
    ).taking(molecules, format, output, model, SelectionOptions.select, SelectionOptions.set).explained(
      """
      All models are exported unless '--model' names one. mmCIF keeps all data that the program reads; other records, \
      such as those on software, are lost. \(notes) An existing output file is overwritten. Without '--output', the \
      command creates a new file in the current folder.
      """,
      examples: [
        .init("export 1bna --format mmcif", "Write 1bna.cif"),
        .init("export 4hhb.cif.gz --output 4hhb.pdb", "Format taken from the file name"),
        .init("export 4hhb --select 'resn HEM' --output hem.pdb", "A part of the molecule"),
        .init("export 1 2 3 --format sql-1.2 --output molecules.sql", "A database of the original application"),
      ]), export)

  private static let notes = ExportFormat.all.map(\.note).filter { !$0.isEmpty }.joined(separator: " ")
  private static let several = ExportFormat.namesOfSeveral.joined(separator: ", ")
  private static let molecules = Argument(
    "molecule", list: String.self, kind: .document(extensions: MoleculeFileTypes.extensions),
    "Number, entry code or beginning of the title of a molecule in the library; or a file; several for \(several)",
    isRequired: true
  ).completedByLibrary()
  private static let format = Option(
    "format", ExportFormat.self, "File format; by default that of the output file's name")
  private static let output = Option(
    "output", String.self, kind: .outputFile, "Output file; by default named after the molecule")
  private static let model = Option(
    "model", Int.self, kind: .integer(minimum: 1, maximum: .max),
    "Model to export, counted from 1; all by default")

  @Sendable private static func export(_ call: CommandCall) async throws {
    let (words, output) = (call[molecules], call[output])
    guard let format = call[format] ?? output.flatMap(ExportFormat.format(ofFile:)) else {
      throw MoleculeError.formatMissing(
        "the file format is missing",
        advice: "name it with '--format', one of " + ExportFormat.all.map(\.name).joined(separator: ", "))
    }
    guard words.count == 1 || format.holdsSeveral else {
      throw MoleculeError.oneMolecule(
        "a file in format '\(format.name)' holds one molecule",
        advice: "export the molecules one by one, or with '--format \(several)'")
    }
    let library = try MoleculeLibrary(call)
    var molecules: [Molecule] = []
    let selection = try SelectionOptions.selection(call)
    for word in words {
      let whole = try await library.molecule(word, bonds: .allModels)
      molecules.append(try await part(of: whole, selection, model: call[model], library))
    }
    let path = output ?? name(molecules[0], format)
    let bytes = try await format.bytes(of: molecules, library)
    try await library.computed("writing \(path)") { _ in
      try ExportFile.write(bytes, to: path, replacing: output != nil)
    }
    try await call.emit(
      ExportedFile(
        path: path, format: format, molecules: molecules.count,
        models: molecules.reduce(0) { $0 + $1.structure.models.count },
        atoms: molecules.reduce(0) { $0 + $1.structure.atoms.count }, bytes: bytes.count))
  }

  /// Returns the requested part of a molecule: all of it, or the atoms of a selection and a model.
  private static func part(
    of molecule: Molecule, _ selection: Selection?, model: Int?, _ library: MoleculeLibrary
  ) async throws -> Molecule {
    guard selection != nil || model != nil else { return molecule }
    let models = molecule.structure.models
    if let model, model > models.count { throw MoleculeError.unknownModel(model, count: models.count) }
    SelectionOptions.checkConfidence([selection], of: molecule.structure, model: (model ?? 1) - 1, library)
    return try await library.computed("selecting") { _ in
      let structure = molecule.structure
      var kept = AtomSelection(atomCount: structure.atoms.count)
      for index in model.map({ $0 - 1..<$0 }) ?? models.indices {
        kept.formUnion(
          selection?.atoms(of: structure, model: index)
            ?? AtomSelection(atomCount: structure.atoms.count, range: models[index].atoms))
      }
      if kept.isEmpty, let selection { throw MoleculeError.emptySelection(text: selection.text) }
      return molecule.restricted(to: kept)
    }
  }

  /// Returns a file name derived from the molecule's code or file, or that of several molecules.
  private static func name(_ molecule: Molecule, _ format: ExportFormat) -> String {
    if format.holdsSeveral { return "molecules." + format.extensions[0] }
    let code = molecule.structure.metadata.entryID.lowercased()
    var stem = code.isEmpty ? molecule.file : code
    for ending in MoleculeFileTypes.extensions.sorted(by: { $0.utf8.count > $1.utf8.count })
    where stem.lowercased().hasSuffix("." + ending) {
      stem.removeLast(ending.count + 1)
      break
    }
    let letters = stem.map { $0.isLetter || $0.isNumber || "-_.+".contains($0) ? $0 : "_" }
    return (letters.isEmpty ? "molecule" : String(letters)) + "." + format.extensions[0]
  }
}

/// A file that was written.
private struct ExportedFile: Model {
  let path: String
  let format: ExportFormat
  let molecules: Int
  let models: Int
  let atoms: Int
  let bytes: Int

  static let typeName = "molecules.exported-file"
  static let fields = Fields<ExportedFile> {
    Field("file", \.path, "Path of the file")
    Field("format", \.format, "File format")
    Field("molecules", \.molecules, "Number of molecules")
    Field("models", \.models, "Number of models of all molecules")
    Field("atoms", \.atoms, "Number of atoms of all models")
    Field("bytes", \.bytes, "Size in bytes")
  }
}
