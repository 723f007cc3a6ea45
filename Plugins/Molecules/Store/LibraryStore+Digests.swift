import PluginStore

extension LibraryStore {
  /// Returns the SHA-256 of a file's bytes in the library's form: 64 hexadecimal digits.
  static func digest(of bytes: [UInt8]) -> String { SHA256.hexadecimal(of: bytes) }

  /// Returns the SHA-256 of a molecule's original file, hexadecimal.
  ///
  /// - Throws: ``LibraryError/unknownMolecule``.
  func digest(of id: Int) async throws -> String {
    let digest = try await read { connection in
      try connection.first("SELECT file_digest FROM molecule WHERE id = ?", [id]) { $0.text(0) }
    }
    guard let digest else { throw LibraryError.unknownMolecule(id) }
    return digest
  }

  /// Returns the molecules by the SHA-256 of their files.
  func digests() async throws -> [String: Int] {
    let rows = try await read { connection in
      try connection.list("SELECT file_digest, id FROM molecule", []) { ($0.text(0), $0.integer(1)) }
    }
    return Dictionary(rows) { first, _ in first }
  }
}
