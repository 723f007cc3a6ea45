import Glibc
import PluginAPI
import PluginStore

extension RecordStore {
  /// Cleans up after a deletion that is already committed.
  ///
  /// A failure, such as a full disk, does not undo the deletion, so it is not reported; the next start cleans up.
  func tidy() async { try? await clean() }

  /// Removes the remains of deleted data: files of captures, and the log of the database.
  func clean() async throws {
    let files = files
    let names = try await sqlite.read { try $0.list("SELECT file FROM doomed") { $0.text(0) } }
    if !names.isEmpty {
      try await OwnThread.value { _ in for name in names { files.remove(name) } }
      try await sqlite.write { connection in
        for name in names { try connection.execute("DELETE FROM doomed WHERE file = ?", [name]) }
      }
    }
    try await sqlite.checkpoint()
  }

  /// Moves files of captures to their final places, and removes those that were not committed when a process ended.
  ///
  /// - Complexity: O(*n*) in the number of leftovers, not of stored captures.
  func sweep() async throws {
    let files = files
    try files.make()
    _ = files.holdReserve()
    try await unpack()
    let names = try await OwnThread.value { _ in files.leftovers() }
    for name in names {
      // A writer locks its file until its row is committed: the lock first, then the row.
      guard let held = files.taken(name) else { continue }
      defer { held.close() }
      let isKept = try await sqlite.read { try !$0.value("SELECT 1 FROM capture WHERE file = ?", [name]).isNull }
      if isKept { files.settle(name) } else { unlink(files.draft(name)) }
    }
    await tidy()
  }

  /// Rewrites the database without the space of deleted data.
  func purge() async throws {
    try await change(.manageKeys) { try $0.audit(AuditEvent(.purged)) }
    try await clean()
    try await sqlite.compact()
  }

  /// Checks the integrity of the store: the database, every record, their sum, the audit log, the data of captures.
  ///
  /// - Parameter readsData: True to read all data; otherwise only the presence of its file is checked.
  /// - Returns: The problems found; empty if there are none.
  func check(readsData: Bool = false) async throws -> [Diagnostic] {
    // Opening a missing database would create it, as a store that no key opens.
    if !exists { return [] }
    let damages = try await sqlite.check()
    // Without a key nothing more can be checked.
    if isLocked || damages.contains(where: { $0.severity == .error }) { return damages }
    let (faults, captures) = try await look(.readRecords) { connection, vault in
      try StoreCheck(connection, vault).run()
    }
    var found = damages + faults
    for capture in captures {
      if readsData {
        do {
          try await verifyData(of: capture.record.id)
        } catch let error as ErrorReport {
          found.append(StoreCheck.diagnostic(error))
        }
      } else if let file = capture.file {
        let descriptor = files.open(reading: file)
        if descriptor >= 0 {
          Glibc.close(descriptor)
        } else {
          found.append(StoreCheck.diagnostic(VaultError.damaged("the data of capture \(capture.record.id)")))
        }
      }
    }
    return found
  }
}

/// A check of all records of a store against the content that the header expects.
private struct StoreCheck {
  private let connection: Connection
  private let vault: OpenVault
  private var faults: [Diagnostic] = []
  private var sum = Vault.zeroCode
  private var captures: [(record: CaptureRecord, file: String?)] = []

  init(_ connection: Connection, _ vault: OpenVault) {
    self.connection = connection
    self.vault = vault
  }

  /// Returns the problems found, and the captures in the store.
  consuming func run() throws -> ([Diagnostic], captures: [(record: CaptureRecord, file: String?)]) {
    let keys = vault.keys
    try each("SELECT \(PersonRow.columns) FROM person") { row in
      let person = try PersonRow.read(row, keys)
      return PersonRow.place(person.id, version: row.integer(1))
    }
    let connection = connection
    try each("SELECT \(ItemRow.columns) FROM item") { try ItemRow($0, connection, keys).place }
    var found: [(record: CaptureRecord, file: String?)] = []
    var unfound: [Int] = []
    try each("SELECT \(CaptureRow.columns) FROM capture") { row in
      let capture = try CaptureRow(row, keys)
      if !capture.isFound(keys) { unfound.append(capture.record.id) }
      found.append((capture.record, capture.file))
      return capture.place
    }
    captures = found
    faults += unfound.map { Self.diagnostic(VaultError.damaged("the hash of capture \($0)")) }
    let empty = try connection.list(
      "SELECT id FROM capture WHERE file IS NULL AND id NOT IN (SELECT capture FROM content)"
    ) { $0.integer(0) }
    faults += empty.map { Self.diagnostic(VaultError.damaged("the data of capture \($0)")) }
    try each("SELECT id, version FROM user") { row in
      try UserRow.row(row.integer(0), connection, keys).place
    }
    try uncounted()
    let anchor = try Header.anchor(connection, vault)
    if let bad = try RecordStore.firstBad(connection, keys, anchor) {
      faults.append(Self.diagnostic(VaultError.damaged("entry \(bad.number) of the audit log")))
    }
    for (table, expected) in [("person", anchor.people), ("item", anchor.items), ("capture", anchor.captures)] {
      let found = try connection.value("SELECT count(*) FROM \(table)").integer ?? 0
      if found == expected { continue }
      faults.append(Self.diagnostic(VaultError.damaged("the table '\(table)' (\(found) rows instead of \(expected))")))
    }
    if sum != anchor.census {
      faults.append(
        Self.diagnostic(
          VaultError.damaged(
            "the checksum of all records (a record was removed, added or replaced by an older version)")))
    }
    return (faults, captures)
  }

  /// Reads records that the sum does not include: the journal, the ids of captures, recent sensors, locks, thumbnails.
  private mutating func uncounted() throws {
    let (connection, keys) = (connection, vault.keys)
    var found: [Diagnostic] = []
    func each(_ sql: String, _ read: (Int) throws -> Void) throws {
      for id in try connection.list(sql, [], { $0.integer(0) }) {
        do { try read(id) } catch let error as ErrorReport { found.append(Self.diagnostic(error)) }
      }
    }
    try each("SELECT id FROM journal ORDER BY id") {
      let number = JournalNumber($0)
      _ = try JournalRow.entry(number, connection, keys)
      _ = try CapturedRow.all(of: number.value, connection, keys)
    }
    try each("SELECT id FROM capture WHERE thumbnail IS NOT NULL ORDER BY id") { id in
      // The record of the capture is checked elsewhere.
      guard let row = try? CaptureRow.capture(id, connection, keys) else { return }
      let sealed = try connection.value("SELECT thumbnail FROM capture WHERE id = ?", [id]).bytes ?? []
      _ = try keys.dataKey(row.wrappedKey, of: row.place).open(sealed, of: row.place, lasting: .thumbnail)
    }
    do { _ = try SensorRow.all(connection, keys) } catch let error as ErrorReport {
      found.append(Self.diagnostic(error))
    }
    do { _ = try HeldLockRow.all(connection, keys) } catch let error as ErrorReport {
      found.append(Self.diagnostic(error))
    }
    faults += found
  }

  /// Reads every row of a table, and adds its place to the sum.
  private mutating func each(_ sql: String, _ read: (Row) throws -> RecordPlace) throws {
    let rows = try connection.rows(sql)
    while let row = try rows.next() {
      do {
        Anchor.toggle(try read(row), vault.keys, in: &sum)
      } catch let error as ErrorReport {
        faults.append(Self.diagnostic(error))
      }
    }
  }

  static func diagnostic(_ error: ErrorReport) -> Diagnostic {
    Diagnostic(.error, code: error.code, error.message, advice: error.advice)
  }
}
