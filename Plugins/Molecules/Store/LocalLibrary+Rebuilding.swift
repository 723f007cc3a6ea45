import Glibc
import PluginAPI
import PluginStore
import PluginText

/// The rows that are still readable in a damaged database.
private struct SalvagedLibrary: Sendable {
  /// A molecule with its number and its original file.
  struct Entry: Sendable {
    var id: Int
    var title: String
    var addedSeconds: Int
    var addedNanoseconds: Int
    var file: String
    var digest: String
    var source: String
    /// The size of the file in bytes, once its integrity is verified.
    var size = 0
  }

  var entries: [Entry] = []
  /// A Boolean value indicating whether the entries are all molecules of the library.
  var isComplete = false
  var settings: [(name: String, value: String)] = []
  var removals: [String] = []
  var refused: [(file: String, size: Int, reason: String)] = []
}

/// The result of a rebuild: the lost molecules, and the path of the damaged file.
struct LibraryReplacement: Equatable, Sendable {
  /// The number of molecules in the damaged file; nil if it is unknown.
  var before: Int?
  /// The titles of molecules without an original: only the damaged file has them.
  var lost: [String]
  /// The path of the damaged file, which is preserved.
  var damagedFile: String
}

extension LocalLibrary {
  /// Replaces the database by a new one that knows the originals, and preserves the old one beside it.
  ///
  /// Numbers, times and settings are copied as far as they are readable. The molecules themselves are read from their
  /// originals when the library is next opened, as after an update; files without a row are imported then.
  /// - Throws: `StoreError` and ``LibraryError/originalNotKept``; the old database still exists then.
  func replaceByOriginals() async throws -> LibraryReplacement {
    let salvaged = await salvage()
    let entries = try await onDisk { originals in
      salvaged.entries.compactMap { entry -> SalvagedLibrary.Entry? in
        guard let bytes = try? originals.read(entry.file), SHA256.hexadecimal(of: bytes) == entry.digest else {
          return nil
        }
        var entry = entry
        entry.size = bytes.count
        return entry
      }
    }
    let hasOriginals = try await onDisk { !$0.files().isEmpty }
    let new = SQLiteStore(
      name: LibraryStore.storeName, path: sqlite.path + ".rebuilding-\(getpid())", migrations: LibraryMigrations.all)
    defer { Self.remove(new.path) }
    Self.remove(new.path)
    try await new.write { try Self.fill($0, salvaged, entries, hasOriginals: hasOriginals) }
    await new.close()
    let kept = try await keepDamaged()
    try await sqlite.restore(from: new.path)
    let files = Set(entries.map(\.file))
    let lost = salvaged.entries.filter { !files.contains($0.file) && originals.size(of: $0.file) == nil }
    return LibraryReplacement(
      before: salvaged.isComplete ? salvaged.entries.count : nil,
      lost: lost.map { $0.title.isEmpty ? $0.file : $0.title }, damagedFile: kept)
  }

  /// Reads the readable rows; a table that breaks off provides the rows before.
  private func salvage() async -> SalvagedLibrary {
    var salvaged = SalvagedLibrary()
    let sqlite = self.sqlite
    func rows<Row: Sendable>(_ sql: String, _ row: @escaping @Sendable (PluginStore.Row) -> Row) async -> [Row] {
      (try? await sqlite.read { connection in
        var rows: [Row] = []
        try? connection.forEach(sql) { rows.append(row($0)) }
        return rows
      }) ?? []
    }
    salvaged.entries = await rows(
      "SELECT id, title, added_seconds, added_nanoseconds, file, file_digest, source FROM molecule ORDER BY id"
    ) {
      .init(
        id: $0.integer(0), title: $0.text(1), addedSeconds: $0.integer(2), addedNanoseconds: $0.integer(3),
        file: $0.text(4), digest: $0.text(5), source: $0.text(6))
    }
    salvaged.settings = await rows("SELECT name, value FROM setting") { ($0.text(0), $0.text(1)) }
    salvaged.removals = await rows("SELECT file FROM removal") { $0.text(0) }
    salvaged.refused = await rows("SELECT file, size, reason FROM refused_file") {
      ($0.text(0), $0.integer(1), $0.text(2))
    }
    // A file that was emptied is a new library to SQLite, without damage and without the mark of a first start.
    let faults = await rows("PRAGMA integrity_check(molecule)") { $0.text(0) }
    salvaged.isComplete = faults == ["ok"] && salvaged.settings.contains { $0.name == "initialised" }
    return salvaged
  }

  private static func fill(
    _ connection: PluginStore.Connection, _ salvaged: SalvagedLibrary, _ entries: [SalvagedLibrary.Entry],
    hasOriginals: Bool
  ) throws {
    for entry in entries where entry.id > 0 {
      // Reading 0 causes the original to be read at the next start. A number or file duplicated by damage counts once.
      try connection.execute(
        """
        INSERT OR IGNORE INTO molecule (id, code, title, compound, format, models, chains, residues, atoms, bonds,
          added_seconds, added_nanoseconds, file, file_size, file_digest, source, reading)
          VALUES (?, '', ?, '', '', 0, 0, 0, 0, 0, ?, ?, ?, ?, ?, ?, 0)
        """,
        [
          entry.id, entry.title, entry.addedSeconds, entry.addedNanoseconds, entry.file, entry.size, entry.digest,
          entry.source,
        ])
    }
    for (name, value) in salvaged.settings {
      try connection.execute("INSERT OR IGNORE INTO setting (name, value) VALUES (?, ?)", [name, value])
    }
    // A library with originals had its starters: deleted ones do not return.
    if hasOriginals {
      try connection.execute("INSERT OR IGNORE INTO setting (name, value) VALUES ('initialised', '1')")
    }
    for file in salvaged.removals { try connection.execute("INSERT OR IGNORE INTO removal (file) VALUES (?)", [file]) }
    for refused in salvaged.refused {
      try refuse(refused.file, size: refused.size, reason: refused.reason, connection)
    }
  }

  /// Copies the damaged file, unless restoring moves it aside, as it does with one that cannot be opened.
  ///
  /// - Returns: The path of the damaged file afterward.
  private func keepDamaged() async throws -> String {
    var number = 1
    while access(sqlite.path + ".damaged-\(number)", F_OK) == 0 { number += 1 }
    let kept = sqlite.path + ".damaged-\(number)"
    guard (try? await sqlite.write { _ in true }) != nil else { return kept }
    try? await sqlite.checkpoint()
    let folder = Originals(folder: self.folder)
    try await onDisk { _ in
      let failure = WholeFile.write(try folder.read(Self.databaseFile), to: kept)
      if failure != 0 { throw LibraryError.originalNotKept(file: kept, reason: String(cString: strerror(failure))) }
    }
    return kept
  }

  private static func remove(_ path: String) {
    for suffix in ["", "-wal", "-shm", "-journal"] { unlink(path + suffix) }
  }
}
