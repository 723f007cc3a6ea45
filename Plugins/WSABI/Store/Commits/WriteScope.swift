import PluginAPI
import PluginStore
import PluginVault
import Synchronization

/// The context of one change: the file, inside a transaction, and the follow-up of every change of a record.
///
/// It lives on the store's thread, for the duration of the change.
final class WriteScope {
  /// An update of the search index once the change is committed.
  enum WordsEdit {
    case set(Int, [UInt8])
    case remove(Int)
  }

  let connection: Connection
  let vault: OpenVault
  let now: Instant
  var anchor: Anchor
  private(set) var changes: Set<RecordChange> = []
  private(set) var edits: [WordsEdit] = []

  var keys: VaultKeys { vault.keys }

  init(_ connection: Connection, _ vault: OpenVault, _ anchor: Anchor, now: Instant) {
    self.connection = connection
    self.vault = vault
    self.anchor = anchor
    self.now = now
  }

  /// Notes a change, for observers.
  func note(_ change: RecordChange) { changes.insert(change) }

  func edit(_ edit: WordsEdit) { edits.append(edit) }

  /// Throws an error for an action that the user's role does not allow.
  func check(_ permission: Permission) throws { try vault.check(permission, connection) }

  /// Counts a record in, or out.
  func toggle(_ place: RecordPlace) { anchor.toggle(place, keys) }

  /// Returns the number for the next row of a table; numbers are never reused.
  func nextID(of table: String) throws -> Int { try connection.nextNumber(of: table) }

  /// Writes an entry of the audit log.
  func audit(_ event: AuditEvent) throws {
    let number = anchor.auditCount + 1
    let entry = AuditEntry(number: number, at: now, user: vault.user.name, role: vault.user.role, event: event)
    let body = keys.audit.seal(entry.bytes, bound: AuditEntry.bound(number))
    let code = keys.chain.code(AuditEntry.chained(number, body, after: anchor.auditCode))
    try connection.execute("INSERT OR REPLACE INTO audit (number, body, code) VALUES (?, ?, ?)", [number, body, code])
    (anchor.auditCount, anchor.auditCode) = (number, code)
  }

  /// Writes an entry about a read, unless the same was logged within the last minute.
  func auditReading(_ event: AuditEvent) throws {
    let isNew = vault.readings.withLock { readings in
      guard let last = readings[event], abs(now.seconds(since: last)) < 60 else { return true }
      return false
    }
    guard isNew else { return }
    try audit(event)
    vault.readings.withLock { readings in
      if readings.count > 4096 { readings = [:] }
      readings[event] = now
    }
  }
}

extension Connection {
  /// Returns the number after the last one that a table issued.
  ///
  /// - Throws: ``VaultError/damaged(_:)`` where that is one which no table reaches.
  func nextNumber(of table: String) throws -> Int {
    let last = try value("SELECT seq FROM sqlite_sequence WHERE name = ?", [table]).integer ?? 0
    guard last >= 0, last < Int.max else { throw VaultError.damaged("the last number of table '\(table)'") }
    return last + 1
  }
}
