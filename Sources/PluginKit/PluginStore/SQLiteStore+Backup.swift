internal import CSQLite
internal import Glibc

extension SQLiteStore {
  /// Writes a consistent copy to a new file, even while the store is in use.
  ///
  /// A connection of its own reads one state of the store; accesses continue meanwhile. The copy gets its name when it
  /// is complete and on the device.
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
  static func copyPages(from source: Connection, to file: StoreFile) throws {
    try file.make()
    let target = try file.connect(for: .writing, lockTimeoutInSeconds: 1)
    defer { target.close() }
    try copyPages(from: source, into: target)
    try target.withoutTransaction(AccessTicket()) { try $0.execute("PRAGMA journal_mode = DELETE") }
  }

  /// Copies all pages of one file over another; a failure leaves the target unchanged.
  ///
  /// - Parameter verify: Called when the target is locked for writing, before its first page changes.
  static func copyPages(
    from source: Connection, into target: Connection, verifying verify: () throws -> Void = {}
  ) throws {
    guard let backup = csqlite_backup_init(target.handle, "main", source.handle, "main") else {
      throw target.error(csqlite_extended_errcode(target.handle), sql: nil)
    }
    // A step of zero pages only takes the locks.
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
