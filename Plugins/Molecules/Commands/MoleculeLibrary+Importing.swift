import PluginAPI

extension ImportedMolecule {
  /// The output of commands that import: a list of records, without the molecules themselves.
  static let output = CommandDescription.Output([ImportedMolecule].schema, typeName: typeName)

  /// Returns the record of the import; warns if the file was already present.
  func value(reportedTo call: CommandCall) -> Value {
    if wasKnown {
      call.warn(
        Diagnostic(.note, code: "molecules.already-imported", "'\(file)' is already molecule \(id) and was read again"))
    }
    return fieldValue
  }
}

// MARK: Importing

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
    try await store.local.setInitialised()
  }

  /// Imports the files among the originals that have no molecule, and reports them.
  func importStray(_ files: [String]) async throws {
    var taken: [String] = []
    for file in files where try await adopt(file) { taken.append(file) }
    guard let first = taken.first else { return }
    let others = taken.count > 1 ? " and \(taken.count - 1) more" : ""
    warn(
      Diagnostic(
        .note, code: "molecules.files-taken-in", "imported from the folder beside the library: '\(first)'\(others)"
      ))
  }

  /// Imports a file among the originals that has no molecule.
  ///
  /// - Returns: True if it is in the library now.
  private func adopt(_ file: String) async throws -> Bool {
    let path = store.local.originals.path(of: file)
    do {
      _ = try await store.local.adopt(try await readNew(path, label: "reading \(file)"), file: file)
      return true
    } catch let error as ErrorReport {
      try await store.local.refuse(file, reason: error.message)
      warn(
        Diagnostic(
          .warning, code: "molecules.file-ignored",
          "file '\(file)' among the originals was ignored: \(error.message)",
          advice: "remove it from '\(store.local.originals.folder)'"))
      return false
    }
  }
}

// MARK: Reading again

extension MoleculeLibrary {
  /// Reads the originals of molecules again, after readers or the schema were extended.
  ///
  /// Each replacement is atomic; the remaining ones are done at the next start. A molecule whose original is missing or
  /// unreadable keeps its stored data, which is reported once.
  func readAgain(_ molecules: [MoleculeSummary]) async throws {
    for (index, molecule) in molecules.enumerated() {
      try Task.checkCancellation()
      report(Progress("updating the library", fraction: Double(index) / Double(molecules.count)))
      do {
        guard let new = try await readOriginal(of: molecule) else { continue }
        try await store.replace(molecule.id, by: new)
      } catch LibraryError.unknownMolecule {
        // Another process has deleted it in the meantime.
        continue
      }
    }
  }

  /// Reads the original of a molecule; returns nil if that fails, which is reported and recorded.
  private func readOriginal(of molecule: MoleculeSummary) async throws -> NewMolecule? {
    let addedAt = molecule.addedAt
    let reason: ErrorReport
    do {
      let bytes = try await store.original(of: molecule)
      return try await computed("reading \(molecule.file)") { progress in
        let read = try MoleculeReading.molecule(bytes, path: molecule.file, bonds: .allModels, limits: limits, progress)
        return NewMolecule(molecule: read, original: bytes, source: molecule.file, addedAt: addedAt)
      }
    } catch let error as LibraryError {
      reason = error.report
    } catch let error as ErrorReport {
      reason = error
    }
    try await store.keepReading(of: molecule.id)
    warn(
      Diagnostic(
        .warning, code: "molecules.original-not-read-anew",
        "molecule \(molecule.id) could not be read again and is unchanged: \(reason.message)", advice: reason.advice))
    return nil
  }
}

/// Builds molecules from files: the structure and the bonds of its models.
///
/// The functions block the calling thread.
enum MoleculeReading {
  /// The models whose bonds are found.
  enum BondScope: Sendable {
    case firstModel, allModels
    /// The bonds needed to choose the first mode of a molecule; others are found on demand.
    case needed
    /// No bonds; they are found on demand.
    case onDemand
  }

  /// Reads a molecule from a file's bytes.
  ///
  /// - Parameters:
  ///   - bytes: The bytes of the file.
  ///   - path: Its path, for messages; its last part is the molecule's file name.
  ///   - scope: The models whose bonds are found; the others have none.
  ///   - limits: The limits of reading.
  ///   - progress: Updated after reading and after each model; checked for cancellation.
  /// - Throws: ``MoleculeError/unreadable``, `CancellationError`.
  static func molecule(
    _ bytes: [UInt8], path: String, bonds scope: BondScope, limits: ReadingLimits = ReadingLimits(),
    _ progress: any WorkProgress
  ) throws -> Molecule {
    let name = path.split(separator: "/").last.map(String.init) ?? path
    progress.report(Progress("reading \(name)", fraction: 0))
    let source: StructureSource
    do {
      source = try StructureSource(bytes: bytes, name: name, limits: limits)
    } catch {
      if case .contentTooLarge(let limit) = error {
        throw MoleculeError.contentTooLarge(path: path, limitInBytes: limit)
      }
      if case .noCoordinates(let reason) = error {
        throw MoleculeError.noCoordinates(
          "'\(path)' has no atom coordinates: \(reason)", details: ["file": .text(path)])
      }
      throw MoleculeError.unreadable(path: path, reason: error.reason, place: error.place)
    }
    try progress.checkCancellation()
    let structure = source.structure
    let models = models(scope, of: structure)
    var bonds: [[Bond]] = []
    for model in models {
      progress.report(Progress("bonds of \(name)", fraction: 0.5 + 0.5 * Double(model) / Double(models.count)))
      bonds.append(BondPerception.bonds(of: structure, model: model))
      try progress.checkCancellation()
    }
    if scope == .firstModel { bonds += Array(repeating: [], count: structure.models.count - bonds.count) }
    return Molecule(id: nil, format: source.format, file: name, structure: structure, bonds: bonds)
  }

  /// Returns the models whose bonds are found immediately.
  private static func models(_ scope: BondScope, of structure: Structure) -> Range<Int> {
    let all = structure.models.indices
    switch scope {
    case .allModels: return all
    case .firstModel: return all.prefix(1).indices
    case .onDemand: return 0..<0
    case .needed:
      let atoms = structure.models.first?.atoms.count ?? 0
      return RenderMode.isSmall(atomCount: atoms) ? all.prefix(1).indices : 0..<0
    }
  }

  /// Reads a molecule from a file on disk.
  static func molecule(
    file path: String, bonds scope: BondScope, limits: ReadingLimits, _ progress: any WorkProgress
  ) throws -> (molecule: Molecule, bytes: [UInt8]) {
    progress.report(Progress("reading \(path)"))
    let bytes: [UInt8]
    do {
      bytes = try StructureSource.bytes(ofFile: path)
    } catch {
      throw MoleculeError.file(error)
    }
    return (try molecule(bytes, path: path, bonds: scope, limits: limits, progress), bytes)
  }
}

extension ReadingLimits {
  /// The setting for the limit of uncompressed content.
  static let setting = Setting(
    "content-limit", in: 1...2047, "Largest uncompressed content of a file", unit: "MiB",
    default: standardContentInMebibytes)

  /// Creates the limits from the settings.
  init(_ context: any PluginContext) {
    self.init(contentInBytes: context[Self.setting] << 20)
  }
}
