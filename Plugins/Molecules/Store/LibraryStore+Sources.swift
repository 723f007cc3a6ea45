import PluginStore

extension LibraryStore {
  /// Returns the number of the molecule from an address; nil if there is none.
  func id(ofSource source: String) async throws -> Int? {
    try await read { try $0.value("SELECT id FROM molecule WHERE source = ? ORDER BY id", [source]).integer }
  }
}
