import PluginAPI

extension MoleculeLibrary {
  /// Reads the originals of molecules again, after readers or the schema were extended.
  ///
  /// Each replacement is atomic; the remaining ones are done at the next start. A molecule whose original is missing or
  /// unreadable keeps its stored data, which is reported once.
  func readAnew(_ molecules: [MoleculeSummary]) async throws {
    for (index, molecule) in molecules.enumerated() {
      try Task.checkCancellation()
      report(Progress("bringing the library up to date", fraction: Double(index) / Double(molecules.count)))
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
    } catch let error as ErrorReport {
      reason = error
    }
    try await store.keepReading(of: molecule.id)
    warn(
      Diagnostic(
        .warning, code: "molecules.original-not-read-anew",
        "molecule \(molecule.id) stays as it was read before: \(reason.message)", advice: reason.advice))
    return nil
  }
}
