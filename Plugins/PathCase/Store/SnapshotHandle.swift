import PluginAPI
import PluginStore
import PluginText

/// A snapshot opened for reading, for which ``close()`` must be called.
///
/// Functions that are not `async` block; call them only off the main loop.
final class SnapshotHandle: Sendable {
  private let store: SQLiteStore

  /// Opens the file immediately, so that it stays readable if it is removed.
  init(path: String) throws {
    // The file is never written again, so it needs no lock and no files beside it.
    var options = SQLiteStore.Options()
    options.isFrozen = true
    store = SQLiteStore(name: "snapshot", path: path, migrations: SnapshotSchema.migrations, options: options)
    let isKnown = try read { try !$0.value("SELECT value FROM meta WHERE key = 'sha256'").isNull }
    if !isKnown { throw SnapshotStoreError.damaged(path: path, reason: "its source is not recorded") }
  }

  /// Reads from the snapshot and reports damage as the snapshot's.
  private func read<Result: Sendable>(_ body: @escaping @Sendable (Connection) throws -> Result) throws -> Result {
    do {
      return try store.blockingSession { try $0.read(body) }
    } catch {
      throw Self.converted(error, path: store.path)
    }
  }

  /// Returns all of its records.
  func records() throws -> DatabaseRecords { try read { try SnapshotRows(connection: $0).records() } }

  /// Returns all of its contents, linked.
  func content() throws -> SnapshotContent {
    guard let content = try read({ try SnapshotRows(connection: $0).content() }) else {
      throw SnapshotStoreError.damaged(path: store.path, reason: "its source is not recorded")
    }
    return content
  }

  /// Returns its origin.
  func origin() throws -> SnapshotOrigin { try read { try SnapshotRows(connection: $0).origin() } }

  /// Checks the integrity of each page and reference of the file.
  ///
  /// - Throws: ``SnapshotStoreError/damaged(path:reason:)``.
  func check() throws {
    let path = store.path
    try read { try Self.check($0, path: path) }
  }

  /// Checks that its rows can be decoded and its documents are unchanged, which SQLite does not check.
  ///
  /// - Throws: ``SnapshotStoreError/damaged(path:reason:)``.
  func checkContent() throws {
    for document in try content().documents
    where SHA256.hexadecimal(of: document.bytes) != document.entry.sha256 {
      throw SnapshotStoreError.damaged(
        path: store.path, reason: "'\(document.entry.path)' in it differs from the downloaded document")
    }
  }

  /// Copies it into a new file.
  func backup(to path: String) async throws { try await store.backup(to: path) }

  /// Returns all tables as values.
  func export() async throws -> Value { try await store.export() }

  /// Closes the file.
  func close() { try? store.blockingSession { $0.disconnect() } }

  /// Checks the integrity of each page and reference of a file.
  static func check(_ connection: Connection, path: String) throws {
    let damages = try connection.list("PRAGMA integrity_check(3)") { $0.text(0) }.filter { $0 != "ok" }
    if let first = damages.first { throw SnapshotStoreError.damaged(path: path, reason: first) }
    let dangling = try connection.list("SELECT \"table\", parent FROM pragma_foreign_key_check LIMIT 1") {
      "a row of '\($0.text(0))' refers to a row of '\($0.text(1))' that does not exist"
    }
    if let first = dangling.first { throw SnapshotStoreError.damaged(path: path, reason: first) }
  }

  /// Converts errors of a damaged file to those of a damaged snapshot.
  private static func converted(_ error: any Error, path: String) -> any Error {
    if let row = error as? DamagedRow { return SnapshotStoreError.damaged(path: path, reason: row.reason) }
    guard let error = error as? StoreError else { return error }
    switch error {
    case .corrupt, .notADatabase, .newerSchema, .migrationFailed:
      return SnapshotStoreError.damaged(path: path, reason: error.report.message)
    default: return error
    }
  }
}
