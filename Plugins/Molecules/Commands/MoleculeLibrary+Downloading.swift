import PluginAPI

extension MoleculeLibrary {
  /// Takes a downloaded file into the library.
  ///
  /// - Parameters:
  ///   - bytes: The whole file.
  ///   - name: How it is called in the library.
  ///   - source: Where it came from.
  /// - Throws: ``MoleculeError/unreadable(path:reason:)``; nothing is kept then.
  func importBytes(_ bytes: [UInt8], name: String, source: String) async throws -> ImportedMolecule {
    let addedAt = context.now()
    let new = try await computed("reading \(name)") {
      let molecule = try MoleculeReading.molecule(bytes, path: name, bonds: .allModels, limits: limits, $0)
      return NewMolecule(molecule: molecule, original: bytes, source: source, addedAt: addedAt)
    }
    let (id, wasKnown) = try await store.add(new)
    return ImportedMolecule(id: id, molecule: new.molecule, wasKnown: wasKnown)
  }
}
