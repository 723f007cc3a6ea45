import PluginStore

extension LibraryStore {
  /// Returns the SHA-256 of a file's bytes in the library's form: 64 hexadecimal digits.
  static func digest(of bytes: [UInt8]) -> String { SHA256.hexadecimal(of: bytes) }

  /// Returns the SHA-256 of a molecule's original file, hexadecimal; blocks the calling thread.
  ///
  /// - Throws: ``LibraryError/unknownMolecule``.
  func digestAndWait(of id: Int) throws -> String {
    let digest = try readAndWait { connection in
      try connection.first("SELECT file_digest FROM molecule WHERE id = ?", [id]) { $0.text(0) }
    }
    guard let digest else { throw LibraryError.unknownMolecule(id) }
    return digest
  }

  /// Returns the molecules by the SHA-256 of their files; blocks the calling thread.
  func digestsAndWait() throws -> [String: Int] {
    let rows = try readAndWait { connection in
      try connection.list("SELECT file_digest, id FROM molecule", []) { ($0.text(0), $0.integer(1)) }
    }
    return Dictionary(rows) { first, _ in first }
  }
}
