import Glibc
import PluginAPI
import PluginStore
import PluginVault
import Synchronization

extension RecordStore: Store {
  var name: String { Self.storeName }
  var path: String { sqlite.path }
  var schemaVersion: Int { sqlite.schemaVersion }

  /// The size of the pieces in which a file is copied.
  private static let pieceSize = 1 << 20

  func check() async throws -> [Diagnostic] { try await check(readsData: false) }

  /// Returns the content of the database, in sealed form; no tables if there is no store.
  func export() async throws -> Value {
    if exists { return try await sqlite.export() }
    return ["store": .text(name), "schemaVersion": .integer(schemaVersion), "tables": .record(Record())]
  }

  /// Writes all of the store to one file, sealed as it is; no key is needed.
  ///
  /// Without a store, the file has no records.
  func backup(to path: String) async throws {
    if access(path, F_OK) == 0 { throw StoreError.fileExists(path: path) }
    let part = "\(path).partial-\(getpid())"
    Self.remove(part)
    defer { Self.remove(part) }
    if exists { try await sqlite.backup(to: part) }
    let copy = Self.copy(at: part)
    do {
      // A restored store cannot release the locks held here.
      try await copy.write { try $0.execute("DELETE FROM held") }
      let names = try await copy.read {
        try $0.list("SELECT file FROM capture WHERE file IS NOT NULL ORDER BY file") { $0.text(0) }
      }
      let files = files
      for name in names { try await copy.write { try Self.pack(name, files, $0) } }
      try await copy.removeLog()
    } catch {
      await copy.close()
      throw error
    }
    await copy.close()
    if rename(part, path) != 0 { throw VaultError.file(path: path, number: errno) }
  }

  /// Restores a store from a backup into a folder without a store.
  ///
  /// - Throws: ``VaultError/restoreNeedsKey(path:)`` if there is a store: only ``restore(from:provenBy:)`` replaces it.
  func restore(from path: String) async throws {
    if await isCreated() { throw VaultError.restoreNeedsKey(path: path) }
    try await withoutCaptures { try await self.replaceAll(by: path) }
  }

  /// Returns a database of this schema beside the store.
  private static func copy(at path: String) -> SQLiteStore {
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
  private func replaceAll(
    by path: String, keepsLocks: Bool = false, verifying verify: (@Sendable (Connection) throws -> Void)? = nil
  ) async throws {
    try await sqlite.restore(from: path, verifying: verify)
    // A lock that becomes free later must not remove the row that now has its number.
    if !keepsLocks { heldLocks.forgetRows() }
    forgetKeys()
    // Before anything can fail: screens must not show the replaced records.
    noteLock()
    try await unpack()
    let kept = try await sqlite.read {
      Set(try $0.list("SELECT file FROM capture WHERE file IS NOT NULL") { $0.text(0) })
    }
    let files = files
    try await OwnThread.value { _ in
      for name in files.all() where !kept.contains(name) { files.remove(name) }
    }
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

  private static func remove(_ database: String) {
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

/// The restore of a backup over a store: an administrator's act, which is recorded in the audit log.
///
/// People, items, captures, users and their keys become those of the backup. The audit log does not: it continues with
/// an entry about the restore, and no number of a record is reused (Documentation/Decisions/0048).
extension RecordStore {
  /// The outcome of a restore.
  struct Restoration: Sendable {
    /// The number of entries of the audit log after the restore.
    var entries: Int
    /// True if it includes the entries of the replaced store; false if that could not be read.
    var continuesLog: Bool
    /// Users whose key or role from the backup applies again, but did not before.
    var returned: [StoreUser]
  }

  /// Replaces the store by a backup.
  ///
  /// - Parameters:
  ///   - path: The backup.
  ///   - source: The key of an administrator of the store, or of the backup where the store cannot be read.
  /// - Throws: ``VaultError/wrongKey``, ``VaultRefusal/permission(_:_:)``, ``VaultError/backupOfOtherKey(path:)`` if
  ///   the key does not open the backup, ``VaultError/storeInUse`` if others change the store during each attempt;
  ///   `StoreError` if the file is not a backup. Nothing is then changed.
  func restore(from path: String, provenBy source: VaultKeySource) async throws -> Restoration {
    let outcome = Mutex<Restoration?>(nil)
    try await withoutCaptures {
      for _ in 0..<Self.mostAttempts {
        do {
          let restoration = try await self.restoreOnce(from: path, provenBy: source)
          outcome.withLock { $0 = restoration }
          return
        } catch is ChangedMeanwhile {
          // The prepared copy lacks the changes that others made since.
          continue
        }
      }
      throw VaultError.storeInUse
    }
    guard let restoration = outcome.withLock({ $0 }) else { throw VaultError.restoreNeedsKey(path: path) }
    return restoration
  }

  /// The most times a restore is prepared while other processes change the store.
  private static let mostAttempts = 3

  /// The store was changed after a restore had read it.
  private struct ChangedMeanwhile: Error {}

  /// Prepares a restore, and replaces the store if it was not changed meanwhile.
  ///
  /// - Throws: ``ChangedMeanwhile`` if it was.
  private func restoreOnce(from path: String, provenBy source: VaultKeySource) async throws -> Restoration {
    let existed = exists
    let before = try await replaced(source)
    let draft = Self.copy(at: sqlite.path + ".restored-\(getpid())")
    Self.remove(draft.path)
    defer { Self.remove(draft.path) }
    let restoration: Restoration
    do {
      try await draft.restore(from: path)
      restoration = try await prepare(draft, from: path, over: before, existed: existed, source)
      try await draft.checkpoint()
    } catch {
      await draft.close()
      throw error
    }
    await draft.close()
    try await replaceAll(by: draft.path, keepsLocks: before != nil) { connection in
      if let before {
        let anchor = try? Header.anchor(connection, before.vault)
        let held = try Self.heldRows(connection)
        guard anchor == before.anchor, held == before.held else { throw ChangedMeanwhile() }
      } else if !existed, try Header(connection) != nil {
        // Another process created a store where there was none.
        throw ChangedMeanwhile()
      }
    }
    return restoration
  }

  /// A row of a lock that a process may hold at a sensor, as it is sealed.
  private struct SealedHeldRow: Sendable, Equatable {
    let id: Int
    let holder: Int
    let key: [UInt8]
    let body: [UInt8]
  }

  private static func heldRows(_ connection: Connection) throws -> [SealedHeldRow] {
    try connection.list("SELECT id, holder, key, body FROM held ORDER BY id") {
      SealedHeldRow(id: $0.integer(0), holder: $0.integer(1), key: $0.bytes(2), body: $0.bytes(3))
    }
  }

  /// Carries the locks that processes hold over to a copy, so that they can be released after the restore.
  private static func carryOver(
    _ held: [SealedHeldRow], from old: OpenVault, to new: OpenVault, hasSameKeys: Bool, _ connection: Connection
  ) throws {
    try connection.execute("DELETE FROM held")
    for row in held {
      var key = row.key
      if !hasSameKeys {
        let place = HeldLockRow.place(row.id, holder: row.holder)
        // A damaged row names no lock that could be released.
        guard let data = try? old.keys.dataKey(row.key, of: place) else { continue }
        key = new.keys.wrapped(data, as: place)
      }
      try connection.execute(
        "INSERT INTO held (id, holder, key, body) VALUES (?, ?, ?, ?)", [row.id, row.holder, key, row.body])
    }
  }

  /// Facts about a store that is replaced.
  private struct Replaced: Sendable {
    let vault: OpenVault
    let anchor: Anchor
    let users: [UserRow]
    /// The locks that processes may hold at sensors.
    let held: [SealedHeldRow]
    /// The last number that each table gave.
    let numbers: [(table: String, last: Int)]
    /// The verdict on its log; nil if that cannot be read to its end.
    let log: AuditVerdict?
  }

  /// Opens the existing store for its administrator; nil if there is none, or it cannot be read.
  private func replaced(_ source: VaultKeySource) async throws -> Replaced? {
    do {
      guard exists else { return nil }
      let vault = try await keys(of: sqlite, source).vault
      do {
        return try await sqlite.read { connection in
          try vault.check(.manageKeys, connection)
          let anchor = try Header.anchor(connection, vault)
          let log = try? AuditVerdict(
            count: anchor.auditCount, firstBad: Self.firstBad(connection, vault.keys, anchor))
          return Replaced(
            vault: vault, anchor: anchor, users: try UserRow.all(connection, vault.keys),
            held: try Self.heldRows(connection),
            numbers: try connection.list("SELECT name, seq FROM sqlite_sequence") { ($0.text(0), $0.integer(1)) },
            log: log)
        }
      } catch VaultRefusal.permission(let role, let permission) {
        try await audit(AuditEvent(.permissionRefused, outcome: permission.rawValue), under: vault)
        throw VaultRefusal.permission(role, permission)
      }
    } catch VaultError.noStore, VaultError.storeDamaged, StoreError.corrupt, StoreError.notADatabase {
      return nil
    }
  }

  /// Makes the copy of a backup continue the replaced store.
  ///
  /// - Parameter existed: True if there is a store, readable or not.
  private func prepare(
    _ draft: SQLiteStore, from path: String, over before: Replaced?, existed: Bool, _ source: VaultKeySource
  ) async throws -> Restoration {
    let opened: OpenVault
    do {
      opened = try await keys(of: draft, source).vault
    } catch VaultError.wrongKeyCode where before != nil {
      throw VaultError.backupOfOtherKey(path: path)
    }
    if before == nil { try await draft.read { try opened.check(.manageKeys, $0) } }
    let vault = OpenVault(
      keys: opened.keys, user: before?.vault.user ?? opened.user, store: opened.store, epoch: opened.epoch)
    let hasSameKeys = before?.vault.keys.chain.code([]) == vault.keys.chain.code([])
    // Altered entries must not be sealed again as if they were intact.
    let continued = before.flatMap { $0.log?.isWhole ?? false || hasSameKeys && $0.log != nil ? $0 : nil }
    if let continued { try await copyLog(to: draft, upTo: continued.anchor.auditCount) }
    let now = now
    return try await draft.write { connection in
      var anchor = try Header.anchor(connection, vault)
      var event = AuditEvent(.restored, outcome: "as of entry \(anchor.auditCount)")
      if let continued {
        var rotation = KeyRotation(connection, from: continued.vault, to: vault) { _ in }
        anchor.auditCount = continued.anchor.auditCount
        anchor.auditCode =
          hasSameKeys ? continued.anchor.auditCode : try rotation.resealAudit(continued.anchor)
      } else {
        event.outcome =
          before.map { "log before: \($0.anchor.head.text)" } ?? (existed ? "log before: unreadable" : "no log before")
      }
      if let before {
        try Self.carryOver(before.held, from: before.vault, to: vault, hasSameKeys: hasSameKeys, connection)
      }
      anchor.turn = max(anchor.turn, before?.anchor.turn ?? 0) + 1
      for (table, last) in before?.numbers ?? [] {
        try connection.execute(
          "INSERT INTO sqlite_sequence (name, seq) SELECT ?, 0 WHERE NOT EXISTS "
            + "(SELECT 1 FROM sqlite_sequence WHERE name = ?)", [table, table])
        try connection.execute("UPDATE sqlite_sequence SET seq = max(seq, ?) WHERE name = ?", [last, table])
      }
      let scope = WriteScope(connection, vault, anchor, now: now)
      try scope.audit(event)
      try Header.setAnchor(scope.anchor, connection, vault)
      let old = Dictionary((before?.users ?? []).map { ($0.user.id, $0) }) { first, _ in first }
      let returned = try UserRow.all(connection, vault.keys).filter { row in
        guard before != nil else { return false }
        return old[row.user.id].map { $0.publicKey != row.publicKey || $0.user.role != row.user.role } ?? true
      }
      return Restoration(
        entries: scope.anchor.auditCount, continuesLog: continued != nil, returned: returned.map(\.user))
    }
  }

  /// Replaces the log of a copy by this store's entries up to a number.
  private func copyLog(to draft: SQLiteStore, upTo count: Int) async throws {
    try await draft.write { try $0.execute("DELETE FROM audit") }
    var last = 0
    while true {
      let entries = try await sqlite.read { [last] connection in
        try connection.list(
          "SELECT number, body, code FROM audit WHERE number > ? AND number <= ? ORDER BY number LIMIT 1000",
          [last, count]
        ) { (number: $0.integer(0), body: $0.bytes(1), code: $0.bytes(2)) }
      }
      guard let end = entries.last else { return }
      try await draft.write { connection in
        for entry in entries {
          try connection.execute(
            "INSERT INTO audit (number, body, code) VALUES (?, ?, ?)", [entry.number, entry.body, entry.code])
        }
      }
      last = end.number
    }
  }
}
