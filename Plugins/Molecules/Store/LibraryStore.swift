internal import CDispatch
import PluginAPI
import PluginStore
import PluginText

/// The library: molecules in one database, and their original files beside it.
///
/// The order of steps keeps it consistent at every moment. Importing stores the file first and then commits the row: a
/// file without a row is imported at the next start. Deleting commits the removal first and then removes the file: an
/// interrupted removal is completed at the next start.
final class LibraryStore: Store {
  static let storeName = "library"
  /// The stable codes of errors of any plugin's store.
  static let errorCodes: [ErrorCodeDescription] = StoreError.errorCodes
  /// The version of the readers; a molecule read with a lower one is read again from its original.
  ///
  /// Raise it when a reader or the bond perception finds more than before, or when the schema stores more.
  static let reading = 3

  let sqlite: SQLiteStore
  let originals: Originals
  /// The folder of the database, as an absolute path.
  let folder: String
  static let databaseFile = "library.sqlite"
  // A C handle; a queue may be used on any thread.
  private nonisolated(unsafe) static let disk: dispatch_queue_t = dispatch_queue_create("molecules.originals", nil)

  /// Creates the store without opening anything.
  ///
  /// - Parameters:
  ///   - folder: The plugin's data folder, as an absolute path.
  ///   - onChange: Called after every committed change of the molecules.
  init(folder: String, onChange: @escaping @Sendable () -> Void = {}) {
    self.folder = folder
    originals = Originals(folder: folder + "/originals")
    sqlite = SQLiteStore(
      name: Self.storeName, path: folder + "/" + Self.databaseFile, migrations: LibraryMigrations.all
    ) { tables in
      if tables.contains("molecule") { onChange() }
    }
  }

  var name: String { sqlite.name }
  var path: String { sqlite.path }
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
    guard originals.size(of: file) != nil else {
      return Diagnostic(
        .warning, code: "molecules.original-missing", "original file '\(file)' is missing",
        advice: "import the file again; the stored molecule is still usable")
    }
    if (try? originals.read(file)).map(SHA256.hexadecimal) == digest { return nil }
    return Diagnostic(
      .warning, code: "molecules.original-changed", "original file '\(file)' has changed since the import",
      advice: "restore the file, or import it under another name")
  }
}

// MARK: Reading

extension LibraryStore {
  /// Returns the molecules and the maintenance tasks of a start, in one access.
  func snapshot() async throws -> LibrarySnapshot {
    try await read { try Self.snapshot($0) }
  }

  private static func snapshot(_ connection: PluginStore.Connection) throws -> LibrarySnapshot {
    var snapshot = LibrarySnapshot()
    try connection.forEach(
      """
      SELECT id, code, title, compound, format, models, chains, residues, atoms, bonds, added_seconds,
        added_nanoseconds, file, reading FROM molecule ORDER BY id
      """
    ) { row in
      let molecule = summary(row)
      snapshot.molecules.append(molecule)
      if row.integer(13) < reading { snapshot.outdated.append(molecule) }
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

  private static func summary(_ row: Row) -> MoleculeSummary {
    let counts = MoleculeCounts(
      models: row.integer(5), chains: row.integer(6), residues: row.integer(7), atoms: row.integer(8),
      bonds: row.integer(9))
    let nanoseconds = Int32(truncatingIfNeeded: min(max(0, row.integer(11)), 999_999_999))
    return MoleculeSummary(
      id: row.integer(0), code: row.text(1), title: row.text(2), compound: row.text(3), format: row.text(4),
      counts: counts, addedAt: Instant(seconds: Int64(row.integer(10)), nanoseconds: nanoseconds), file: row.text(12))
  }

  /// Returns the summary of a molecule.
  ///
  /// - Throws: ``LibraryError/unknownMolecule``.
  func summary(of id: Int) async throws -> MoleculeSummary {
    let molecules = try await snapshot().molecules
    guard let summary = molecules.first(where: { $0.id == id }) else { throw LibraryError.unknownMolecule(id) }
    return summary
  }

  /// Returns the metadata of a molecule, read only on demand.
  func metadata(of id: Int) async throws -> [MetadataEntry] {
    try await read { connection in
      try connection.list(
        "SELECT section, label, value FROM metadata WHERE molecule = ? ORDER BY position", [id]
      ) { row in
        MetadataEntry(
          group: MetadataEntry.Group(rawValue: row.integer(0)) ?? .description, label: row.text(1), text: row.text(2))
      }
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
    try connection.forEach("SELECT kind, content FROM piece WHERE molecule = ? ORDER BY kind, model", [id]) { row in
      switch row.text(0) {
      case "hierarchy": stored.pieces.hierarchy = row.bytes(1)
      case "annotations": stored.pieces.annotations = row.bytes(1)
      case "atoms": stored.pieces.atoms.append(row.bytes(1))
      default: stored.bonds.append(row.bytes(1))
      }
    }
    return stored
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

extension LibraryStore {
  /// Returns the molecules whose code, title, compounds, authors and keywords contain every word of a text, or a word
  /// with that prefix.
  ///
  /// - Parameter text: Words separated by anything that is neither letter nor digit; case and accents are ignored.
  /// - Returns: The numbers, the best match first; nil if the text has no word.
  func matches(_ text: String) async throws -> [Int]? {
    guard let query = Self.query(text) else { return nil }
    return try await read { try Self.matches(query, $0) }
  }

  /// Returns the matches of a query, weighted by column: a code counts most, keywords least.
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

  /// Returns the query of a text: each word in quotes, with an asterisk for prefixes; nil without a word.
  ///
  /// - Source: SQLite, FTS5 extension, section 3, https://www.sqlite.org/fts5.html
  static func query(_ text: String) -> String? {
    let words = text.split { !$0.isLetter && !$0.isNumber }
    return words.isEmpty ? nil : words.map { "\"\($0)\"*" }.joined(separator: " ")
  }

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

  /// Returns the number of the molecule from an address; nil if there is none.
  func id(ofSource source: String) async throws -> Int? {
    try await read { try $0.value("SELECT id FROM molecule WHERE source = ? ORDER BY id", [source]).integer }
  }
}

/// The contents of the library at one moment.
struct LibrarySnapshot: Equatable, Sendable {
  /// The molecules, oldest first.
  var molecules: [MoleculeSummary] = []
  /// A Boolean value indicating whether the first start was completed.
  var isInitialised = false
  /// The number of the last viewed molecule.
  var lastViewed: Int?
  /// Files whose removal was started.
  var removals: [String] = []
  /// Molecules that were read by older readers, or into an older schema.
  var outdated: [MoleculeSummary] = []
}

/// A molecule in encoded form.
struct StoredMolecule: Sendable {
  fileprivate let id: Int
  fileprivate let format: String
  fileprivate let file: String
  fileprivate var pieces = StructureCoding.Pieces()
  fileprivate var bonds: [[UInt8]] = []

  fileprivate init(id: Int, format: String, file: String) {
    (self.id, self.format, self.file) = (id, format, file)
  }

  /// Decodes structure and bonds, which takes a while for a large molecule.
  ///
  /// - Throws: ``ColumnError`` if a piece is damaged or of another version.
  func decoded() throws -> Molecule {
    let structure = try StructureCoding.structure(from: pieces)
    guard bonds.count == structure.models.count else { throw ColumnError.unexpected(offset: 0) }
    let decoded = try bonds.map { try StructureCoding.bonds(from: $0, atomCount: structure.atoms.count) }
    return Molecule(id: id, format: format, file: file, structure: structure, bonds: decoded)
  }
}
