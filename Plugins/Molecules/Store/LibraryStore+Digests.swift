import PluginStore

extension LibraryStore {
  /// The SHA-256 of a file's bytes as the library keeps it: 64 hexadecimal digits.
  static func digest(of bytes: [UInt8]) -> String { SHA256.hexadecimal(of: bytes) }

  /// The SHA-256 of the file a molecule was read from, hexadecimal; for code with a thread of its own.
  ///
  /// - Throws: ``LibraryError/unknownMolecule``.
  func digestAndWait(of id: Int) throws -> String {
    let digest = try readAndWait { connection in
      try connection.first("SELECT file_digest FROM molecule WHERE id = ?", [id]) { $0.text(0) }
    }
    guard let digest else { throw LibraryError.unknownMolecule(id) }
    return digest
  }

  /// The molecules by the SHA-256 of their files; for code with a thread of its own.
  func digestsAndWait() throws -> [String: Int] {
    let rows = try readAndWait { connection in
      try connection.list("SELECT file_digest, id FROM molecule", []) { ($0.text(0), $0.integer(1)) }
    }
    return Dictionary(rows) { first, _ in first }
  }
}
