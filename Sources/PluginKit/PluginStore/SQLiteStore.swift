internal import Glibc
public import PluginAPI

/// A store in one SQLite file, used through closures that run on a thread of the store's own.
///
/// Making the object costs nothing: the file is made, opened and migrated at the first use. Accesses run one after the
/// other, each in a transaction; several processes may use the same file. What cannot be written can be read.
///
/// ```swift
/// let store = SQLiteStore(name: "stations", path: context.folders.data + "/stations.sqlite", migrations: [
///   Migration(1, "stations", sql: "CREATE TABLE station (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE)")
/// ]) { [weak context] _ in context?.notify("stations-changed", .null) }
/// try await store.write { try $0.execute("INSERT INTO station (name) VALUES (?)", ["Brest"]) }
/// let names = try await store.read { try $0.list("SELECT name FROM station ORDER BY name") { $0.text(0) } }
/// ```
///
/// An access must not use its own store again, neither from its closure nor from the announcement of changes: it would
/// wait for itself. Functions that wait trap then, with a message; those that are awaited cannot be called there.
public final class SQLiteStore: Store {
  /// How a store treats its file.
  public struct Options: Sendable, Hashable {
    /// When a write counts as done.
    public enum Durability: Sendable, Hashable {
      /// When it is on the device: nothing is lost if the power fails.
      case full
      /// When the system has it: faster; the last writes may be lost if the power fails, the rest stays whole.
      case normal
    }

    /// When a write counts as done.
    public var durability: Durability
    /// How long a lock of another process is waited for, in seconds.
    public var lockTimeoutInSeconds: Double

    /// How much of the file is held in memory at most, in KiB; nil for what SQLite thinks right (2 MB).
    ///
    /// What a long write changes beyond it is written to the log while the write goes on.
    public var cacheInKibibytes: Int?
    /// How many bytes of the write-ahead log stay on the disk when its content is in the file; nil for all.
    public var keptLogInBytes: Int?
    /// Whether nobody changes the file any more: it is read without locks and without files beside it.
    public var isFrozen: Bool = false
    /// Whether what is deleted is overwritten with zeros, also where SQLite was not built to do so.
    public var overwritesDeleted = false

    /// Creates options.
    public init(
      durability: Durability = .full, lockTimeoutInSeconds: Double = 5, cacheInKibibytes: Int? = nil,
      keptLogInBytes: Int? = nil
    ) {
      self.durability = durability
      self.lockTimeoutInSeconds = lockTimeoutInSeconds
      self.cacheInKibibytes = cacheInKibibytes
      self.keptLogInBytes = keptLogInBytes
    }
  }

  /// The store's name, as in its contribution.
  public let name: String
  /// The file, as an absolute path.
  public let path: String
  let options: Options
  let migrator: Migrator
  let thread = StoreThread()
  private let onChange: @Sendable (Set<String>) -> Void
  /// The open file; only its own thread touches it.
  private let slot = ConnectionSlot()

  /// Creates a store; nothing is opened yet.
  ///
  /// - Parameters:
  ///   - name: The name, as in the plugin's contributions.
  ///   - path: The file, as an absolute path; it and its folder are made on demand, for the user alone.
  ///   - migrations: All migrations, numbered 1, 2, 3 … without a gap.
  ///   - options: How the file is treated.
  ///   - onChange: Called on the store's thread after every committed write with the tables that changed. It must not
  ///     use the store; `context.notify` is what it is for.
  public init(
    name: String, path: String, migrations: [Migration], options: Options = Options(),
    onChange: @escaping @Sendable (_ tables: Set<String>) -> Void = { _ in }
  ) {
    self.name = name
    self.path = path
    self.options = options
    self.onChange = onChange
    migrator = Migrator(migrations)
  }

  deinit {
    thread.end { [slot] in slot.close() }
  }

  /// The newest version of the schema that the migrations make.
  public var schemaVersion: Int { migrator.target }

  /// Runs a closure that reads; it sees one state of the store, whatever others write meanwhile.
  ///
  /// - Throws: ``StoreError``, what the closure throws, `CancellationError` if the calling task was cancelled.
  public func read<Result: Sendable>(
    _ body: @escaping @Sendable (Connection) throws -> Result
  ) async throws -> Result {
    try await onThread { try self.perform($0, isWriting: false, body) }
  }

  /// Runs a closure that writes: all of it is kept when it returns, nothing if it throws.
  ///
  /// - Throws: ``StoreError``, what the closure throws, `CancellationError` if the calling task was cancelled.
  public func write<Result: Sendable>(
    _ body: @escaping @Sendable (Connection) throws -> Result
  ) async throws -> Result {
    try await onThread { try self.perform($0, isWriting: true, body) }
  }

  /// Reads and waits; only for code that has a thread of its own, such as work of a `compute` effect.
  public func readAndWait<Result: Sendable>(
    _ body: @escaping @Sendable (Connection) throws -> Result
  ) throws -> Result {
    try waiting { try self.perform($0, isWriting: false, body) }
  }

  /// Writes and waits; only for code that has a thread of its own, such as work of a `compute` effect.
  public func writeAndWait<Result: Sendable>(
    _ body: @escaping @Sendable (Connection) throws -> Result
  ) throws -> Result {
    try waiting { try self.perform($0, isWriting: true, body) }
  }

  /// Brings what the write-ahead log holds into the file, so that the log is written from its beginning again.
  ///
  /// Done now and then by itself; after a long write it is worth asking for. What another process or connection still
  /// reads stays in the log; nobody is waited for.
  public func checkpoint() async throws {
    try await onThread { ticket in
      try self.opened(ticket).withoutTransaction(ticket) {
        try $0.checkpoint(keptLogInBytes: self.options.keptLogInBytes)
      }
    }
  }

  /// Writes the file anew without the room that deleted rows left, then brings all of it out of the log.
  ///
  /// - Complexity: writes the whole file twice; needs as much room on the disk meanwhile.
  public func compact() async throws {
    try await onThread { ticket in
      try self.opened(ticket).withoutTransaction(ticket) {
        try $0.execute("VACUUM")
        try $0.checkpoint(keptLogInBytes: self.options.keptLogInBytes)
      }
    }
  }

  /// As ``checkpoint()``, some time after the accesses that were asked for before; nobody hears of a failure.
  public func checkpointLater() {
    let job: @Sendable () -> Void = { [weak self] in
      guard let self else { return }
      let ticket = AccessTicket()
      try? opened(ticket).withoutTransaction(ticket) {
        try $0.checkpoint(keptLogInBytes: self.options.keptLogInBytes)
      }
    }
    thread.run(job)
  }

  /// As ``checkpoint()``, for code with a thread of its own.
  public func checkpointAndWait() throws {
    try waiting { ticket in
      try self.opened(ticket).withoutTransaction(ticket) {
        try $0.checkpoint(keptLogInBytes: self.options.keptLogInBytes)
      }
    }
  }

  /// Ends all use as ``close()`` does and waits for it; only for code with a thread of its own.
  public func closeAndWait() {
    let slot = self.slot
    let answer = Answer<Bool>()
    let isFirst = thread.end {
      slot.close()
      answer.set(.success(true))
    }
    if isFirst { _ = try? answer.wait() }
  }

  /// Ends all use after the accesses that were asked for before.
  ///
  /// Calls after it throw ``StoreError/closed(path:)``.
  public func close() async {
    await withCheckedContinuation { continuation in
      let slot = self.slot
      let isFirst = thread.end {
        slot.close()
        continuation.resume()
      }
      if !isFirst { continuation.resume() }
    }
  }
}

// On the store's thread.
extension SQLiteStore {
  private func perform<Result>(
    _ ticket: AccessTicket, isWriting: Bool, _ body: (Connection) throws -> Result
  ) throws -> Result {
    let connection = try opened(ticket, isWriting: isWriting)
    let (result, tables) = try connection.access(ticket, isWriting: isWriting, body)
    announce(tables)
    return result
  }

  func announce(_ tables: Set<String>) {
    if !tables.isEmpty { onChange(tables) }
  }

  /// The open connection; opens and migrates the file at first.
  ///
  /// - Parameter isWriting: Whether a connection that only reads will not do.
  func opened(_ ticket: AccessTicket, isWriting: Bool = false) throws -> Connection {
    if ticket.isCancelled { throw CancellationError() }
    if let connection = slot.connection, !(isWriting && connection.isReadOnly) { return connection }
    slot.close()
    let file = StoreFile(path: path)
    if !isWriting, let connection = try reading(file, ticket) {
      slot.connection = connection
      return connection
    }
    // Who makes it and then freezes it is somebody else.
    if options.isFrozen, !file.exists { throw StoreError(systemError: ENOENT, path: path) }
    try file.make()
    let connection = try file.connect(for: .writing, lockTimeoutInSeconds: options.lockTimeoutInSeconds)
    do {
      try connection.withoutTransaction(ticket) { try setUp($0) }
    } catch {
      connection.close()
      throw error
    }
    slot.connection = connection
    return connection
  }

  /// A connection that only reads; nil if the file can be written, or must be because it is of an older version.
  private func reading(_ file: StoreFile, _ ticket: AccessTicket) throws -> Connection? {
    guard let use = file.unwrittenUse(isFrozen: options.isFrozen) else { return nil }
    let connection = try file.connect(for: use, lockTimeoutInSeconds: options.lockTimeoutInSeconds)
    do {
      let found = try connection.withoutTransaction(ticket) { connection in
        try connection.execute("PRAGMA cell_size_check = ON")
        return try Migrator.version(of: connection)
      }
      if found > schemaVersion { throw StoreError.newerSchema(path: path, found: found, supported: schemaVersion) }
      if found == schemaVersion { return connection }
    } catch {
      connection.close()
      throw error
    }
    connection.close()
    return nil
  }

  /// Lets go of the connection; the next access opens the file anew.
  func disconnect() {
    slot.close()
  }

  private func setUp(_ connection: Connection) throws {
    // The version first: a file of a newer plugin is not touched at all.
    let found = try Migrator.version(of: connection)
    if found > schemaVersion { throw StoreError.newerSchema(path: path, found: found, supported: schemaVersion) }
    try useWriteAheadLog(connection)
    try connection.execute("PRAGMA synchronous = \(options.durability == .full ? "FULL" : "NORMAL")")
    try connection.execute("PRAGMA foreign_keys = ON")
    try connection.execute("PRAGMA cell_size_check = ON")
    if options.overwritesDeleted { try connection.execute("PRAGMA secure_delete = ON") }
    if let size = options.cacheInKibibytes { try connection.execute("PRAGMA cache_size = -\(max(0, size))") }
    if let size = options.keptLogInBytes { try connection.execute("PRAGMA journal_size_limit = \(max(0, size))") }
    try migrator.migrate(connection)
  }

  /// Switches the file to a write-ahead log, which several processes may do at once at its first use.
  ///
  /// SQLite asks no busy handler when the journal mode changes, so the wait for the others is here.
  /// - Source: SQLite, "Write-Ahead Logging", section 8, https://sqlite.org/wal.html.
  private func useWriteAheadLog(_ connection: Connection) throws {
    let deadline = LockWaiter.now() + options.lockTimeoutInSeconds
    while true {
      do {
        try connection.execute("PRAGMA journal_mode = WAL")
        return
      } catch StoreError.locked where LockWaiter.now() < deadline {
        usleep(5_000)
      }
    }
  }

  /// Runs a piece of work on the store's thread and waits for it without blocking any thread.
  func onThread<Result: Sendable>(
    _ work: @escaping @Sendable (AccessTicket) throws -> Result
  ) async throws -> Result {
    let ticket = AccessTicket()
    let queued = QueuedAccess<Result>()
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        queued.wait(continuation)
        let isAccepted = thread.run {
          // Whoever was cancelled in the queue has gone on already.
          guard let waiting = queued.begin() else { return }
          waiting.resume(with: Swift.Result { try work(ticket) })
        }
        if !isAccepted { queued.begin()?.resume(throwing: StoreError.closed(path: path)) }
      }
    } onCancel: {
      ticket.cancel()
      queued.cancel()
    }
  }

  private func waiting<Result: Sendable>(_ work: @escaping @Sendable (AccessTicket) throws -> Result) throws -> Result {
    // Not a precondition, whose message an optimised build leaves out: without it this would be a silent standstill.
    if thread.isCurrent {
      fatalError("store '\(name)' is used from within its own access; do all of it in one closure")
    }
    let answer = Answer<Result>()
    let ticket = AccessTicket()
    let isAccepted = thread.run { answer.set(Swift.Result { try work(ticket) }) }
    if !isAccepted { throw StoreError.closed(path: path) }
    return try answer.wait()
  }
}
