internal import CSQLite
internal import Glibc
internal import PluginAPI

extension SQLiteStore {
  /// Replaces the content with that of a backup; the old content is kept if anything fails.
  ///
  /// The backup is copied first. The copy is checked: an intact SQLite file, not of a newer version, with the tables of
  /// this store; and it is migrated to this version. Then it replaces the content in one transaction, so that other
  /// processes see either the old or the new content. A file too damaged for that is renamed to `<name>.damaged-N` and
  /// kept.
  /// - Throws: ``StoreError`` with the path of the backup if the backup is unusable.
  public func restore(from path: String) async throws { try await restore(from: path, verifying: nil) }

  /// Replaces the content with that of a backup, if the old content is still as the caller expects.
  ///
  /// - Parameters:
  ///   - path: The backup.
  ///   - verify: Reads the old content while no process can write to it, immediately before the exchange; if it throws,
  ///     the old content is kept. Not called if the file is too damaged to be read, or if it is nil.
  /// - Throws: ``StoreError`` with the path of the backup if the backup is unusable; any error that `verify` throws.
  public func restore(
    from path: String, verifying verify: (@Sendable (Connection) throws -> Void)?
  ) async throws {
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
      let source = try backup.connect(for: .reading, lockTimeoutInSeconds: options.lockTimeoutInSeconds)
      defer { source.close() }
      _ = try source.access(ticket, isWriting: false) { source in
        let version = try Migrator.version(of: source)
        if version > schemaVersion {
          throw StoreError.newerSchema(path: backup.path, found: version, supported: schemaVersion)
        }
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
