import Glibc
import PluginAPI
import PluginStore

extension RecordStore {
  /// Cleans up after a deletion that is already committed.
  ///
  /// A failure, such as a full disk, does not undo the deletion, so it is not reported; the next start cleans up.
  func tidy() async { try? await clean() }

  /// Makes sure that nothing of what was deleted is left: files of captures, and the log of the database.
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

  /// Puts files of captures into their places, and removes those that were not kept when a process ended.
  ///
  /// - Complexity: by what was left over, not by what is stored.
  func sweep() async throws {
    let files = files
    try files.make()
    _ = files.holdReserve()
    try await unpack()
    let names = try await OwnThread.value { _ in files.leftovers() }
    for name in names {
      // Whoever writes a file holds it until its row is kept: the lock first, then the row.
      guard let held = files.taken(name) else { continue }
      defer { held.close() }
      let isKept = try await sqlite.read { try !$0.value("SELECT 1 FROM capture WHERE file = ?", [name]).isNull }
      if isKept { files.settle(name) } else { unlink(files.draft(name)) }
    }
    await tidy()
  }

  /// Writes the database anew without the room of what was deleted.
  func purge() async throws {
    try await change(.manageKeys) { try $0.audit(AuditEvent(.purged)) }
    try await clean()
    try await sqlite.compact()
  }

  /// Looks whether the store is whole: the database, every record, the sum of them, the audit log, the data of captures.
  ///
  /// - Parameter readsData: Whether all data is read; else only whether its file is there.
  /// - Returns: What was found; empty if all is well.
  func check(readsData: Bool = false) async throws -> [Diagnostic] {
    let damages = try await sqlite.check()
    // Without a key nobody can tell more.
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
