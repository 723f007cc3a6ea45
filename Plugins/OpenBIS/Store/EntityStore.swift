import Glibc
import PluginAPI
import PluginStore
import Synchronization

/// The cache of one account in one file: all entities that a server reported, with their lists, words and images.
///
/// One connection writes and another reads, each on a thread of its own, so that reading never waits for a long write.
/// A damaged file is moved aside and replaced by a new one: everything in it can be fetched from the server again.
final class EntityStore: Sendable {
  /// The options of a cache.
  struct Options: Sendable, Hashable {
    /// The largest number of bytes of all images together.
    var imageBudget = Self.usualImageBudget
    /// The part of the file that each connection holds in memory, in kibibytes.
    var cacheInKibibytes = 8192
    /// The time to wait for a lock of another process, in seconds.
    var lockTimeoutInSeconds = 5.0

    static let usualImageBudget = 256 << 20
  }

  /// The two connections, which are replaced together with the file.
  private struct Connections {
    var writer: SQLiteStore
    var reader: SQLiteStore
  }

  /// The path of the file, absolute.
  let path: String
  let options: Options
  private let onChange: @Sendable () -> Void
  private let connections: Mutex<Connections>
  private let found = Mutex<[Diagnostic]>([])
  /// The images that were read since the last write, in the order of their use.
  let usedImages = Mutex<[String]>([])

  /// Creates the cache without opening anything.
  ///
  /// - Parameters:
  ///   - path: The absolute path of the file, which is created on demand with its folder.
  ///   - onChange: Called after every committed change of entities, lists and images, on a thread of the store.
  init(path: String, options: Options = Options(), onChange: @escaping @Sendable () -> Void = {}) {
    self.path = path
    self.options = options
    self.onChange = onChange
    connections = Mutex(Self.connections(path, options, onChange))
  }

  private static func connections(
    _ path: String, _ options: Options, _ onChange: @escaping @Sendable () -> Void
  ) -> Connections {
    let settings = SQLiteStore.Options(
      durability: .normal, lockTimeoutInSeconds: options.lockTimeoutInSeconds,
      cacheInKibibytes: options.cacheInKibibytes, keptLogInBytes: 16 << 20)
    func store(_ onChange: @escaping @Sendable (Set<String>) -> Void) -> SQLiteStore {
      SQLiteStore(
        name: "entities", path: path, migrations: EntityMigrations.all, options: settings, onChange: onChange)
    }
    let shown: Set<String> = ["entity", "edge", "image"]
    return Connections(
      writer: store { if !$0.isDisjoint(with: shown) { onChange() } }, reader: store { _ in })
  }

  /// The problems found since the cache was opened, such as a damaged file that was moved aside.
  var warnings: [Diagnostic] { found.withLock { $0 } }

  /// Closes the cache after all pending operations.
  func close() async {
    let (writer, reader) = connections.withLock { ($0.writer, $0.reader) }
    await reader.close()
    await writer.close()
  }
}

// Access to the connections, with detection of damage.
extension EntityStore {
  /// Calls `body` with the writing connection.
  ///
  /// - Parameter isLong: True if many rows may be written: the log is then checkpointed afterwards, and not while the
  ///   caller waits.
  func write<Result: Sendable>(
    isLong: Bool = false, _ body: @escaping @Sendable (Connection) throws -> Result
  ) async throws -> Result {
    let store = connections.withLock { $0.writer }
    defer { if isLong { tidyLater() } }
    do {
      return try await store.write { connection in
        // A commit checkpoints a log of 1000 pages itself by default.
        try connection.execute(isLong ? "PRAGMA wal_autocheckpoint = 0" : "PRAGMA wal_autocheckpoint = 1000")
        return try body(connection)
      }
    } catch let error as StoreError where error.isDamage {
      throw await setAsideLater(store, error)
    }
  }

  /// Calls `body` with the reading connection.
  func read<Result: Sendable>(_ body: @escaping @Sendable (Connection) throws -> Result) async throws -> Result {
    let store = connections.withLock { $0.reader }
    do {
      return try await store.read(body)
    } catch let error as StoreError where error.isDamage {
      throw await setAsideLater(store, error)
    }
  }

  /// Calls `body` with a reader of the cache, for code with a thread of its own.
  func readAndWait<Result: Sendable>(_ body: @escaping @Sendable (EntityReader) throws -> Result) throws -> Result {
    let store = connections.withLock { $0.reader }
    do {
      return try store.readAndWait { try body(EntityReader($0)) }
    } catch let error as StoreError where error.isDamage {
      throw setAside(store, error)
    }
  }

  /// Checkpoints the log when the writing thread is free.
  ///
  /// Committed data is safe in any case: a failed checkpoint is repeated later.
  private func tidyLater() {
    connections.withLock { $0.writer }.checkpointLater()
  }

  /// Returns the problems that SQLite finds in the file.
  func check() async throws -> [Diagnostic] {
    warnings + (try await connections.withLock { $0.writer }.check())
  }

  /// Performs ``setAside(_:_:)`` on a thread of its own, because it waits for connections.
  private func setAsideLater(_ store: SQLiteStore, _ error: StoreError) async -> any Error {
    await withCheckedContinuation { continuation in
      OwnThread.run { continuation.resume(returning: self.setAside(store, error)) }
    }
  }

  /// Moves a damaged file aside and begins a new one.
  ///
  /// - Returns: The error to throw to the caller who met the damage.
  private func setAside(_ store: SQLiteStore, _ error: StoreError) -> any Error {
    connections.withLock { connections in
      // Another caller found the damage first.
      guard store === connections.writer || store === connections.reader else {
        return EntityStoreError.cacheRebuilt(path: path, damaged: "")
      }
      // Connections closed later would remove the log of the new file.
      connections.reader.closeAndWait()
      connections.writer.closeAndWait()
      defer { connections = Self.connections(path, options, onChange) }
      guard let damaged = DamagedFile.moveAside(path) else { return error }
      let report = EntityStoreError.cacheRebuilt(path: path, damaged: damaged)
      found.withLock { $0.append(Diagnostic(.warning, code: report.code, report.message, advice: report.advice)) }
      return report
    }
  }
}

extension StoreError {
  /// A Boolean value indicating whether the file's content was damaged.
  fileprivate var isDamage: Bool {
    switch self {
    case .corrupt, .notADatabase: true
    case .migrationFailed(_, _, let failure): failure.code & 0xFF == 11 || failure.code & 0xFF == 26
    default: false
    }
  }
}

/// Errors of the caches and the registry, beyond those of the database itself.
enum EntityStoreError {
  private static let rebuilt = DeclaredError(
    "openbis.cache-rebuilt", .unusableInput, "a damaged cache was replaced by an empty one")
  /// Returns the error for a damaged cache that was replaced by a new one.
  static func cacheRebuilt(path: String, damaged: String) -> ErrorReport {
    rebuilt(
      "the cache '\(path)' was damaged and was replaced by an empty one"
        + (damaged.isEmpty ? "" : "; the damaged file is now '\(damaged)'"),
      advice: "run 'workbench openbis sync'")
  }

  private static let noAccount = DeclaredError(
    "openbis.unknown-account", .notFound, "the account does not exist")
  static func unknownAccount(_ id: String) -> ErrorReport {
    noAccount("account '\(id)' does not exist", advice: "list the accounts with 'workbench openbis servers'")
  }

  private static let existingAccount = DeclaredError(
    "openbis.account-exists", .refused, "an account with this name already exists")
  static func accountExists(_ id: String) -> ErrorReport {
    existingAccount("account '\(id)' already exists", advice: "use another name, or remove that account first")
  }

  private static let unusableName = DeclaredError(
    "openbis.unusable-account-name", .unusableInput, "the name of an account has characters that are not allowed")
  /// Returns the error for a name that cannot be a file name.
  static func unusableAccountName(_ id: String) -> ErrorReport {
    unusableName(
      "'\(id)' cannot be the name of an account",
      advice: "use letters, digits, '-', '_' and '.', without '.' at the start")
  }

  /// All errors, in the order of the catalog.
  static let all = [rebuilt, noAccount, existingAccount, unusableName]
}

/// A damaged file, kept under another name for inspection.
enum DamagedFile {
  /// Renames a file and its logs to the first free name of the form `<path>.damaged-<n>`.
  ///
  /// - Returns: The new name; nil if that failed.
  static func moveAside(_ path: String) -> String? {
    var number = 1
    while access(path + ".damaged-\(number)", F_OK) == 0 { number += 1 }
    let damaged = path + ".damaged-\(number)"
    guard rename(path, damaged) == 0 else { return nil }
    for end in ["-wal", "-shm"] { rename(path + end, damaged + end) }
    return damaged
  }

  /// Returns true if the file exists.
  static func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }

  /// Removes a file and its logs.
  static func removeAll(_ path: String) {
    for end in ["", "-wal", "-shm", "-journal"] { unlink(path + end) }
    var number = 1
    while access(path + ".damaged-\(number)", F_OK) == 0 {
      for end in ["", "-wal", "-shm"] { unlink(path + ".damaged-\(number)" + end) }
      number += 1
    }
  }
}
