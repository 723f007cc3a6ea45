import PluginAPI
import PluginStore
import PluginText

extension LocalLibrary {
  /// Adds a molecule; one whose file is already present is read again under its old number.
  ///
  /// - Returns: The molecule's number, and true if the file was already present.
  func add(_ new: NewMolecule) async throws -> (id: Int, wasKnown: Bool) {
    if let id = try await known(new.digest) {
      try await replace(id, by: new)
      try await keepAgain(new, id: id)
      return (id, true)
    }
    let file = try await keep(new)
    do {
      return try await insert(new, file: file, isOurs: true)
    } catch {
      try? originals.remove(file)
      throw error
    }
  }

  /// Stores the original under an unused name.
  private func keep(_ new: NewMolecule) async throws -> String {
    let sqlite = self.sqlite
    return try await onDisk { originals in
      try originals.keep(new.original, as: new.molecule.file) { file in
        (try? sqlite.blockingSession { try $0.read { try Self.isTaken(file, $0) } }) ?? false
      }
    }
  }

  private static func isTaken(_ file: String, _ connection: PluginStore.Connection) throws -> Bool {
    let found = try connection.value(
      "SELECT 1 FROM molecule WHERE file = ?1 UNION ALL SELECT 1 FROM removal WHERE file = ?1", [file])
    return !found.isNull
  }

  /// Stores the original of a molecule again if the stored file is missing or was changed.
  private func keepAgain(_ new: NewMolecule, id: Int) async throws {
    let found = try await read { try $0.value("SELECT file FROM molecule WHERE id = ?", [id]).text }
    guard let file = found else { return }
    if try await onDisk({ (try? $0.read(file)) == new.original }) { return }
    let kept = try await keep(new)
    try await write { try $0.execute("UPDATE molecule SET file = ? WHERE id = ?", [kept, id]) }
  }

  /// Imports a molecule whose file is already among the originals.
  ///
  /// A file with the same content as a molecule's is left alone and not examined again: the library does not own it.
  func adopt(_ new: NewMolecule, file: String) async throws -> (id: Int, wasKnown: Bool) {
    try await insert(new, file: file, isOurs: false)
  }

  /// Deletes a molecule and then removes its file.
  func delete(_ id: Int) async throws {
    let file = try await write { connection in
      let file = try connection.first("SELECT file FROM molecule WHERE id = ?", [id]) { $0.text(0) }
      guard let file else { throw LibraryError.unknownMolecule(id) }
      try connection.execute("INSERT OR REPLACE INTO removal (file) VALUES (?)", [file])
      try connection.execute("DELETE FROM molecule WHERE id = ?", [id])
      try connection.execute("DELETE FROM molecule_words WHERE rowid = ?", [id])
      try connection.execute(
        "DELETE FROM setting WHERE name = 'last-viewed' AND value = ?", [String(id)])
      return file
    }
    try await finishRemovals([file])
  }

  /// Removes files whose molecules were deleted.
  func finishRemovals(_ files: [String]) async throws {
    try await onDisk { originals in
      for file in files { try originals.remove(file) }
    }
    try await write { connection in
      for file in files { try connection.execute("DELETE FROM removal WHERE file = ?", [file]) }
    }
  }

  /// Records the last viewed molecule.
  func setLastViewed(_ id: Int) async throws {
    try await write { connection in
      let known = try connection.value("SELECT 1 FROM molecule WHERE id = ?", [id])
      if known.isNull { throw LibraryError.unknownMolecule(id) }
      try connection.execute("INSERT OR REPLACE INTO setting (name, value) VALUES ('last-viewed', ?)", [String(id)])
    }
  }

  /// Records that the first start was completed.
  func setInitialised() async throws { try await set("initialised", "1") }

  /// Stores a setting of the user, or removes it for nil.
  func set(_ name: String, _ value: String?) async throws {
    try await write { connection in
      if let value {
        try connection.execute("INSERT OR REPLACE INTO setting (name, value) VALUES (?, ?)", [name, value])
      } else {
        try connection.execute("DELETE FROM setting WHERE name = ?", [name])
      }
    }
  }

  /// Returns a setting of the user.
  func setting(_ name: String) async throws -> String? {
    try await read { try $0.value("SELECT value FROM setting WHERE name = ?", [name]).text }
  }

  /// Records that a file among the originals is not a molecule, so that it is not tried at every start.
  func refuse(_ file: String, reason: String) async throws {
    let size = originals.size(of: file) ?? 0
    try await write { try Self.refuse(file, size: size, reason: reason, $0) }
  }

  static func refuse(
    _ file: String, size: Int, reason: String, _ connection: PluginStore.Connection
  ) throws {
    try connection.execute(
      "INSERT OR REPLACE INTO refused_file (file, size, reason) VALUES (?, ?, ?)", [file, size, reason])
  }

  /// Records that the stored data of a molecule stays, since its original cannot be read again.
  func keepReading(of id: Int) async throws {
    try await write {
      try $0.execute("UPDATE molecule SET reading = ? WHERE id = ?", [LibraryStore.reading, id])
    }
  }

  /// Rewrites the pieces of a molecule, as after a change of their format.
  func replace(_ id: Int, by new: NewMolecule) async throws {
    try await write { connection in
      let row = MoleculeRow(new)
      try connection.execute(
        """
        UPDATE molecule SET code = ?, title = ?, compound = ?, format = ?, models = ?, chains = ?, residues = ?,
          atoms = ?, bonds = ?, reading = ? WHERE id = ?
        """, row.values + [LibraryStore.reading, id])
      if connection.changedRows == 0 { throw LibraryError.unknownMolecule(id) }
      try connection.execute("DELETE FROM metadata WHERE molecule = ?", [id])
      try connection.execute("DELETE FROM piece WHERE molecule = ?", [id])
      try connection.execute("DELETE FROM molecule_words WHERE rowid = ?", [id])
      try Self.insertParts(of: new.molecule, id: id, connection)
    }
  }

  private func known(_ digest: String) async throws -> Int? {
    try await read { try $0.value("SELECT id FROM molecule WHERE file_digest = ?", [digest]).integer }
  }

  /// Inserts a molecule.
  ///
  /// - Parameter isOurs: True if the file was written by this library and may be removed if it is a duplicate.
  private func insert(_ new: NewMolecule, file: String, isOurs: Bool) async throws -> (id: Int, wasKnown: Bool) {
    let originals = self.originals
    return try await write { connection in
      // Another process may have imported the same file since the check.
      if let known = try connection.first(
        "SELECT id, file FROM molecule WHERE file_digest = ?", [new.digest], { ($0.integer(0), $0.text(1)) })
      {
        if known.1 == file { return (known.0, true) }
        if originals.size(of: known.1) == nil {
          try connection.execute("UPDATE molecule SET file = ? WHERE id = ?", [file, known.0])
        } else if isOurs {
          try originals.remove(file)
        } else {
          try Self.refuse(
            file, size: new.original.count, reason: "molecule \(known.0) has the same content", connection)
        }
        return (known.0, true)
      }
      try connection.execute(
        """
        INSERT INTO molecule (code, title, compound, format, models, chains, residues, atoms, bonds, added_seconds,
          added_nanoseconds, file, file_size, file_digest, source, reading)
          VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        """,
        MoleculeRow(new).values + [
          Int(new.addedAt.seconds), Int(new.addedAt.nanoseconds), file, new.original.count, new.digest, new.source,
          LibraryStore.reading,
        ])
      let id = connection.lastInsertedRow
      try Self.insertParts(of: new.molecule, id: id, connection)
      try connection.execute("DELETE FROM refused_file WHERE file = ?", [file])
      return (id, false)
    }
  }

  private static func insertParts(of molecule: Molecule, id: Int, _ connection: PluginStore.Connection) throws {
    for (position, entry) in MetadataEntry.entries(of: molecule).enumerated() {
      try connection.execute(
        "INSERT INTO metadata (molecule, position, section, label, value) VALUES (?, ?, ?, ?, ?)",
        [id, position, entry.group.rawValue, entry.label, entry.text])
    }
    try connection.execute(LibraryMigrations.insertWords + " WHERE id = ?", [id])
    for piece in MoleculePiece.all(of: molecule) {
      try connection.execute(
        "INSERT INTO piece (molecule, kind, model, content) VALUES (?, ?, ?, ?)",
        [id, piece.kind.rawValue, piece.model, piece.content])
    }
  }
}

/// The values of a molecule's row other than file and time.
private struct MoleculeRow {
  var values: [(any SQLConvertible)?]

  init(_ new: NewMolecule) {
    let (metadata, counts) = (new.molecule.structure.metadata, new.molecule.counts)
    values = [
      metadata.entryID, metadata.title, metadata.compounds.first?.name ?? "", new.molecule.format, counts.models,
      counts.chains, counts.residues, counts.atoms, counts.bonds,
    ]
  }
}
