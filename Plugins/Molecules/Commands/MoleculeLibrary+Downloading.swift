import PluginAPI

extension MoleculeLibrary {
  /// Imports a downloaded file into the library.
  ///
  /// - Parameters:
  ///   - bytes: The whole file.
  ///   - name: Its name in the library.
  ///   - source: Its path or address.
  /// - Throws: ``MoleculeError/unreadable(path:reason:)``; nothing is stored then.
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
