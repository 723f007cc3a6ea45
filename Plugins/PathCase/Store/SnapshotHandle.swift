import PluginAPI
import PluginStore

/// A snapshot that is being read.
final class SnapshotHandle: Sendable {
  private let store: SQLiteStore

  /// Opens the file at once, so that it stays readable when it is removed.
  init(path: String) throws {
    // Written once and never again: nothing is locked for it, and nothing made beside it.
    var options = SQLiteStore.Options()
    options.isFrozen = true
    store = SQLiteStore(name: "snapshot", path: path, migrations: SnapshotSchema.migrations, options: options)
    let isKnown = try readAndWait { try !$0.value("SELECT value FROM meta WHERE key = 'sha256'").isNull }
    if !isKnown { throw SnapshotStoreError.damaged(path: path, reason: "it says nothing of where it is from") }
  }

  /// Reads, and tells what is damaged as damage of the snapshot.
  private func read<Result: Sendable>(
    _ body: @escaping @Sendable (Connection) throws -> Result
  ) async throws -> Result {
    do { return try await store.read(body) } catch { throw Self.told(error, path: store.path) }
  }

  /// The same at once.
  private func readAndWait<Result: Sendable>(_ body: @escaping @Sendable (Connection) throws -> Result) throws -> Result
  {
    do { return try store.readAndWait(body) } catch { throw Self.told(error, path: store.path) }
  }

  /// All of its records.
  func records() async throws -> DatabaseRecords { try await read { try SnapshotRows(connection: $0).records() } }

  /// All of its records, at once; only for code that may wait.
  func recordsAndWait() throws -> DatabaseRecords { try readAndWait { try SnapshotRows(connection: $0).records() } }

  /// All that it holds, linked; only for code that may wait.
  func contentAndWait() throws -> SnapshotContent {
    guard let content = try readAndWait({ try SnapshotRows(connection: $0).content() }) else {
      throw SnapshotStoreError.damaged(path: store.path, reason: "it says nothing of where it is from")
    }
    return content
  }

  /// Where it came from.
  func origin() async throws -> SnapshotOrigin { try await read { try SnapshotRows(connection: $0).origin() } }

  /// Where it came from, at once; only for code that may wait.
  func originAndWait() throws -> SnapshotOrigin { try readAndWait { try SnapshotRows(connection: $0).origin() } }

  /// The documents it was made of.
  func documents() async throws -> [FetchedDocument] { try await read { try SnapshotRows(connection: $0).documents() } }

  /// What has words that begin with those of a text in its name or synonyms, the closest first.
  func search(_ text: String, limit: Int = 100) async throws -> [FoundRecord] {
    try await read { try SnapshotRows(connection: $0).search(text, limit: limit) }
  }

  /// Looks whether each page and reference of the file is whole; only for code that may wait.
  ///
  /// - Throws: ``SnapshotStoreError/damaged(path:reason:)``.
  func checkAndWait() throws {
    let path = store.path
    try readAndWait { try Self.check($0, path: path) }
  }

  /// Looks whether its rows can be understood and its documents are those that were fetched, which SQLite cannot tell.
  ///
  /// - Throws: ``SnapshotStoreError/damaged(path:reason:)``.
  func checkContentAndWait() throws {
    for document in try contentAndWait().documents
    where SHA256.hexadecimal(of: document.bytes) != document.entry.sha256 {
      throw SnapshotStoreError.damaged(
        path: store.path, reason: "'\(document.entry.path)' in it is not what was fetched")
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

  /// What is found out of a damaged file, as damage of a snapshot.
  private static func told(_ error: any Error, path: String) -> any Error {
    if let row = error as? DamagedRow { return SnapshotStoreError.damaged(path: path, reason: row.reason) }
    guard let error = error as? StoreError else { return error }
    switch error {
    case .corrupt, .notADatabase, .newerSchema, .migrationFailed:
      return SnapshotStoreError.damaged(path: path, reason: error.report.message)
    default: return error
    }
  }
}
