import PluginStore

extension UserDataStore {
  /// Stores a network with the bytes of its file, replacing one with the same id.
  func save(_ network: ImportedNetwork, content: [UInt8]) async throws {
    try await store.write {
      try $0.execute(
        "INSERT OR REPLACE INTO network VALUES (?, ?, ?, ?, ?, ?, ?)",
        [
          network.id.text, network.name, network.format, network.file, network.sha256, network.importedAt, content,
        ])
    }
  }

  /// Returns all imported networks, ordered by id.
  func networks() async throws -> [ImportedNetwork] {
    try await store.read { try Self.networks($0) }
  }

  static func networks(_ connection: Connection) throws -> [ImportedNetwork] {
    try connection.list("SELECT id, name, format, file, sha256, imported_at FROM network ORDER BY id") {
      ImportedNetwork(
        id: Identifier($0.text(0)), name: $0.text(1), format: $0.text(2), file: $0.text(3), sha256: $0.text(4),
        importedAt: $0.integer(5))
    }
  }

  /// Returns the bytes of an imported network; nil if there is none with the id.
  func networkContent(_ id: Identifier) async throws -> [UInt8]? {
    try await store.read {
      try $0.list("SELECT content FROM network WHERE id = ?", [id.text]) { $0.bytes(0) }.first
    }
  }

  /// Returns the bytes of an imported network.
  ///
  /// Blocks; call it only off the main loop.
  func networkContentAndWait(_ id: Identifier) throws -> [UInt8]? {
    try store.readAndWait {
      try $0.list("SELECT content FROM network WHERE id = ?", [id.text]) { $0.bytes(0) }.first
    }
  }

  /// Deletes an imported network.
  ///
  /// - Returns: True if there was one.
  func removeNetwork(_ id: Identifier) async throws -> Bool {
    try await store.write {
      try $0.execute("DELETE FROM network WHERE id = ?", [id.text])
      return $0.changedRows > 0
    }
  }
}
