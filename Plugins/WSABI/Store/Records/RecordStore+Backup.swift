import Glibc
import PluginAPI
import PluginStore

extension RecordStore: Store {
  var name: String { Self.storeName }
  var path: String { sqlite.path }
  var schemaVersion: Int { sqlite.schemaVersion }

  /// The size of the pieces in which a file is copied.
  private static let pieceSize = 1 << 20

  func check() async throws -> [Diagnostic] { try await check(readsData: false) }

  /// Returns the content of the database, in sealed form.
  func export() async throws -> Value { try await sqlite.export() }

  /// Writes all of the store to one file, sealed as it is; no key is needed.
  func backup(to path: String) async throws {
    if access(path, F_OK) == 0 { throw StoreError.fileExists(path: path) }
    let part = "\(path).partial-\(getpid())"
    Self.remove(part)
    defer { Self.remove(part) }
    try await sqlite.backup(to: part)
    let copy = Self.copy(at: part)
    do {
      // A restored store cannot release the locks held here.
      try await copy.write { try $0.execute("DELETE FROM held") }
      let names = try await copy.read {
        try $0.list("SELECT file FROM capture WHERE file IS NOT NULL ORDER BY file") { $0.text(0) }
      }
      let files = files
      for name in names { try await copy.write { try Self.pack(name, files, $0) } }
      try await copy.checkpoint()
    } catch {
      await copy.close()
      throw error
    }
    await copy.close()
    if rename(part, path) != 0 { throw VaultError.file(path: path, number: errno) }
  }

  /// Restores a store from a backup where there is none.
  ///
  /// - Throws: ``VaultError/restoreNeedsKey(path:)`` where there is one: only ``restore(from:provenBy:)`` replaces it.
  func restore(from path: String) async throws {
    if exists, await (try? sqlite.read { try Header($0) == nil }) != true {
      throw VaultError.restoreNeedsKey(path: path)
    }
    try await options.withoutCaptures { try await self.replaceAll(by: path) }
  }

  /// Returns a database of this schema beside the store.
  static func copy(at path: String) -> SQLiteStore {
    var setup = SQLiteStore.Options()
    setup.overwritesDeleted = true
    return SQLiteStore(name: storeName, path: path, migrations: RecordMigrations.all, options: setup)
  }

  /// Replaces the whole database; the store is then locked, as other keys may open it.
  ///
  /// No captures may run meanwhile: their journal entries would be lost, or belong to another item.
  ///
  /// - Parameters:
  ///   - path: The database.
  ///   - keepsLocks: True if the rows of locks in the database are those of the store.
  ///   - verify: Reads the store immediately before it is replaced, while no process can change it.
  func replaceAll(
    by path: String, keepsLocks: Bool = false, verifying verify: (@Sendable (Connection) throws -> Void)? = nil
  ) async throws {
    try await sqlite.restore(from: path, verifying: verify)
    // A lock that becomes free later must not remove the row that now has its number.
    if !keepsLocks { heldLocks.forgetRows() }
    setOpened(nil)
    try await unpack()
    let kept = try await sqlite.read {
      Set(try $0.list("SELECT file FROM capture WHERE file IS NOT NULL") { $0.text(0) })
    }
    let files = files
    try await OwnThread.value { _ in
      for name in files.all() where !kept.contains(name) { files.remove(name) }
    }
    options.onChange([.lock])
  }

  /// Restores the files stored in a backup.
  func unpack() async throws {
    let names = try await sqlite.read { try $0.list("SELECT DISTINCT file FROM piece ORDER BY file") { $0.text(0) } }
    if names.isEmpty { return }
    try await unpack(names)
    try await sqlite.compact()
  }

  /// Restores those files whose pieces still exist.
  func unpack(_ names: [String]) async throws {
    let files = files
    try files.make()
    for name in names {
      let isUnpacked = try await sqlite.write { connection in
        // Another process may have restored it since; its file must not be replaced by an empty one.
        let isThere = try !connection.value("SELECT 1 FROM piece WHERE file = ? LIMIT 1", [name]).isNull
        if isThere { try Self.unpack(name, files, connection) }
        try connection.execute("DELETE FROM piece WHERE file = ?", [name])
        return isThere
      }
      if isUnpacked { files.settle(name) }
    }
  }

  static func remove(_ database: String) {
    for suffix in ["", "-wal", "-shm"] { unlink(database + suffix) }
  }

  // MARK: On the thread of a database

  private static func pack(_ name: String, _ files: CaptureFolder, _ connection: Connection) throws {
    let descriptor = files.open(reading: name)
    // A file deleted since, or damaged, does not prevent a backup of the rest.
    guard descriptor >= 0 else { return }
    defer { Glibc.close(descriptor) }
    var piece = [UInt8](repeating: 0, count: pieceSize)
    for number in 0... {
      let count = Glibc.read(descriptor, &piece, piece.count)
      if count < 0 { throw VaultError.file(path: files.path, number: errno) }
      if count == 0 { return }
      try connection.execute("INSERT INTO piece VALUES (?, ?, ?)", [name, number, Array(piece.prefix(count))])
    }
  }

  private static func unpack(_ name: String, _ files: CaptureFolder, _ connection: Connection) throws {
    guard CaptureFolder.isName(name) else { return }
    let path = files.draft(name)
    unlink(path)
    let descriptor = Glibc.open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { throw VaultError.file(path: path, number: errno) }
    defer { Glibc.close(descriptor) }
    try connection.forEach("SELECT data FROM piece WHERE file = ? ORDER BY number", [name]) { row in
      try row.withBytes(0) { bytes in
        guard Glibc.write(descriptor, bytes.baseAddress, bytes.count) == bytes.count else {
          throw VaultError.file(path: path, number: errno)
        }
      }
    }
    guard fsync(descriptor) == 0 else { throw VaultError.file(path: path, number: errno) }
    try files.synchronize()
  }
}
