import Glibc
import PluginAPI
import PluginStore

extension RecordStore {
  /// Cleans up after a deletion that is already committed.
  ///
  /// A failure, such as a full disk, does not undo the deletion, so it is not reported; the next start cleans up.
  func tidy() async { try? await clean() }

  /// Ensures that nothing deleted is left: files of captures, and the log of the database.
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
  /// - Complexity: by the number of leftovers, not of stored captures.
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
        } catch let error as VaultError {
          found.append(StoreCheck.diagnostic(error))
        }
      } else if let file = capture.file {
        let descriptor = files.open(reading: file)
        if descriptor >= 0 {
          Glibc.close(descriptor)
        } else {
          found.append(StoreCheck.diagnostic(.damaged("the data of capture \(capture.record.id)")))
        }
      }
    }
    return found
  }
}
