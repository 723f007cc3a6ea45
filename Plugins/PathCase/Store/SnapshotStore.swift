import Glibc
import PluginStore

/// Keeps snapshots of the database: one in use, and the one before it.
///
/// A snapshot is written beside the others and looked at before it counts. Whenever the process ends, what was in use
/// before is in use, or the new one as a whole. Not for the main thread: all functions wait for files.
final class SnapshotStore: Sendable {
  /// Where the installing of a snapshot is; for tests that end it there.
  enum Step: String, Sendable, CaseIterable {
    case locked, cleared, opened, written, checked, closed, synchronized, renamed, pointed, done
  }

  let folder: SnapshotFolder
  private let onStep: @Sendable (Step) throws -> Void

  /// - Parameters:
  ///   - folder: As an absolute path; it is made on demand, for the user alone.
  ///   - onStep: Called before each step of installing.
  init(folder: String, onStep: @escaping @Sendable (Step) throws -> Void = { _ in }) {
    self.folder = SnapshotFolder(path: folder)
    self.onStep = onStep
  }

  /// Removes what processes that were ended left behind, unless one is at work.
  func removeLeftovers() {
    guard let lock = try? folder.lock() else { return }
    if let pointer = try? folder.pointer() { folder.clear(pointer) }
    _ = consume lock
  }

  /// Whether there is a snapshot.
  var isEmpty: Bool { (try? folder.pointer()) == nil }

  /// Writes a linked database as a snapshot and makes it count.
  ///
  /// - Throws: ``SnapshotStoreError``, `StoreError`; the snapshot that was in use is in use then.
  func install(_ database: MetabolicDatabase, origin: SnapshotOrigin, documents: [FetchedDocument] = []) throws {
    let lock = try folder.lock()
    try onStep(.locked)
    let before = try folder.pointer()
    folder.clear(before)
    try onStep(.cleared)
    let name = folder.freeName(origin.sha256)
    let draft = folder.path(of: name + ".tmp")
    do {
      try write(database, origin: origin, documents: documents, to: draft)
      try folder.synchronize(draft)
      try onStep(.synchronized)
      let target = folder.path(of: name)
      if rename(draft, target) != 0 {
        throw SnapshotStoreError.unusable(path: target, reason: SnapshotFolder.reason())
      }
    } catch {
      for end in ["", "-wal", "-shm"] { unlink(draft + end) }
      throw error
    }
    try folder.synchronize(folder.path)
    try onStep(.renamed)
    try folder.point(to: SnapshotFolder.Pointer(current: name, previous: before?.current))
    try onStep(.pointed)
    folder.clear(try folder.pointer())
    try onStep(.done)
    _ = consume lock
  }

  private func write(
    _ database: MetabolicDatabase, origin: SnapshotOrigin, documents: [FetchedDocument], to draft: String
  ) throws {
    let store = SQLiteStore(name: "snapshot", path: draft, migrations: SnapshotSchema.migrations)
    defer { store.closeAndWait() }
    let onStep = onStep
    try store.readAndWait { _ in try onStep(.opened) }
    try store.writeAndWait { connection in
      try SnapshotRows(connection: connection).write(database, origin: origin, documents: documents)
      try onStep(.written)
    }
    try store.readAndWait { try Self.check($0, path: draft) }
    try onStep(.checked)
    try store.checkpointAndWait()
    store.closeAndWait()
    if access(draft + "-wal", F_OK) == 0 {
      throw SnapshotStoreError.unusable(path: draft, reason: "its log could not be closed")
    }
    try onStep(.closed)
  }

  /// Looks whether each page and reference of a file is whole.
  private static func check(_ connection: Connection, path: String) throws {
    let damages = try connection.list("PRAGMA integrity_check(3)") { $0.text(0) }.filter { $0 != "ok" }
    if let first = damages.first { throw SnapshotStoreError.damaged(path: path, reason: first) }
    let dangling = try connection.list("SELECT \"table\", parent FROM pragma_foreign_key_check LIMIT 1") {
      "a row of '\($0.text(0))' refers to a row of '\($0.text(1))' that is not there"
    }
    if let first = dangling.first { throw SnapshotStoreError.damaged(path: path, reason: first) }
  }

  /// Makes the snapshot before the one in use count, and that one the one before.
  func rollback() throws {
    let lock = try folder.lock()
    guard let pointer = try folder.pointer() else { throw SnapshotStoreError.empty }
    guard let previous = pointer.previous, access(folder.path(of: previous), R_OK) == 0 else {
      throw SnapshotStoreError.noEarlier
    }
    try folder.point(to: SnapshotFolder.Pointer(current: previous, previous: pointer.current))
    _ = consume lock
  }

  /// The snapshot that is in use now; it can be read on while others come into use.
  ///
  /// - Throws: `empty` if there is none.
  func open() throws -> SnapshotHandle {
    guard let pointer = try folder.pointer() else { throw SnapshotStoreError.empty }
    let path = folder.path(of: pointer.current)
    // A store would make a missing file.
    if access(path, R_OK) != 0 { throw SnapshotStoreError.damaged(path: path, reason: "it cannot be read") }
    return try SnapshotHandle(path: path)
  }
}

/// A snapshot that is being read.
final class SnapshotHandle: Sendable {
  private let store: SQLiteStore

  /// Opens the file at once, so that it stays readable when it is removed.
  fileprivate init(path: String) throws {
    store = SQLiteStore(name: "snapshot", path: path, migrations: SnapshotSchema.migrations)
    let isWhole = try store.readAndWait { try !$0.value("SELECT value FROM meta WHERE key = 'sha256'").isNull }
    if !isWhole { throw SnapshotStoreError.damaged(path: path, reason: "it says nothing of where it is from") }
  }

  /// All of its records.
  func records() async throws -> DatabaseRecords {
    try await store.read { try SnapshotRows(connection: $0).records() }
  }

  /// Where it came from.
  func origin() async throws -> SnapshotOrigin {
    try await store.read { try SnapshotRows(connection: $0).origin() }
  }

  /// The documents it was made of.
  func documents() async throws -> [FetchedDocument] {
    try await store.read { try SnapshotRows(connection: $0).documents() }
  }

  /// What has words that begin with those of a text in its name or synonyms, the closest first.
  func search(_ text: String, limit: Int = 100) async throws -> [FoundRecord] {
    try await store.read { try SnapshotRows(connection: $0).search(text, limit: limit) }
  }

  /// Ends the reading.
  func close() async { await store.close() }
}
