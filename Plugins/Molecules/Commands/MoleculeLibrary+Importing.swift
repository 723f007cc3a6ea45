import PluginAPI

/// The result of an import.
struct ImportedMolecule: Equatable, Sendable {
  var id: Int
  var molecule: Molecule
  /// A Boolean value indicating whether the same file was already present.
  var wasKnown: Bool
}

extension MoleculeLibrary {
  /// Imports a file into the library and stores the original.
  ///
  /// - Throws: ``MoleculeError/file`` and ``MoleculeError/unreadable``; nothing is stored then.
  func importFile(_ path: String) async throws -> ImportedMolecule {
    let new = try await readNew(path, label: "reading \(path)")
    let (id, wasKnown) = try await store.add(new)
    return ImportedMolecule(id: id, molecule: new.molecule, wasKnown: wasKnown)
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
      } catch let error as MoleculeError {
        warn(Diagnostic(.warning, code: error.report.code, error.report.message))
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
    } catch let error as MoleculeError {
      try await store.refuse(file, reason: error.report.message)
      warn(
        Diagnostic(
          .warning, code: "molecules.file-ignored",
          "the file '\(file)' among the originals is ignored: \(error.report.message)",
          advice: "remove it from '\(store.originals.folder)'"))
      return false
    }
  }
}
