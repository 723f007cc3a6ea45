import PluginStore

extension UserDataStore {
  /// Keeps a network with the bytes of its file, in the place of one of the same id.
  func save(_ network: ImportedNetwork, content: [UInt8]) async throws {
    try await store.write {
      try $0.execute(
        "INSERT OR REPLACE INTO network VALUES (?, ?, ?, ?, ?, ?, ?)",
        [
          network.id.text, network.name, network.format, network.file, network.sha256, network.importedAt, content,
        ])
    }
  }

  /// All imported networks, in the order of their ids.
  func networks() async throws -> [ImportedNetwork] {
    try await store.read {
      try $0.list("SELECT id, name, format, file, sha256, imported_at FROM network ORDER BY id") {
        ImportedNetwork(
          id: Identifier($0.text(0)), name: $0.text(1), format: $0.text(2), file: $0.text(3), sha256: $0.text(4),
          importedAt: $0.integer(5))
      }
    }
  }

  /// The bytes of an imported network; nil if there is none of that id.
  func networkContent(_ id: Identifier) async throws -> [UInt8]? {
    try await store.read {
      try $0.list("SELECT content FROM network WHERE id = ?", [id.text]) { $0.bytes(0) }.first
    }
  }

  /// The bytes of an imported network, at once; only for code that may wait.
  func networkContentAndWait(_ id: Identifier) throws -> [UInt8]? {
    try store.readAndWait {
      try $0.list("SELECT content FROM network WHERE id = ?", [id.text]) { $0.bytes(0) }.first
    }
  }

  /// Forgets an imported network.
  ///
  /// - Returns: Whether there was one.
  func removeNetwork(_ id: Identifier) async throws -> Bool {
    try await store.write {
      try $0.execute("DELETE FROM network WHERE id = ?", [id.text])
      return $0.changedRows > 0
    }
  }
}
