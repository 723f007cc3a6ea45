import Glibc
import PluginAPI
import PluginStore
import Synchronization

/// Restoring a backup over a store: an administrator's act, which the audit log keeps.
///
/// People, items, captures, users and their keys become those of the backup. The audit log does not: it is continued with
/// an entry about the restore, and no number of a record is given twice (Documentation/Decisions/0048).
extension RecordStore {
  /// The outcome of a restore.
  struct Restoration: Sendable {
    /// How many entries the audit log has now.
    var entries: Int
    /// Whether the entries of the replaced store are among them; else it could not be read.
    var continuesLog: Bool
    /// Users whose key or role is that of the backup again, and was not before.
    var returned: [StoreUser]
  }

  /// Replaces the store by a backup.
  ///
  /// - Parameters:
  ///   - path: The backup.
  ///   - source: The key of an administrator of the store, or of the backup where the store cannot be read.
  /// - Throws: ``VaultError/wrongKey``, ``VaultError/notPermitted(_:_:)``, ``VaultError/backupOfOtherKey(path:)`` if the
  ///   key does not open the backup; `StoreError` if that is none. Nothing is changed then.
  func restore(from path: String, provenBy source: VaultKeySource) async throws -> Restoration {
    let outcome = Mutex<Restoration?>(nil)
    try await options.withoutCaptures {
      let before = try await self.replaced(source)
      let draft = Self.copy(at: self.sqlite.path + ".restored-\(getpid())")
      Self.remove(draft.path)
      defer { Self.remove(draft.path) }
      do {
        try await draft.restore(from: path)
        let restoration = try await self.prepare(draft, from: path, over: before, source)
        outcome.withLock { $0 = restoration }
        try await draft.checkpoint()
      } catch {
        await draft.close()
        throw error
      }
      await draft.close()
      try await self.replaceAll(by: draft.path)
    }
    guard let restoration = outcome.withLock({ $0 }) else { throw VaultError.restoreNeedsKey(path: path) }
    return restoration
  }

  /// Facts about a store that is replaced.
  private struct Replaced: Sendable {
    let vault: OpenVault
    let anchor: Anchor
    let users: [UserRow]
    /// The last number that each table gave.
    let numbers: [(table: String, last: Int)]
    /// The verdict on its log; nil if that cannot be read to its end.
    let log: AuditVerdict?
  }

  /// Opens the store that is there for its administrator; nil if there is none, or it cannot be read.
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
            numbers: try connection.list("SELECT name, seq FROM sqlite_sequence") { ($0.text(0), $0.integer(1)) },
            log: log)
        }
      } catch VaultError.notPermitted(let role, let permission) {
        try await queue.write(vault) {
          try $0.audit(AuditEvent(.permissionRefused, outcome: permission.rawValue))
        }
        throw VaultError.notPermitted(role, permission)
      }
    } catch VaultError.noStore, VaultError.damaged {
      return nil
    } catch let error as StoreError {
      switch error {
      case .corrupt, .notADatabase: return nil
      default: throw error
      }
    }
  }

  /// Makes the copy of a backup continue what it replaces.
  private func prepare(
    _ draft: SQLiteStore, from path: String, over before: Replaced?, _ source: VaultKeySource
  ) async throws -> Restoration {
    let opened: OpenVault
    do {
      opened = try await keys(of: draft, source).vault
    } catch VaultError.wrongKey where before != nil {
      throw VaultError.backupOfOtherKey(path: path)
    }
    if before == nil { try await draft.read { try opened.check(.manageKeys, $0) } }
    let vault = OpenVault(
      keys: opened.keys, user: before?.vault.user ?? opened.user, store: opened.store, epoch: opened.epoch)
    let hasSameKeys = before?.vault.keys.chain.code([]) == vault.keys.chain.code([])
    // Entries that are not as they were written cannot be sealed anew as if they were.
    let continued = before.flatMap { $0.log?.isWhole ?? false || hasSameKeys && $0.log != nil ? $0 : nil }
    if continued != nil { try await copyLog(to: draft) }
    let now = options.clock()
    return try await draft.write { connection in
      var anchor = try Header.anchor(connection, vault)
      var event = AuditEvent(.restored, outcome: "as of entry \(anchor.auditCount)")
      if let continued {
        var rotation = KeyRotation(connection, from: continued.vault, to: vault) { _ in }
        anchor.auditCount = continued.anchor.auditCount
        anchor.auditCode =
          hasSameKeys ? continued.anchor.auditCode : try rotation.resealAudit(continued.anchor)
      } else {
        event.outcome = before.map { "log before: \($0.anchor.head.text)" } ?? "no log before"
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

  /// Puts the entries of this store's log in the place of a copy's.
  private func copyLog(to draft: SQLiteStore) async throws {
    try await draft.write { try $0.execute("DELETE FROM audit") }
    var last = 0
    while true {
      let entries = try await sqlite.read { [last] connection in
        try connection.list(
          "SELECT number, body, code FROM audit WHERE number > ? ORDER BY number LIMIT 1000", [last]
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
