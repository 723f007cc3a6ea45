import PluginAPI
import PluginStore

/// A snapshot that is being read.
final class SnapshotHandle: Sendable {
  private let store: SQLiteStore

  /// Opens the file at once, so that it stays readable when it is removed.
  init(path: String) throws {
    // Written once and never again: nothing is locked for it, and nothing made beside it.
    store = SQLiteStore(
      name: "snapshot", path: path, migrations: SnapshotSchema.migrations, options: .init(isFrozen: true))
    do {
      let isWhole = try store.readAndWait { try !$0.value("SELECT value FROM meta WHERE key = 'sha256'").isNull }
      if !isWhole { throw SnapshotStoreError.damaged(path: path, reason: "it says nothing of where it is from") }
    } catch let error as StoreError {
      throw Self.told(error, path: path)
    }
  }

  /// All of its records.
  func records() async throws -> DatabaseRecords {
    try await store.read { try SnapshotRows(connection: $0).records() }
  }

  /// All of its records, at once; only for code that may wait.
  func recordsAndWait() throws -> DatabaseRecords {
    do {
      return try store.readAndWait { try SnapshotRows(connection: $0).records() }
    } catch let error as StoreError {
      throw Self.told(error, path: store.path)
    }
  }

  /// All that it holds, linked; only for code that may wait.
  func contentAndWait() throws -> SnapshotContent {
    guard let content = try store.readAndWait({ try SnapshotRows(connection: $0).content() }) else {
      throw SnapshotStoreError.damaged(path: store.path, reason: "it says nothing of where it is from")
    }
    return content
  }

  /// Where it came from.
  func origin() async throws -> SnapshotOrigin {
    try await store.read { try SnapshotRows(connection: $0).origin() }
  }

  /// Where it came from, at once; only for code that may wait.
  func originAndWait() throws -> SnapshotOrigin {
    try store.readAndWait { try SnapshotRows(connection: $0).origin() }
  }

  /// The documents it was made of.
  func documents() async throws -> [FetchedDocument] {
    try await store.read { try SnapshotRows(connection: $0).documents() }
  }

  /// What has words that begin with those of a text in its name or synonyms, the closest first.
  func search(_ text: String, limit: Int = 100) async throws -> [FoundRecord] {
    try await store.read { try SnapshotRows(connection: $0).search(text, limit: limit) }
  }

  /// Looks whether each page and reference of the file is whole; only for code that may wait.
  ///
  /// - Throws: ``SnapshotStoreError/damaged(path:reason:)``.
  func checkAndWait() throws {
    let path = store.path
    do {
      try store.readAndWait { try Self.check($0, path: path) }
    } catch let error as StoreError {
      throw Self.told(error, path: path)
    }
  }

  /// Copies it into a new file.
  func backup(to path: String) async throws { try await store.backup(to: path) }

  /// All tables as values.
  func export() async throws -> Value { try await store.export() }

  /// Ends the reading.
  func close() async { await store.close() }

  /// Ends the reading, at once.
  func closeAndWait() { store.closeAndWait() }

  /// Looks whether each page and reference of a file is whole.
  static func check(_ connection: Connection, path: String) throws {
    let damages = try connection.list("PRAGMA integrity_check(3)") { $0.text(0) }.filter { $0 != "ok" }
    if let first = damages.first { throw SnapshotStoreError.damaged(path: path, reason: first) }
    let dangling = try connection.list("SELECT \"table\", parent FROM pragma_foreign_key_check LIMIT 1") {
      "a row of '\($0.text(0))' refers to a row of '\($0.text(1))' that is not there"
    }
    if let first = dangling.first { throw SnapshotStoreError.damaged(path: path, reason: first) }
  }

  /// What SQLite says of a damaged file, as damage of a snapshot.
  private static func told(_ error: StoreError, path: String) -> any Error {
    switch error {
    case .corrupt, .notADatabase, .newerSchema, .migrationFailed:
      SnapshotStoreError.damaged(path: path, reason: error.report.message)
    default: error
    }
  }
}
