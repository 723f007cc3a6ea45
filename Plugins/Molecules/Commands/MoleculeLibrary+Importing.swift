import PluginAPI

/// The result of an import.
struct ImportedMolecule: Equatable, Sendable {
  /// The file as it was named.
  var file: String
  var id: Int
  var molecule: Molecule
  /// A Boolean value indicating whether the same file was already present.
  var wasKnown: Bool
}

extension ImportedMolecule: Model {
  static let typeName = MoleculeValueType.importReport
  static let fields = Fields<ImportedMolecule> {
    Field("file", \.file, "the file as it was named")
    Field("id", \.id, "its number in the library")
    Field("code", \.molecule.structure.metadata.entryID, "entry code")
    Field("title", \.molecule.structure.metadata.title, "title")
    Field("format", \.molecule.format, "PDB, mmCIF, BinaryCIF, SDF or XYZ")
    Field("models", \.molecule.counts.models, "models")
    Field("chains", \.molecule.counts.chains, "chains of the first model")
    Field("residues", \.molecule.counts.residues, "residues of the first model")
    Field("atoms", \.molecule.counts.atoms, "atoms of the first model")
    Field("bonds", \.molecule.counts.bonds, "bonds of the first model")
    Field("wasKnown", \.wasKnown, "whether the same file was in the library already")
    Field("diagnostics", \.molecule.structure.diagnostics, "what was wrong in the file")
  }

  /// The output of commands that import: a list of records, without the molecules themselves.
  static let output = CommandDescription.Output([ImportedMolecule].schema, typeName: typeName)

  /// Returns the record of the import; warns if the file was already present.
  func value(reportedTo call: CommandCall) -> Value {
    if wasKnown {
      call.warn(Diagnostic(.note, code: "molecules.already-imported", "'\(file)' is molecule \(id) already; read anew"))
    }
    return fieldValue
  }
}

extension MoleculeLibrary {
  /// Imports a file into the library and stores the original.
  ///
  /// - Throws: ``MoleculeError/file`` and ``MoleculeError/unreadable``; nothing is stored then.
  func importFile(_ path: String) async throws -> ImportedMolecule {
    let new = try await readNew(path, label: "reading \(path)")
    return try await add(new, file: path)
  }

  /// Imports a downloaded file into the library.
  ///
  /// - Parameters:
  ///   - bytes: The whole file.
  ///   - name: Its name in the library.
  ///   - source: Its path or address.
  /// - Throws: ``MoleculeError/unreadable``; nothing is stored then.
  func importBytes(_ bytes: [UInt8], name: String, source: String) async throws -> ImportedMolecule {
    let addedAt = context.now()
    let new = try await computed("reading \(name)") {
      let molecule = try MoleculeReading.molecule(bytes, path: name, bonds: .allModels, limits: limits, $0)
      return NewMolecule(molecule: molecule, original: bytes, source: source, addedAt: addedAt)
    }
    return try await add(new, file: name)
  }

  /// Stores a molecule that was read from a file.
  func add(_ new: NewMolecule, file: String) async throws -> ImportedMolecule {
    let (id, wasKnown) = try await store.add(new)
    return ImportedMolecule(file: file, id: id, molecule: new.molecule, wasKnown: wasKnown)
  }

  /// Reads a file with all its bonds, on a separate thread.
  func readNew(_ path: String, label: String) async throws -> NewMolecule {
    let addedAt = context.now()
    return try await computed(label) {
      let (molecule, bytes) = try MoleculeReading.molecule(file: path, bonds: .allModels, limits: limits, $0)
      return NewMolecule(molecule: molecule, original: bytes, source: path, addedAt: addedAt)
    }
  }

  /// Imports the plugin's starter molecules into a new library.
  ///
  /// An unreadable one is reported and skipped. An interrupted first start is repeated: files already present are
  /// recognized by their content.
  func addStarters() async throws {
    let folder = context.folders.resources + "/Starters"
    let files = StructureSource.names(inFolder: folder).filter(MoleculeFileTypes.isFileName)
    for (index, file) in files.enumerated() {
      report(Progress("filling the library", fraction: Double(index) / Double(files.count)))
      do {
        _ = try await importFile(folder + "/" + file)
      } catch let error as ErrorReport {
        warn(Diagnostic(.warning, code: error.code, error.message))
      }
    }
    try await store.setInitialised()
  }

  /// Imports the files among the originals that have no molecule, and reports them.
  func takeIn(_ files: [String]) async throws {
    var taken: [String] = []
    for file in files where try await adopt(file) { taken.append(file) }
    guard let first = taken.first else { return }
    let others = taken.count > 1 ? " and \(taken.count - 1) more" : ""
    warn(
      Diagnostic(
        .note, code: "molecules.files-taken-in", "taken into the library from the folder beside it: '\(first)'\(others)"
      ))
  }

  /// Imports a file among the originals that has no molecule.
  ///
  /// - Returns: True if it is in the library now.
  func adopt(_ file: String) async throws -> Bool {
    let path = store.originals.path(of: file)
    do {
      _ = try await store.adopt(try await readNew(path, label: "reading \(file)"), file: file)
      return true
    } catch let error as ErrorReport {
      try await store.refuse(file, reason: error.message)
      warn(
        Diagnostic(
          .warning, code: "molecules.file-ignored",
          "the file '\(file)' among the originals is ignored: \(error.message)",
          advice: "remove it from '\(store.originals.folder)'"))
      return false
    }
  }
}
