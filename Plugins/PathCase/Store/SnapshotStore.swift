import Glibc
import PluginAPI
internal import PluginStore

/// Stores snapshots of the database: the active one and the previous one.
///
/// A snapshot is written beside the others and checked before it is activated. Whenever the process ends, either the
/// old snapshot or the complete new one is active. Not for the main thread: all functions wait for files.
final class SnapshotStore: Sendable {
  /// The steps of an installation, at which tests can interrupt it.
  enum Step: String, Sendable, CaseIterable {
    case locked, cleared, opened, written, checked, closed, synchronized, renamed, pointed, done

    /// A Boolean value indicating whether the old snapshot is still active.
    var isBeforeCounting: Bool { self != .pointed && self != .done }
  }

  let folder: SnapshotFolder
  private let onStep: @Sendable (Step) throws -> Void

  /// - Parameters:
  ///   - folder: The absolute path; the folder is created on demand, accessible only to the user.
  ///   - onStep: Called before each step of an installation.
  init(folder: String, onStep: @escaping @Sendable (Step) throws -> Void = { _ in }) {
    self.folder = SnapshotFolder(path: folder)
    self.onStep = onStep
  }

  /// Acquires the lock for changes, until it is released.
  ///
  /// - Throws: `busy` if another process, or another part of this one, holds it.
  func lock() throws(ErrorReport) -> SnapshotFolder.Lock { try folder.lock() }

  /// Removes files left by interrupted processes, unless one is at work.
  func removeLeftovers() {
    do throws(ErrorReport) {
      // The lock is not taken without need: it would make other changes fail in the meantime.
      if folder.leftovers(try folder.pointer()).isEmpty { return }
      let lock = try folder.lock()
      defer { lock.release() }
      folder.clear(try folder.pointer())
    } catch {
      // They do no harm, and are removed another time.
    }
  }

  /// Returns whether the bundled database is active.
  ///
  /// - Throws: `damaged` if that cannot be determined.
  func isEmpty() throws(ErrorReport) -> Bool {
    guard let pointer = try folder.pointer() else { return true }
    return pointer.current == SnapshotFolder.Pointer.bundled
  }

  /// Writes a linked database as a snapshot and activates it.
  ///
  /// - Throws: ``SnapshotStoreError``, `StoreError`; the old snapshot then stays active.
  func install(_ database: MetabolicDatabase, origin: SnapshotOrigin, documents: [FetchedDocument] = []) throws {
    let lock = try folder.lock()
    defer { lock.release() }
    try install(database, origin: origin, documents: documents, holding: lock)
  }

  /// Writes a linked database as a snapshot and activates it; requires the lock.
  ///
  /// - Parameter isCancelled: Called often until the snapshot is active.
  /// - Throws: As above; `CancellationError` if it was canceled before the snapshot became active.
  func install(
    _ database: MetabolicDatabase, origin: SnapshotOrigin, documents: [FetchedDocument] = [],
    holding _: SnapshotFolder.Lock, isCancelled: @escaping @Sendable () -> Bool = { false }
  ) throws {
    let onStep: @Sendable (Step) throws -> Void = { [onStep] step in
      if step.isBeforeCounting, isCancelled() { throw CancellationError() }
      try onStep(step)
    }
    try onStep(.locked)
    let before = try clearedPointer()
    try onStep(.cleared)
    let name = folder.freeName(origin.sha256)
    let draft = folder.path(of: name + ".tmp")
    do {
      try write(
        SnapshotContent(database: database, origin: origin, documents: documents), to: draft, onStep, isCancelled)
      try folder.synchronize(draft)
      try onStep(.synchronized)
      let target = folder.path(of: name)
      if rename(draft, target) != 0 {
        throw SnapshotStoreError.unusable(path: target, reason: SnapshotFolder.reason())
      }
    } catch {
      SnapshotFolder.removeFile(draft)
      throw (error as? StoreError).map { SnapshotStoreError.writing(draft, $0) } ?? error
    }
    try folder.synchronize(folder.path)
    try onStep(.renamed)
    let previous = before?.current ?? SnapshotFolder.Pointer.bundled
    try folder.point(to: SnapshotFolder.Pointer(current: name, previous: previous))
    try onStep(.pointed)
    folder.clear(try folder.pointer())
    try onStep(.done)
  }

  /// Returns the snapshots in use and removes all others.
  ///
  /// - Returns: The snapshots; nil if there are none, or if the pointer is unreadable: the files are then kept for now.
  private func clearedPointer() throws -> SnapshotFolder.Pointer? {
    do {
      let pointer = try folder.pointer()
      folder.clear(pointer)
      return pointer
    } catch SnapshotStoreError.damaged {
      return nil
    }
  }

  private func write(
    _ content: SnapshotContent, to draft: String, _ onStep: @escaping @Sendable (Step) throws -> Void,
    _ isCancelled: @escaping @Sendable () -> Bool
  ) throws {
    let store = SQLiteStore(name: "snapshot", path: draft, migrations: SnapshotSchema.migrations)
    try store.blockingSession { session in
      defer { session.disconnect() }
      try session.read { _ in try onStep(.opened) }
      try session.write { connection in
        try SnapshotRows(connection: connection, isCancelled: isCancelled).write(content)
        try onStep(.written)
      }
      try session.read { try SnapshotHandle.check($0, path: draft) }
      try onStep(.checked)
      try session.checkpoint()
    }
    if access(draft + "-wal", F_OK) == 0 {
      throw SnapshotStoreError.unusable(path: draft, reason: "its log could not be closed")
    }
    try onStep(.closed)
  }

  /// Swaps the active and the previous snapshot.
  ///
  /// - Throws: `noEarlier` if there is no previous snapshot; `damaged` if it cannot be read.
  func rollback() throws {
    let lock = try folder.lock()
    defer { lock.release() }
    guard let pointer = try folder.pointer(), let previous = pointer.previous else {
      throw SnapshotStoreError.noEarlier(
        "there is no database before the one in use", advice: "each update keeps the previous one")
    }
    if previous != SnapshotFolder.Pointer.bundled {
      let handle = try handle(of: previous)
      defer { handle.close() }
      try handle.check()
    }
    try folder.point(to: SnapshotFolder.Pointer(current: previous, previous: pointer.current))
  }

  /// Activates the bundled database and makes the active snapshot the previous one; requires the lock.
  func useBundled(holding _: SnapshotFolder.Lock) throws {
    let bundled = SnapshotFolder.Pointer.bundled
    do {
      guard let before = try folder.pointer(), before.current != bundled else { return }
      try folder.point(to: SnapshotFolder.Pointer(current: bundled, previous: before.current))
    } catch SnapshotStoreError.damaged {
      try folder.point(to: SnapshotFolder.Pointer(current: bundled))
    }
  }

  /// Opens the active snapshot; it stays readable while others become active.
  ///
  /// - Throws: `empty` if the bundled database is active.
  func open() throws -> SnapshotHandle {
    let pointer = try folder.pointer()
    guard let pointer, pointer.current != SnapshotFolder.Pointer.bundled else {
      throw SnapshotStoreError.empty(
        "no database was downloaded yet", advice: "download one with 'workbench pathcase update'")
    }
    do {
      return try handle(of: pointer.current)
    } catch {
      // Two updates since the pointer was read have removed the file.
      guard let later = try folder.pointer(), later.current != pointer.current,
        later.current != SnapshotFolder.Pointer.bundled
      else { throw error }
      return try handle(of: later.current)
    }
  }

  /// Returns a snapshot by its file name.
  func handle(of file: String) throws -> SnapshotHandle {
    let path = folder.path(of: file)
    // A store would create a missing file.
    if access(path, R_OK) != 0 { throw SnapshotStoreError.damaged(path: path, reason: "it cannot be read") }
    return try SnapshotHandle(path: path)
  }
}

/// The errors of the snapshot store.
enum SnapshotStoreError {
  /// The catalog of the store's errors, including those of SQLite files.
  static let errorCodes = all.map(\.catalogueEntry) + StoreError.errorCodes

  private static let all: [DeclaredError] = [busy, empty, noEarlier, unusable, noRoom, damaged]

  static let busy = DeclaredError(
    "pathcase.update-running", .refused, "another process is changing the database: wait until it has finished")

  static func busy(folder: String) -> ErrorReport {
    busy(
      "another process is changing the database in '\(folder)'", advice: "wait until it has finished",
      details: ["folder": .text(folder)], isRetryable: true)
  }

  static let empty = DeclaredError(
    "pathcase.no-database", .notFound, "no database was downloaded yet: 'update' downloads one")

  static let noEarlier = DeclaredError(
    "pathcase.no-earlier-database", .notFound, "there is no database before the one in use")

  static let unusable = DeclaredError(
    "pathcase.store-unusable", .failure, "a file of the database cannot be read or written")

  static func unusable(path: String, reason: SystemReason) -> ErrorReport {
    var report = unusable(
      "'\(path)' cannot be used: \(reason)", advice: "the database in use is unchanged",
      details: ["file": .text(path)])
    if reason.kind == .refused { report.kind = .refused }
    return report
  }

  private static let noRoom = DeclaredError(
    "pathcase.disk-full", .failure, "there is no space for another version of the database: free some space")

  static let damaged = DeclaredError(
    "pathcase.store-damaged", .failure, "a database file is damaged: roll back, or download it again")

  static func damaged(path: String, reason: String) -> ErrorReport {
    damaged(
      "the database '\(path)' is damaged: \(reason)",
      advice: "return to the previous one with 'workbench pathcase rollback', or download it again with 'update'",
      details: ["file": .text(path)])
  }

  /// Returns the error for SQLite's error while a snapshot is written to a file.
  static func writing(_ path: String, _ error: StoreError) -> ErrorReport {
    guard case .diskFull = error else { return unusable(path: path, reason: SystemReason(error.report.message)) }
    return noRoom(
      "there is no space for '\(path)'", advice: "free some space; the database in use is unchanged",
      details: ["file": .text(path)])
  }
}
