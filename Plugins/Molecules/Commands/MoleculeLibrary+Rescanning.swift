import PluginAPI

extension MoleculeLibrary {
  /// Reads the originals of molecules anew, since readers or schema know more than when they were taken in.
  ///
  /// Each is replaced at once or not at all: what was not reached is reached at the next start. A molecule whose original is
  /// gone or unreadable keeps what is stored, which is told once.
  func readAnew(_ molecules: [MoleculeSummary]) async throws {
    for (index, molecule) in molecules.enumerated() {
      try Task.checkCancellation()
      report(Progress("bringing the library up to date", fraction: Double(index) / Double(molecules.count)))
      do {
        guard let new = try await readOriginal(of: molecule) else { continue }
        try await store.replace(molecule.id, by: new)
      } catch LibraryError.unknownMolecule {
        // Another process has deleted it meanwhile.
        continue
      }
    }
  }

  /// Reads the original of a molecule; nil if that cannot be done, which is told and noted.
  private func readOriginal(of molecule: MoleculeSummary) async throws -> NewMolecule? {
    let (originals, addedAt) = (store.originals, molecule.addedAt)
    let reason: ErrorReport
    do {
      return try await computed("reading \(molecule.file)") { progress in
        let bytes = try originals.read(molecule.file)
        let read = try MoleculeReading.molecule(bytes, path: molecule.file, bonds: .allModels, limits: limits, progress)
        return NewMolecule(molecule: read, original: bytes, source: molecule.file, addedAt: addedAt)
      }
    } catch let error as LibraryError {
      reason = error.report
    } catch let error as MoleculeError {
      reason = error.report
    }
    try await store.keepReading(of: molecule.id)
    warn(
      Diagnostic(
        .warning, code: "molecules.original-not-read-anew",
        "molecule \(molecule.id) stays as it was read before: \(reason.message)", advice: reason.advice))
    return nil
  }
}
