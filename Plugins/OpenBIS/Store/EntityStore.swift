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

  /// The path of the file, absolute.
  let path: String
  let options: Options
  private let writer: SQLiteStore
  private let reader: SQLiteStore
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
    let settings = SQLiteStore.Options(
      durability: .normal, lockTimeoutInSeconds: options.lockTimeoutInSeconds,
      cacheInKibibytes: options.cacheInKibibytes, keptLogInBytes: 16 << 20)
    func store(_ onChange: @escaping @Sendable (Set<String>) -> Void) -> SQLiteStore {
      SQLiteStore(
        name: "entities", path: path, migrations: EntityMigrations.all, options: settings, onChange: onChange)
    }
    let shown: Set<String> = ["entity", "edge", "image"]
    writer = store { if !$0.isDisjoint(with: shown) { onChange() } }
    reader = store { _ in }
  }

  /// The problems found since the cache was opened, such as a damaged file that was moved aside.
  var warnings: [Diagnostic] { found.withLock { $0 } }

  /// Closes the cache after all pending operations.
  func close() async {
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
    // Committed data is safe in any case: a failed checkpoint is repeated later.
    defer { if isLong { writer.checkpointLater() } }
    return try await replacingDamage {
      try await writer.write { connection in
        // A commit checkpoints a log of 1000 pages itself by default.
        try connection.execute(isLong ? "PRAGMA wal_autocheckpoint = 0" : "PRAGMA wal_autocheckpoint = 1000")
        return try body(connection)
      }
    }
  }

  /// Calls `body` with the reading connection.
  func read<Result: Sendable>(_ body: @escaping @Sendable (Connection) throws -> Result) async throws -> Result {
    try await replacingDamage { try await reader.read(body) }
  }

  /// Calls `body` with a reader of the cache and blocks until it ends, for traversals with a thread of their own.
  func blockingRead<Result: Sendable>(_ body: @escaping @Sendable (EntityReader) throws -> Result) throws -> Result {
    let count = rebuilds
    do {
      return try reader.blockingSession { try $0.read { try body(EntityReader($0)) } }
    } catch let error as StoreError where error.isDamage {
      throw setAside(error, since: count)
    }
  }

  /// Returns the problems that SQLite finds in the file.
  func check() async throws -> [Diagnostic] { warnings + (try await writer.check()) }

  /// The number of damaged files that were moved aside.
  private var rebuilds: Int { found.withLock { $0.count } }

  /// Makes an access; a damaged file that it meets is moved aside.
  private func replacingDamage<Result: Sendable>(_ access: () async throws -> Result) async throws -> Result {
    let count = rebuilds
    do {
      return try await access()
    } catch let error as StoreError where error.isDamage {
      throw await withCheckedContinuation { continuation in
        OwnThread.run { continuation.resume(returning: self.setAside(error, since: count)) }
      }
    }
  }

  /// Moves a damaged file aside, so that the next access begins a new one; blocks until no connection is in use.
  ///
  /// - Parameter count: The number of damaged files before the access that met the damage.
  /// - Returns: The error to throw to the caller of that access.
  private func setAside(_ error: StoreError, since count: Int) -> any Error {
    let report = try? writer.blockingSession { writing -> ErrorReport? in
      // Another caller found the damage first.
      if self.rebuilds != count { return EntityStoreError.cacheRebuilt(path: self.path, damaged: "") }
      writing.disconnect()
      return try self.reader.blockingSession { reading in
        // A connection closed after the move would remove the log of the new file.
        reading.disconnect()
        guard let damaged = DamagedFile.moveAside(self.path) else { return nil }
        let report = EntityStoreError.cacheRebuilt(path: self.path, damaged: damaged)
        let warning = Diagnostic(.warning, code: report.code, report.message, advice: report.advice)
        self.found.withLock { $0.append(warning) }
        return report
      }
    }
    return report ?? error
  }
}

extension StoreError {
  /// A Boolean value indicating whether the file's content was damaged.
  fileprivate var isDamage: Bool {
    switch self {
    case .corrupt, .notADatabase: true
    case .migrationFailed(_, _, let failure): failure.code & 0xFF == 11 || failure.code & 0xFF == 26
    case .diskFull, .readOnly, .locked, .newerSchema, .cannotOpen, .constraint, .writesWhileReading, .noBackup,
      .foreignBackup, .fileExists, .closed, .failed:
      false
    @unknown default: false
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
