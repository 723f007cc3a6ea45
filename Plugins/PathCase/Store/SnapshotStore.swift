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

    /// Whether what was in use before is still in use.
    var isBeforeCounting: Bool { self != .pointed && self != .done }
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

  /// Takes the right to change what is in use, until it is released.
  ///
  /// - Throws: `busy` if another process, or another part of this one, has it.
  func lock() throws(SnapshotStoreError) -> SnapshotFolder.Lock { try folder.lock() }

  /// Removes what processes that were ended left behind, unless one is at work.
  func removeLeftovers() {
    do throws(SnapshotStoreError) {
      // The lock is not taken without need: who wants to change something would be refused meanwhile.
      if folder.leftovers(try folder.pointer()).isEmpty { return }
      let lock = try folder.lock()
      defer { lock.release() }
      folder.clear(try folder.pointer())
    } catch {
      // They harm nobody, and go another time.
    }
  }

  /// Whether the database that came with the program is in use.
  ///
  /// - Throws: `damaged` if nobody can tell.
  func isEmpty() throws(SnapshotStoreError) -> Bool {
    guard let pointer = try folder.pointer() else { return true }
    return pointer.current == SnapshotFolder.Pointer.bundled
  }

  /// Writes a linked database as a snapshot and makes it count.
  ///
  /// - Throws: ``SnapshotStoreError``, `StoreError`; the snapshot that was in use is in use then.
  func install(_ database: MetabolicDatabase, origin: SnapshotOrigin, documents: [FetchedDocument] = []) throws {
    let lock = try folder.lock()
    defer { lock.release() }
    try install(database, origin: origin, documents: documents, holding: lock)
  }

  /// Writes a linked database as a snapshot and makes it count, for who has the lock.
  ///
  /// - Parameter isCancelled: Asked often until the snapshot counts.
  /// - Throws: As above; `CancellationError` if it was cancelled before the snapshot counted.
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
      throw (error as? StoreError).map { SnapshotStoreError(writing: draft, $0) } ?? error
    }
    try folder.synchronize(folder.path)
    try onStep(.renamed)
    let previous = before?.current ?? SnapshotFolder.Pointer.bundled
    try folder.point(to: SnapshotFolder.Pointer(current: name, previous: previous))
    try onStep(.pointed)
    folder.clear(try folder.pointer())
    try onStep(.done)
  }

  /// The snapshots that count; what does not is removed.
  ///
  /// - Returns: nil if there is none, or none can be told: the files it may have named stay for this time.
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
    defer { store.closeAndWait() }
    try store.readAndWait { _ in try onStep(.opened) }
    try store.writeAndWait { connection in
      try SnapshotRows(connection: connection, isCancelled: isCancelled).write(content)
      try onStep(.written)
    }
    try store.readAndWait { try SnapshotHandle.check($0, path: draft) }
    try onStep(.checked)
    try store.checkpointAndWait()
    store.closeAndWait()
    if access(draft + "-wal", F_OK) == 0 {
      throw SnapshotStoreError.unusable(path: draft, reason: "its log could not be closed")
    }
    try onStep(.closed)
  }

  /// Makes what was in use before count, and what is in use what was before.
  ///
  /// - Throws: `noEarlier` if nothing was in use before; `damaged` if that cannot be read.
  func rollback() throws {
    let lock = try folder.lock()
    defer { lock.release() }
    guard let pointer = try folder.pointer(), let previous = pointer.previous else {
      throw SnapshotStoreError.noEarlier
    }
    if previous != SnapshotFolder.Pointer.bundled {
      let handle = try handle(of: previous)
      defer { handle.closeAndWait() }
      try handle.checkAndWait()
    }
    try folder.point(to: SnapshotFolder.Pointer(current: previous, previous: pointer.current))
  }

  /// Makes the database that came with the program count, and what was in use what was before, for who has the lock.
  func useBundled(holding _: SnapshotFolder.Lock) throws {
    let bundled = SnapshotFolder.Pointer.bundled
    do {
      guard let before = try folder.pointer(), before.current != bundled else { return }
      try folder.point(to: SnapshotFolder.Pointer(current: bundled, previous: before.current))
    } catch SnapshotStoreError.damaged {
      try folder.point(to: SnapshotFolder.Pointer(current: bundled))
    }
  }

  /// The snapshot that is in use now; it can be read on while others come into use.
  ///
  /// - Throws: `empty` if it is the database that came with the program.
  func open() throws -> SnapshotHandle {
    let pointer = try folder.pointer()
    guard let pointer, pointer.current != SnapshotFolder.Pointer.bundled else { throw SnapshotStoreError.empty }
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

  /// A snapshot by the name of its file.
  func handle(of file: String) throws -> SnapshotHandle {
    let path = folder.path(of: file)
    // A store would make a missing file.
    if access(path, R_OK) != 0 { throw SnapshotStoreError.damaged(path: path, reason: "it cannot be read") }
    return try SnapshotHandle(path: path)
  }
}
