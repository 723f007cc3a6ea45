import Glibc
import PluginAPI
import PluginStore
import Synchronization

/// The cache of one account: all entities a server told, with their lists, words and images, in one file.
///
/// One connection writes and another reads, each on a thread of its own, so that reading never waits for a long write.
/// A file that turns out to be damaged is moved aside and begun anew: it holds nothing that the server does not have.
final class EntityStore: Sendable {
  /// How a cache is kept.
  struct Options: Sendable, Hashable {
    /// How many bytes all images together may have.
    var imageBudget = Self.usualImageBudget
    /// How much of the file each connection holds in memory.
    var cacheInKibibytes = 8192
    /// How long a lock of another process is waited for.
    var lockTimeoutInSeconds = 5.0

    static let usualImageBudget = 256 << 20
  }

  /// The two connections, replaced together when the file is.
  private struct Connections {
    var writer: SQLiteStore
    var reader: SQLiteStore
  }

  /// The file, as an absolute path.
  let path: String
  let options: Options
  private let onChange: @Sendable () -> Void
  private let connections: Mutex<Connections>
  private let found = Mutex<[Diagnostic]>([])
  /// Images that were read since the last write, with the order of their use.
  let usedImages = Mutex<[String]>([])

  /// Makes the cache; nothing is opened yet.
  ///
  /// - Parameters:
  ///   - path: The file, as an absolute path; it and its folder are made on demand.
  ///   - onChange: Called after every committed change of entities, lists and images, on a thread of the store's.
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

  /// What was found wrong since the cache is open, such as a damaged file that was moved aside.
  var warnings: [Diagnostic] { found.withLock { $0 } }

  /// Ends all use after what was asked for before.
  func close() async {
    let (writer, reader) = connections.withLock { ($0.writer, $0.reader) }
    await reader.close()
    await writer.close()
  }
}

// Access, by which damage is found.
extension EntityStore {
  /// - Parameter isLong: Whether much may be written: then the log is brought into the file afterwards and not while
  ///   the caller waits.
  func write<Result: Sendable>(
    isLong: Bool = false, _ body: @escaping @Sendable (Connection) throws -> Result
  ) async throws -> Result {
    let store = connections.withLock { $0.writer }
    defer { if isLong { tidyLater() } }
    do {
      return try await store.write { connection in
        try Self.setCheckpoints(isLong, connection)
        return try body(connection)
      }
    } catch let error as StoreError where error.isDamage {
      throw await setAsideLater(store, error)
    }
  }

  func writeAndWait<Result: Sendable>(
    isLong: Bool = false, _ body: @escaping @Sendable (Connection) throws -> Result
  ) throws -> Result {
    let store = connections.withLock { $0.writer }
    defer { if isLong { tidyLater() } }
    do {
      return try store.writeAndWait { connection in
        try Self.setCheckpoints(isLong, connection)
        return try body(connection)
      }
    } catch let error as StoreError where error.isDamage {
      throw setAside(store, error)
    }
  }

  /// Says whether a commit brings a log of 1000 pages into the file itself, as SQLite usually does.
  private static func setCheckpoints(_ isLong: Bool, _ connection: Connection) throws {
    try connection.execute(isLong ? "PRAGMA wal_autocheckpoint = 0" : "PRAGMA wal_autocheckpoint = 1000")
  }

  func read<Result: Sendable>(_ body: @escaping @Sendable (Connection) throws -> Result) async throws -> Result {
    let store = connections.withLock { $0.reader }
    do {
      return try await store.read(body)
    } catch let error as StoreError where error.isDamage {
      throw await setAsideLater(store, error)
    }
  }

  func readAndWait<Result: Sendable>(_ body: @escaping @Sendable (Connection) throws -> Result) throws -> Result {
    let store = connections.withLock { $0.reader }
    do {
      return try store.readAndWait(body)
    } catch let error as StoreError where error.isDamage {
      throw setAside(store, error)
    }
  }

  /// Brings what the log holds into the file when the writing thread comes to it.
  ///
  /// What was written is kept either way: if this cannot be done then, it is done another time.
  func tidyLater() {
    connections.withLock { $0.writer }.checkpointLater()
  }

  /// As ``tidyLater()``, at once; for code with a thread of its own.
  func tidyAndWait() throws {
    try connections.withLock { $0.writer }.checkpointAndWait()
  }

  /// What SQLite finds wrong with the file.
  func check() async throws -> [Diagnostic] {
    warnings + (try await connections.withLock { $0.writer }.check())
  }

  /// As ``setAside(_:_:)``, on a thread of its own: connections are waited for.
  private func setAsideLater(_ store: SQLiteStore, _ error: StoreError) async -> any Error {
    await withCheckedContinuation { continuation in
      OwnThread.run { continuation.resume(returning: self.setAside(store, error)) }
    }
  }

  /// Moves a damaged file aside and begins a new one.
  ///
  /// - Returns: What is to be told whoever met the damage.
  private func setAside(_ store: SQLiteStore, _ error: StoreError) -> any Error {
    connections.withLock { connections in
      // Somebody else met the damage first.
      guard store === connections.writer || store === connections.reader else {
        return EntityStoreError.cacheRebuilt(path: path, damaged: "")
      }
      // Whoever closes a connection late would remove the log of the new file.
      connections.reader.closeAndWait()
      connections.writer.closeAndWait()
      defer { connections = Self.connections(path, options, onChange) }
      guard let damaged = DamagedFile.moveAside(path) else { return error }
      let told = EntityStoreError.cacheRebuilt(path: path, damaged: damaged)
      let report = told.report
      found.withLock { $0.append(Diagnostic(.warning, code: report.code, report.message, advice: report.advice)) }
      return told
    }
  }
}

extension StoreError {
  /// Whether the file's content is not what was written.
  fileprivate var isDamage: Bool {
    switch self {
    case .corrupt, .notADatabase: true
    case .migrationFailed(_, _, let failure): failure.code & 0xFF == 11 || failure.code & 0xFF == 26
    default: false
    }
  }
}
