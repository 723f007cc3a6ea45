internal import CSQLite
internal import Glibc
public import PluginAPI

extension SQLiteStore {
  /// Writes a consistent copy to a new file, even while the store is in use.
  ///
  /// A separate connection reads a snapshot of the store while other accesses continue. The copy is renamed to `path`
  /// when it is complete and synchronized to the device.
  /// - Throws: ``StoreError/fileExists(path:)`` if the file exists; ``StoreError`` if it cannot be written.
  /// - Source: SQLite, "Online Backup API", https://sqlite.org/backup.html.
  public func backup(to path: String) async throws {
    if StoreFile(path: path).exists { throw StoreError.fileExists(path: path) }
    // Creates and migrates a store that was never used.
    try await onThread { _ = try self.opened($0) }
    let helper = StoreThread()
    defer { helper.end {} }
    let ticket = AccessTicket()
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
        helper.run { continuation.resume(with: Result { try self.copy(to: path, ticket) }) }
      }
    } onCancel: {
      ticket.cancel()
    }
  }

  private func copy(to path: String, _ ticket: AccessTicket) throws {
    let part = StoreFile(path: path + ".partial-\(getpid())")
    part.remove()
    defer { part.remove() }
    let file = StoreFile(path: self.path)
    let source = try file.connect(
      for: file.unwrittenUse(isFrozen: options.isFrozen) ?? .writing, lockTimeoutInSeconds: options.lockTimeoutInSeconds
    )
    defer { source.close() }
    _ = try source.access(ticket, isWriting: false) { source in
      // The first read fixes the state that is copied.
      _ = try source.value("SELECT count(*) FROM sqlite_schema")
      try SQLiteStore.copyPages(from: source, to: part)
    }
    try part.synchronize()
    try part.move(to: path)
    try StoreFile(path: path).synchronize()
  }

  /// Copies all pages into a new self-contained file, without a log beside it.
  private static func copyPages(from source: Connection, to file: StoreFile) throws {
    try file.make()
    let target = try file.connect(for: .writing, lockTimeoutInSeconds: 1)
    defer { target.close() }
    try copyPages(from: source, into: target)
    try removeLog(of: target, AccessTicket())
  }

  /// Copies the write-ahead log into the file and removes it, so that the file can be read without the log, even on a
  /// read-only file system.
  ///
  /// No other connection may use the store. Opening it again starts a new log.
  public func removeLog() async throws {
    try await onThread { try SQLiteStore.removeLog(of: self.opened($0, isWriting: true), $0) }
  }

  private static func removeLog(of connection: Connection, _ ticket: AccessTicket) throws {
    try connection.withoutTransaction(ticket) { try $0.execute("PRAGMA journal_mode = DELETE") }
  }

  /// Copies all pages of one file over another; a failure leaves the target unchanged.
  ///
  /// - Parameter verify: Called when the target is locked for writing, before its first page changes.
  private static func copyPages(
    from source: Connection, into target: Connection, verifying verify: () throws -> Void = {}
  ) throws {
    guard let backup = csqlite_backup_init(target.handle, "main", source.handle, "main") else {
      throw target.error(csqlite_extended_errcode(target.handle), sql: nil)
    }
    // A step of zero pages only acquires the locks.
    var result = csqlite_backup_step(backup, 0)
    var isVerified = false
    while result == SQLITE_OK {
      do {
        try source.checkCancellation()
        if !isVerified { try verify() }
        isVerified = true
      } catch {
        csqlite_backup_finish(backup)
        throw error
      }
      result = csqlite_backup_step(backup, 512)
    }
    let end = csqlite_backup_finish(backup)
    if result != SQLITE_DONE { throw target.error(result, sql: nil) }
    if end != SQLITE_OK { throw target.error(end, sql: nil) }
  }
}

extension SQLiteStore {
  /// Replaces the content with that of a backup; a failure leaves the old content unchanged.
  ///
  /// The backup is copied first. The copy is checked: an intact SQLite file, not of a newer version, with the tables of
  /// this store; and it is migrated to this version. Then it replaces the content in one transaction, so that other
  /// processes see either the old or the new content. A file too damaged for that is renamed to
  /// `<name>.damaged-N`.
  /// - Throws: ``StoreError`` with the path of the backup if the backup is unusable.
  public func restore(from path: String) async throws { try await restore(from: path, verifying: nil) }

  /// Replaces the content with that of a backup, if the old content is still as the caller expects.
  ///
  /// - Parameters:
  ///   - path: The backup.
  ///   - verify: Reads the old content while no process can write to it, immediately before the exchange; if it throws,
  ///     the old content is unchanged. Not called if the file is too damaged to be read, or if it is nil.
  /// - Throws: ``StoreError`` with the path of the backup if it is missing or unusable; any error that `verify` throws.
  public func restore(
    from path: String, verifying verify: (@Sendable (Connection) throws -> Void)?
  ) async throws {
    switch StoreFile(path: path).lookUp() {
    case 0: break
    case ENOENT, ENOTDIR: throw StoreError.noBackup(path: path)
    case let error: throw StoreError(systemError: error, path: path)
    }
    try await onThread { ticket in
      let part = StoreFile(path: self.path + ".restoring-\(getpid())")
      part.remove()
      defer { part.remove() }
      try StoreFile(path: self.path).make()
      try self.checkedCopy(of: StoreFile(path: path), to: part, ticket)
      do {
        try self.replaceContent(by: part, verifying: verify, ticket)
      } catch let error as StoreError {
        switch error {
        case .corrupt, .notADatabase: try self.replaceFile(by: part)
        default: throw error
        }
      }
      self.announce(try self.opened(ticket).withoutTransaction(ticket) { Set(try SQLiteStore.tableNames($0)) })
    }
  }

  /// Copies a backup and verifies that it can serve as this store.
  private func checkedCopy(of backup: StoreFile, to part: StoreFile, _ ticket: AccessTicket) throws {
    do {
      let source = try backup.connect(
        for: backup.unwrittenUse(isFrozen: true) ?? .reading, lockTimeoutInSeconds: options.lockTimeoutInSeconds)
      defer { source.close() }
      _ = try source.access(ticket, isWriting: false) { source in
        let version = try migrator.supportedVersion(of: source)
        if version == 0 { throw StoreError.foreignBackup(path: backup.path, reason: "it has no schema version") }
        try SQLiteStore.copyPages(from: source, to: part)
      }
    }
    let copy = try part.connect(for: .writing, lockTimeoutInSeconds: 1)
    defer { copy.close() }
    do {
      try prepare(copy, of: backup, ticket)
    } catch StoreError.corrupt(let failure) {
      throw StoreError.foreignBackup(path: backup.path, reason: "it is damaged: \(failure.message)")
    }
  }

  /// Verifies that the copy of a backup is intact, and migrates it to this version and page size.
  private func prepare(_ copy: Connection, of backup: StoreFile, _ ticket: AccessTicket) throws {
    try copy.withoutTransaction(ticket) { copy in
      if let fault = try SQLiteStore.faults(copy).first {
        throw StoreError.foreignBackup(path: backup.path, reason: "it is damaged: \(fault.message)")
      }
      do {
        try migrator.migrate(copy)
      } catch StoreError.migrationFailed(let version, let name, let failure) {
        let reason = "migration \(version) '\(name)' does not fit it: \(failure.message)"
        throw StoreError.foreignBackup(path: backup.path, reason: reason)
      }
      try checkTables(copy, of: backup)
      // A file in write-ahead mode accepts only pages of its own size.
      try copy.execute("PRAGMA page_size = \(try pageSize(ticket))")
      try copy.execute("VACUUM")
    }
  }

  /// Compares the tables with those that the migrations create in an empty file.
  private func checkTables(_ copy: Connection, of backup: StoreFile) throws {
    let empty = try StoreFile(path: ":memory:").connect(for: .writing, lockTimeoutInSeconds: 0)
    defer { empty.close() }
    let expected = try empty.withoutTransaction(AccessTicket()) { empty in
      try migrator.migrate(empty)
      return try SQLiteStore.tableNames(empty)
    }
    let found = Set(try SQLiteStore.tableNames(copy))
    if let missing = expected.first(where: { !found.contains($0) }) {
      throw StoreError.foreignBackup(path: backup.path, reason: "it has no table '\(missing)'")
    }
  }

  private func pageSize(_ ticket: AccessTicket) throws -> Int {
    guard let connection = try? StoreFile(path: path).connect(for: .reading, lockTimeoutInSeconds: 1) else {
      return 4096
    }
    defer { connection.close() }
    return (try? connection.withoutTransaction(ticket) { try $0.value("PRAGMA page_size").integer }) ?? 4096
  }

  private func replaceContent(
    by part: StoreFile, verifying verify: (@Sendable (Connection) throws -> Void)?, _ ticket: AccessTicket
  ) throws {
    let source = try part.connect(for: .reading, lockTimeoutInSeconds: 1)
    defer { source.close() }
    let target = try opened(ticket, isWriting: true)
    target.forgetStatements()
    try target.withoutTransaction(ticket) { target in
      try SQLiteStore.copyPages(from: source, into: target) {
        guard let verify else { return }
        // In write-ahead mode another connection reads the last content while the target holds the write lock.
        let content = try StoreFile(path: path).connect(
          for: .reading, lockTimeoutInSeconds: options.lockTimeoutInSeconds)
        defer { content.close() }
        _ = try content.access(AccessTicket(), isWriting: false) { try verify($0) }
      }
    }
  }

  private func replaceFile(by part: StoreFile) throws {
    disconnect()
    try part.synchronize()
    var number = 1
    while StoreFile(path: path + ".damaged-\(number)").exists { number += 1 }
    for suffix in ["-wal", "-shm"] where StoreFile(path: path + suffix).exists {
      try StoreFile(path: path + suffix).move(to: path + ".damaged-\(number)" + suffix)
    }
    // A second name for the old file, so that there is one under the store's own name at every moment.
    if link(path, path + ".damaged-\(number)") != 0 { throw StoreError(systemError: errno, path: path) }
    try part.move(to: path, replacing: true)
    try StoreFile(path: path).synchronize()
  }
}

extension SQLiteStore {
  /// Checks that every page, index and reference of the file is intact, and whether other users can read it.
  ///
  /// - Returns: The faults, at most 100; empty if there are none. An unusable file is a fault too.
  /// - Complexity: Reads the whole file.
  public func check() async throws -> [Diagnostic] {
    try await onThread { ticket in
      do {
        let connection = try self.opened(ticket)
        return try connection.withoutTransaction(ticket) { try SQLiteStore.faults($0) }
          + SQLiteStore.modeFaults(self.path)
      } catch let error as StoreError {
        switch error {
        case .corrupt, .notADatabase, .newerSchema:
          let report = error.report
          return [Diagnostic(.error, code: report.code, report.message, advice: report.advice)]
        default: throw error
        }
      }
    }
  }

  /// Returns the faults inside a file.
  ///
  /// - Source: SQLite, "PRAGMA integrity_check" and "PRAGMA foreign_key_check", https://sqlite.org/pragma.html.
  private static func faults(_ connection: Connection) throws -> [Diagnostic] {
    let damages = try connection.list("PRAGMA integrity_check(100)") { $0.text(0) }.filter { $0 != "ok" }
    let dangling = try connection.list("SELECT \"table\", rowid, parent FROM pragma_foreign_key_check LIMIT 100") {
      "row \($0.integer(1)) of table '\($0.text(0))' refers to a missing row of table '\($0.text(2))'"
    }
    return damages.map {
      Diagnostic(.error, code: "store.damaged", $0, advice: "restore a backup with 'workbench store restore'")
    } + dangling.map { Diagnostic(.warning, code: "store.dangling-reference", $0) }
  }

  private static func modeFaults(_ path: String) -> [Diagnostic] {
    guard let mode = StoreFile(path: path).mode, mode & 0o077 != 0 else { return [] }
    return [
      Diagnostic(
        .warning, code: "store.readable-by-others",
        "other users can read '\(path)' (mode \(String(mode, radix: 8)))", advice: "run: chmod 600 '\(path)'")
    ]
  }
}

extension SQLiteStore {
  /// Returns all tables with their rows: `{store, schemaVersion, tables: {name: table}}`.
  ///
  /// A column whose values are all of one type becomes a column of that type; others hold values of any kind.
  /// - Complexity: Holds the whole content in memory.
  public func export() async throws -> Value {
    try await read { connection in
      var tables = Record()
      for name in try SQLiteStore.tableNames(connection) {
        tables[name] = .table(try SQLiteStore.table(name, of: connection))
      }
      return [
        "store": .text(self.name), "schemaVersion": .integer(self.schemaVersion), "tables": .record(tables),
      ]
    }
  }

  /// Returns the sorted names of the plugin's tables, without the internal tables of SQLite and its virtual tables.
  private static func tableNames(_ connection: Connection) throws -> [String] {
    try connection.list(
      "SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table' AND name NOT LIKE 'sqlite@_%' "
        + "ESCAPE '@' ORDER BY name"
    ) { $0.text(0) }
  }

  private static func table(_ name: String, of connection: Connection) throws -> Table {
    let quoted = "\"" + name.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"") + "\""
    let rows = try connection.rows("SELECT * FROM \(quoted)")
    var columns = [[SQLValue]](repeating: [], count: rows.columnNames.count)
    while let row = try rows.next() {
      for column in columns.indices { columns[column].append(row[column]) }
    }
    return Table(columns: zip(rows.columnNames, columns).map { Table.Column($0, values($1)) })
  }

  private static func values(_ column: [SQLValue]) -> Table.Values {
    let integers = column.compactMap(\.integer)
    if integers.count == column.count { return .integers(integers) }
    let texts = column.compactMap(\.text)
    if texts.count == column.count { return .texts(texts) }
    if column.allSatisfy({ if case .number = $0 { true } else { false } }) {
      return .numbers(column.compactMap(\.number), decimals: nil)
    }
    return .values(column.map(Value.init(sqlValue:)))
  }
}

extension Value {
  /// Creates a value from the value of a column.
  fileprivate init(sqlValue: SQLValue) {
    switch sqlValue {
    case .null: self = .null
    case .integer(let value): self = .integer(value)
    case .number(let value): self = .number(value)
    case .text(let value): self = .text(value)
    case .bytes(let value): self = .bytes(value)
    }
  }
}
