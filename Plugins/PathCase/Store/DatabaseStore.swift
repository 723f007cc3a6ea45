import PluginAPI
import PluginStore

/// The database in the form of a host's store: the active snapshot and the previous one.
///
/// A backup holds the active snapshot. If the bundled database is active, the backup is empty, and restoring it
/// activates the bundled database.
final class DatabaseStore: Store {
  static let storeName = "database"

  let snapshots: SnapshotStore
  private let onChange: @Sendable () async -> Void

  /// - Parameters:
  ///   - folder: The plugin's data folder, as an absolute path.
  ///   - onChange: Called after a backup has activated another snapshot.
  init(folder: String, onChange: @escaping @Sendable () async -> Void = {}) {
    snapshots = SnapshotStore(folder: Self.path(in: folder))
    self.onChange = onChange
  }

  /// Returns the path of the snapshots in the plugin's data folder.
  static func path(in folder: String) -> String { "\(folder)/snapshots" }

  var name: String { Self.storeName }
  var path: String { snapshots.folder.path }
  var schemaVersion: Int { SnapshotSchema.migrations.count }

  /// Returns the problems of the active snapshot and the previous one.
  func check() async throws -> [Diagnostic] {
    let pointer: SnapshotFolder.Pointer?
    do throws(ErrorReport) {
      pointer = try snapshots.folder.pointer()
    } catch {
      return [Self.diagnostic(error.report)]
    }
    let files = [pointer?.current, pointer?.previous].compactMap(\.self).filter { $0 != SnapshotFolder.Pointer.bundled }
    let snapshots = snapshots
    return try await OwnThread.value { _ in
      try files.compactMap { file throws -> Diagnostic? in
        do {
          let handle = try snapshots.handle(of: file)
          defer { handle.close() }
          try handle.check()
          try handle.checkContent()
          return nil
        } catch let error as any ReportableError {
          return Self.diagnostic(error.report)
        }
      }
    }
  }

  private static func diagnostic(_ report: ErrorReport) -> Diagnostic {
    Diagnostic(.error, code: report.code, report.message, advice: report.advice)
  }

  func backup(to path: String) async throws {
    if try snapshots.isEmpty() { return try await withDraft { draft, _ in try await draft.backup(to: path) } }
    let handle = try snapshots.open()
    defer { handle.close() }
    try await handle.backup(to: path)
  }

  /// Activates the snapshot of a backup; the active one becomes the previous one.
  func restore(from path: String) async throws {
    try await withDraft { draft, lock in
      try await draft.restore(from: path)
      let content = try await draft.read { connection -> SnapshotContent? in
        do {
          return try SnapshotRows(connection: connection).content()
        } catch let row as DamagedRow {
          throw SnapshotStoreError.damaged(path: path, reason: row.reason)
        }
      }
      let snapshots = self.snapshots
      try await OwnThread.value { _ in
        guard let content else { return try snapshots.useBundled(holding: lock) }
        try snapshots.install(content.database, origin: content.origin, documents: content.documents, holding: lock)
      }
    }
    await onChange()
  }

  func export() async throws -> Value {
    if try snapshots.isEmpty() {
      return ["store": .text(name), "schemaVersion": .integer(schemaVersion), "tables": .record(Record())]
    }
    let handle = try snapshots.open()
    defer { handle.close() }
    return try await handle.export()
  }

  func close() async {}

  /// Calls a function with an empty draft beside the snapshots, and removes the draft afterward.
  private func withDraft(_ body: (SQLiteStore, SnapshotFolder.Lock) async throws -> Void) async throws {
    let lock = try snapshots.lock()
    defer { lock.release() }
    let path = snapshots.folder.path(of: "draft-\(snapshots.folder.freeName("")).tmp")
    let draft = SQLiteStore(name: name, path: path, migrations: SnapshotSchema.migrations)
    do {
      try await body(draft, lock)
      await draft.close()
      SnapshotFolder.removeFile(path)
    } catch {
      await draft.close()
      SnapshotFolder.removeFile(path)
      throw error
    }
  }
}
