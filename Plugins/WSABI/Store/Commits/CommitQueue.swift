import PluginAPI
import PluginStore
import PluginVault
import Synchronization

/// A queue in which concurrent changes share a transaction, as each waits for the device: with 256 sensors this is the
/// difference between hundreds and tens of thousands of changes a second.
///
/// Each change is committed or undone on its own, and is not reported before it is on the device. A change that was
/// started is completed, even if its caller was canceled: a sensor's response must not be lost with a task.
final class CommitQueue: Sendable {
  private struct Change: Sendable {
    let vault: OpenVault
    let run: @Sendable (WriteScope) throws -> Void
    let finish: @Sendable (Result<Void, any Error>) -> Void
  }

  private struct State {
    var waiting: [Change] = []
    var isWorking = false
  }

  private let sqlite: SQLiteStore
  private let clock: @Sendable () -> Instant
  private let onChange: @Sendable (Set<RecordChange>) -> Void
  private let state = Mutex(State())

  /// The largest number of changes in one transaction.
  private static let most = 512

  init(
    _ sqlite: SQLiteStore, clock: @escaping @Sendable () -> Instant,
    onChange: @escaping @Sendable (Set<RecordChange>) -> Void
  ) {
    self.sqlite = sqlite
    self.clock = clock
    self.onChange = onChange
  }

  /// Makes a change; it is on the device when this returns.
  ///
  /// - Throws: Errors of the body, `StoreError`; the change is then undone.
  func write<Value: Sendable>(
    _ vault: OpenVault, _ body: @escaping @Sendable (WriteScope) throws -> Value
  ) async throws -> Value {
    let value = ValueBox<Value>()
    try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
      enqueue(
        Change(vault: vault) { scope in
          value.set(try body(scope))
        } finish: {
          continuation.resume(with: $0)
        })
    }
    return try value.get()
  }

  private func enqueue(_ change: Change) {
    let mustStart = state.withLock { state in
      state.waiting.append(change)
      defer { state.isWorking = true }
      return !state.isWorking
    }
    if mustStart { Task { await work() } }
  }

  private func work() async {
    while true {
      let batch = state.withLock { state in
        let batch = Array(state.waiting.prefix(Self.most))
        state.waiting.removeFirst(batch.count)
        if batch.isEmpty { state.isWorking = false }
        return batch
      }
      if batch.isEmpty { return }
      await commit(batch)
    }
  }

  /// Commits changes together; each separately if that fails, so that none is affected by another.
  private func commit(_ batch: [Change]) async {
    do {
      let (outcomes, changes) = try await sqlite.write { [clock] in try Self.run(batch, $0, now: clock()) }
      if !changes.isEmpty { onChange(changes) }
      for (change, outcome) in zip(batch, outcomes) { change.finish(outcome) }
    } catch {
      // The search index, and the record of reads, may reflect changes that were undone.
      for change in batch { change.vault.wipe() }
      if batch.count == 1 {
        batch[0].finish(.failure(error))
      } else {
        for change in batch { await commit([change]) }
      }
    }
  }

  private static func run(
    _ batch: [Change], _ connection: Connection, now: Instant
  ) throws -> ([Result<Void, any Error>], Set<RecordChange>) {
    guard let vault = batch.first?.vault else { return ([], []) }
    try Header.checkKeys(connection, vault)
    var anchor = try Header.anchor(connection, vault)
    let before = anchor
    var (outcomes, changes): ([Result<Void, any Error>], Set<RecordChange>) = ([], [])
    var edits: [(OpenVault, [WriteScope.WordsEdit])] = []
    for change in batch {
      // Changes that waited while the master key was changed would be sealed with the old one.
      guard change.vault.epoch == vault.epoch else {
        outcomes.append(.failure(VaultError.locked))
        continue
      }
      let scope = WriteScope(connection, change.vault, anchor, now: now)
      do {
        try connection.savepoint { try change.run(scope) }
        (anchor, changes) = (scope.anchor, changes.union(scope.changes))
        if !scope.edits.isEmpty { edits.append((change.vault, scope.edits)) }
        outcomes.append(.success(()))
      } catch let error as StoreError {
        // The state of the transaction after this error is unknown, so all changes are undone.
        throw error
      } catch {
        outcomes.append(.failure(error))
      }
    }
    if !edits.isEmpty { anchor.turn += 1 }
    if anchor != before { try Header.setAnchor(anchor, connection, vault) }
    for (vault, edits) in edits { follow(edits, in: vault, from: before.turn, to: anchor.turn) }
    return (outcomes, changes)
  }

  /// Updates the search index; an index that another process has made stale is rebuilt at its next use.
  private static func follow(_ edits: [WriteScope.WordsEdit], in vault: OpenVault, from old: Int, to new: Int) {
    vault.index.withLock { index in
      guard let held = index, held.turn == old || held.turn == new else {
        index = nil
        return
      }
      for edit in edits {
        switch edit {
        case .set(let id, let words): held.set(id, words)
        case .remove(let id): held.remove(id)
        }
      }
      held.turn = new
    }
  }
}

/// A box that carries a value from the store's thread.
private final class ValueBox<Value: Sendable>: Sendable {
  private let value = Mutex<Value?>(nil)

  func set(_ new: Value) { value.withLock { $0 = new } }

  func get() throws -> Value {
    guard let value = value.withLock({ $0 }) else { throw VaultError.noMemory }
    return value
  }
}

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
