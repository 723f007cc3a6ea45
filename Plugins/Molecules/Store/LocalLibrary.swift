internal import CDispatch
import PluginAPI
import PluginStore
import PluginText

/// The library of one user: molecules in a database, and their original files beside it.
///
/// The order of steps keeps it consistent at every moment. Importing stores the file first and then commits the row: a
/// file without a row is imported at the next start. Deleting commits the removal first and then removes the file: an
/// interrupted removal is completed at the next start.
struct LocalLibrary: LibraryBackend {
  let sqlite: SQLiteStore
  let originals: Originals
  /// The folder of the database, as an absolute path.
  let folder: String
  static let databaseFile = "library.sqlite"
  // A C handle; a queue may be used on any thread.
  private nonisolated(unsafe) static let disk: dispatch_queue_t = dispatch_queue_create("molecules.originals", nil)

  /// Creates the library without opening anything.
  ///
  /// - Parameters:
  ///   - folder: The plugin's data folder, as an absolute path.
  ///   - onChange: Called after every committed change of the molecules.
  init(folder: String, onChange: @escaping @Sendable () -> Void) {
    self.folder = folder
    originals = Originals(folder: folder + "/originals")
    sqlite = SQLiteStore(
      name: LibraryStore.storeName, path: folder + "/" + Self.databaseFile, migrations: LibraryMigrations.all
    ) { tables in
      if tables.contains("molecule") { onChange() }
    }
  }

  var schemaVersion: Int { sqlite.schemaVersion }

  func backup(to path: String) async throws { try await sqlite.backup(to: path) }
  func export() async throws -> Value { try await sqlite.export() }
  func close() async { await sqlite.close() }

  /// Works on the originals outside of the cooperative thread pool, whose threads must not wait for a disk.
  func onDisk<Result: Sendable>(
    _ work: @escaping @Sendable (Originals) throws -> Result
  ) async throws -> Result {
    let originals = self.originals
    return try await withCheckedThrowingContinuation { continuation in
      dispatch_async(Self.disk) { continuation.resume(with: Swift.Result { try work(originals) }) }
    }
  }

  /// Replaces the molecules by those of a backup, which contains the database but no originals.
  ///
  /// Originals are unchanged: a molecule without its original is still shown, and a file unknown to the backup is left
  /// alone, neither removed nor imported again.
  func restore(from path: String) async throws {
    try await sqlite.restore(from: path)
    // A removal in progress when the backup was made may name a later file.
    try await write { try $0.execute("DELETE FROM removal") }
    for file in try await strayFiles(snapshot()) {
      try await refuse(file, reason: "it is not in the restored backup; import it to add it again")
    }
  }

  /// Returns the findings of the database check, and originals that are missing or changed.
  func check() async throws -> [Diagnostic] {
    let found = LibraryDamage.advising(try await sqlite.check())
    // The tables of a damaged file may be unreadable.
    if found.contains(where: { $0.severity == .error }) { return found }
    let (kept, refused) = try await read { connection in
      (
        try connection.list("SELECT file, file_digest FROM molecule ORDER BY id") {
          (file: $0.text(0), digest: $0.text(1))
        },
        try connection.list("SELECT file, reason FROM refused_file ORDER BY file") { ($0.text(0), $0.text(1)) }
      )
    }
    let changed = try await onDisk { originals in
      kept.compactMap { Self.fault(of: $0.file, digest: $0.digest, in: originals) }
    }
    let ignored = refused.map { file, reason in
      Diagnostic(.note, code: "molecules.file-ignored", "file '\(file)' among the originals is ignored: \(reason)")
    }
    return found + changed + ignored
  }

  /// Returns the fault of an original; nil if it is the file that was imported.
  private static func fault(of file: String, digest: String, in originals: Originals) -> Diagnostic? {
    guard originals.size(of: file) != nil else { return OriginalFault.missing(file) }
    return (try? originals.read(file)).map(SHA256.hexadecimal) == digest ? nil : OriginalFault.changed(file)
  }
}

// MARK: Reading

extension LocalLibrary {
  /// Returns the molecules and the maintenance tasks of a start, in one access.
  func snapshot() async throws -> LibrarySnapshot {
    try await read { try Self.snapshot($0) }
  }

  private static func snapshot(_ connection: PluginStore.Connection) throws -> LibrarySnapshot {
    var snapshot = LibrarySnapshot()
    try connection.forEach(
      "SELECT \(MoleculeSummary.columns), reading FROM molecule ORDER BY id"
    ) { row in
      let molecule = MoleculeSummary(integer: row.integer, text: row.text)
      snapshot.molecules.append(molecule)
      if row.integer(13) < LibraryStore.reading { snapshot.outdated.append(molecule) }
    }
    try connection.forEach("SELECT name, value FROM setting UNION ALL SELECT 'removal', file FROM removal") { row in
      switch row.text(0) {
      case "initialised": snapshot.isInitialised = true
      case "last-viewed": snapshot.lastViewed = Int(row.text(1))
      case "removal": snapshot.removals.append(row.text(1))
      default: break
      }
    }
    return snapshot
  }

  /// Returns the metadata of a molecule, read only on demand.
  func metadata(of id: Int) async throws -> [MetadataEntry] {
    try await read { try Self.metadata(of: id, $0) }
  }

  private static func metadata(of id: Int, _ connection: PluginStore.Connection) throws -> [MetadataEntry] {
    try connection.list(
      "SELECT section, label, value FROM metadata WHERE molecule = ? ORDER BY position", [id]
    ) { row in
      MetadataEntry(
        group: MetadataEntry.Group(rawValue: row.integer(0)) ?? .description, label: row.text(1), text: row.text(2))
    }
  }

  /// Returns the stored form of a molecule.
  ///
  /// - Throws: ``LibraryError/unknownMolecule``.
  func molecule(_ id: Int) async throws -> StoredMolecule {
    try await read { try Self.molecule(id, $0) }
  }

  private static func molecule(_ id: Int, _ connection: PluginStore.Connection) throws -> StoredMolecule {
    let head = try connection.first("SELECT format, file FROM molecule WHERE id = ?", [id]) {
      StoredMolecule(id: id, format: $0.text(0), file: $0.text(1))
    }
    guard var stored = head else { throw LibraryError.unknownMolecule(id) }
    for piece in try pieces(of: id, connection) { stored.add(piece.kind, piece.content) }
    return stored
  }

  private static func pieces(of id: Int, _ connection: PluginStore.Connection) throws -> [MoleculePiece] {
    var pieces: [MoleculePiece] = []
    try connection.forEach(
      "SELECT kind, model, content FROM piece WHERE molecule = ? ORDER BY kind, model", [id]
    ) { row in
      // The schema permits no other kinds.
      guard let kind = MoleculePiece.Kind(rawValue: row.text(0)) else { return }
      pieces.append(MoleculePiece(kind: kind, model: row.integer(1), content: row.bytes(2)))
    }
    return pieces
  }

  /// Reads the bytes of a molecule's file.
  ///
  /// - Throws: ``LibraryError/originalUnreadable``.
  func original(of molecule: MoleculeSummary) async throws -> [UInt8] {
    try await onDisk { try $0.read(molecule.file) }
  }

  /// Returns everything about a molecule; nil if it was deleted.
  func entry(withDigest digest: String) async throws -> LibraryEntry? {
    guard var entry = try await read({ try Self.entry(digest, $0) }) else { return nil }
    let file = entry.summary.file
    entry.original = try await onDisk { originals in
      guard let bytes = try? originals.read(file), SHA256.hexadecimal(of: bytes) == digest else { return nil }
      return bytes
    }
    return entry
  }

  private static func entry(_ digest: String, _ connection: PluginStore.Connection) throws -> LibraryEntry? {
    let head = try connection.first(
      "SELECT \(MoleculeSummary.columns), reading, source, file_size FROM molecule WHERE file_digest = ?", [digest]
    ) { row in
      LibraryEntry(
        summary: MoleculeSummary(integer: row.integer, text: row.text), reading: row.integer(13), source: row.text(14),
        size: row.integer(15), digest: digest,
        metadata: [], pieces: [])
    }
    guard var entry = head else { return nil }
    entry.metadata = try metadata(of: entry.summary.id, connection)
    entry.pieces = try pieces(of: entry.summary.id, connection)
    return entry
  }

  /// Returns the files among the originals that belong to no molecule and no removal.
  ///
  /// - Complexity: one listing of the folder; the database is queried only if there is such a file.
  func strayFiles(_ snapshot: LibrarySnapshot) async throws -> [String] {
    let files = originals.files()
    guard !files.isEmpty else { return [] }
    let known = Set(snapshot.molecules.map(\.file) + snapshot.removals)
    let stray = files.filter { !known.contains($0) }.sorted()
    guard !stray.isEmpty else { return [] }
    let refused = try await read { connection in
      try connection.list("SELECT file, size FROM refused_file") { ($0.text(0), $0.integer(1)) }
    }
    return stray.filter { file in
      !refused.contains { $0.0 == file && $0.1 == originals.size(of: file) }
    }
  }
}

// MARK: Searching

extension LocalLibrary {
  /// Returns the molecules that have all words, or words with these prefixes.
  func matches(_ words: [String]) async throws -> [Int] {
    let query = Self.query(words)
    return try await read { try Self.matches(query, $0) }
  }

  /// Returns the matches of a query, weighted by column: a code has the most weight, keywords the least.
  ///
  /// The join is a cross join to fix its order: SQLite could otherwise query the index once for every molecule.
  private static func matches(_ query: String, _ connection: PluginStore.Connection) throws -> [Int] {
    try connection.list(
      """
      SELECT molecule_words.rowid FROM molecule_words CROSS JOIN molecule ON molecule.id = molecule_words.rowid
        WHERE molecule_words MATCH ? ORDER BY bm25(molecule_words, 16, 8, 4, 2, 1), molecule_words.rowid
      """, [query]
    ) { $0.integer(0) }
  }

  /// Returns the query of words: each in quotes, with an asterisk for prefixes.
  ///
  /// - Source: SQLite, FTS5 extension, section 3, https://www.sqlite.org/fts5.html
  private static func query(_ words: [String]) -> String { words.map { "\"\($0)\"*" }.joined(separator: " ") }

  /// Returns the molecules by the SHA-256 of their files.
  func digests() async throws -> [String: Int] {
    let rows = try await read { connection in
      try connection.list("SELECT file_digest, id FROM molecule", []) { ($0.text(0), $0.integer(1)) }
    }
    return Dictionary(rows) { first, _ in first }
  }

  /// Returns the number of the molecule from an address; nil if there is none.
  func id(ofSource source: String) async throws -> Int? {
    try await read { try $0.value("SELECT id FROM molecule WHERE source = ? ORDER BY id", [source]).integer }
  }
}
