internal import Glibc
public import PluginAPI

/// A store in one SQLite file, accessed through closures that run on a thread of its own.
///
/// Creating the object is free: the file is created, opened and migrated at first use. Accesses run one after the
/// other, each in a transaction; several processes may use the same file. A file that cannot be written can still be
/// read.
///
/// ```swift
/// let store = SQLiteStore(name: "stations", path: context.folders.data + "/stations.sqlite", migrations: [
///   Migration(1, "stations", sql: "CREATE TABLE station (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE)")
/// ]) { [weak context] _ in context?.notify("stations-changed", .null) }
/// try await store.write { try $0.execute("INSERT INTO station (name) VALUES (?)", ["Brest"]) }
/// let names = try await store.read { try $0.list("SELECT name FROM station ORDER BY name") { $0.text(0) } }
/// ```
///
/// An access must not use its own store again, neither in its closure nor in the announcement of changes: it would wait
/// for itself. ``blockingSession(_:)`` traps in that case, with a message; `async` functions cannot be called there.
public final class SQLiteStore: Store {
  /// The options for a store's file.
  public struct Options: Sendable, Hashable {
    /// The moment at which a write counts as done.
    public enum Durability: Sendable, Hashable {
      /// On the device: no data is lost if the power fails.
      case full
      /// Handed to the operating system: faster, but a power failure may lose the last writes.
      case normal
    }

    /// The moment at which a write counts as done.
    public var durability: Durability
    /// The maximum time to wait for another process's lock, in seconds.
    public var lockTimeoutInSeconds: Double

    /// The maximum size of the page cache, in KiB; nil for SQLite's default (2 MB).
    ///
    /// A long write that changes more than this is written to the log while it is still running.
    public var cacheInKibibytes: Int?
    /// The number of bytes kept of the write-ahead log after its content is in the file; nil for all.
    public var keptLogInBytes: Int?
    /// A Boolean value indicating whether the file no longer changes: it is read without locks and without extra files.
    public var isFrozen: Bool = false
    /// A Boolean value indicating whether deleted content is overwritten with zeros, even if SQLite was not built to do
    /// so.
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
  /// The open connection; only the store's own thread touches it.
  private let slot = ConnectionSlot()

  /// Creates a store without opening its file.
  ///
  /// - Parameters:
  ///   - name: The name, as in the plugin's contributions.
  ///   - path: The file, as an absolute path; it and its folder are created on demand, accessible only to the user.
  ///   - migrations: All migrations, numbered 1, 2, 3 … without a gap.
  ///   - options: The options for the file.
  ///   - onChange: Called on the store's thread after every committed write, with the tables that changed. It must not
  ///     use the store; call `context.notify` in it.
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

  /// The newest schema version that the migrations create.
  public var schemaVersion: Int { migrator.target }

  /// Runs a closure that reads one state of the store, regardless of concurrent writes.
  ///
  /// - Throws: ``StoreError``; any error that the closure throws; `CancellationError` if the calling task was canceled.
  public func read<Result: Sendable>(
    _ body: @escaping @Sendable (Connection) throws -> Result
  ) async throws -> Result {
    try await onThread { try self.perform($0, isWriting: false, body) }
  }

  /// Runs a closure that writes; its changes are kept if it returns, and rolled back if it throws.
  ///
  /// - Throws: ``StoreError``; any error that the closure throws; `CancellationError` if the calling task was canceled.
  public func write<Result: Sendable>(
    _ body: @escaping @Sendable (Connection) throws -> Result
  ) async throws -> Result {
    try await onThread { try self.perform($0, isWriting: true, body) }
  }

  /// Accesses made one after the other on the store's thread, with no other access between them.
  public struct Session {
    fileprivate let store: SQLiteStore
    fileprivate let ticket: AccessTicket

    /// Calls a closure that reads, as ``SQLiteStore/read(_:)`` does.
    public func read<Result>(_ body: (Connection) throws -> Result) throws -> Result {
      try store.perform(ticket, isWriting: false, body)
    }

    /// Calls a closure that writes, as ``SQLiteStore/write(_:)`` does.
    public func write<Result>(_ body: (Connection) throws -> Result) throws -> Result {
      try store.perform(ticket, isWriting: true, body)
    }

    /// Copies the write-ahead log into the file, as ``SQLiteStore/checkpoint()`` does.
    public func checkpoint() throws { try store.checkpoint(ticket) }

    /// Closes the file, which may then be moved; the next access opens it again.
    public func disconnect() { store.disconnect() }
  }

  /// Runs a session and blocks the caller until it ends; for code that cannot suspend, such as the work of a `compute`
  /// effect.
  ///
  /// - Throws: ``StoreError``; any error that the closure throws.
  public func blockingSession<Result: Sendable>(
    _ body: @escaping @Sendable (Session) throws -> Result
  ) throws -> Result {
    // Not a precondition, whose message an optimized build omits: without it this would be a silent deadlock.
    if thread.isCurrent {
      fatalError("store '\(name)' is used from within its own access; do all of it in one closure")
    }
    let answer = Answer<Result>()
    let isAccepted = thread.run {
      answer.set(Swift.Result { try body(Session(store: self, ticket: AccessTicket())) })
    }
    if !isAccepted { throw StoreError.closed(path: path) }
    return try answer.wait()
  }

  /// Copies the write-ahead log into the file, so that the log starts from its beginning again.
  ///
  /// This happens automatically from time to time; after a long write, an extra call is worthwhile. Content that
  /// another process or connection is still reading stays in the log; this does not wait.
  public func checkpoint() async throws {
    try await onThread { try self.checkpoint($0) }
  }

  /// Rewrites the file without the free space of deleted rows, then copies the log into it.
  ///
  /// - Complexity: writes the whole file twice; needs the same amount of disk space meanwhile.
  public func compact() async throws {
    try await onThread { ticket in
      try self.opened(ticket).withoutTransaction(ticket) {
        try $0.execute("VACUUM")
        try $0.checkpoint(keptLogInBytes: self.options.keptLogInBytes)
      }
    }
  }

  /// Runs ``checkpoint()`` some time after the accesses queued before; failures are ignored.
  public func checkpointLater() {
    thread.run { [weak self] in try? self?.checkpoint(AccessTicket()) }
  }

  /// Closes the store after the accesses queued before.
  ///
  /// Later calls throw ``StoreError/closed(path:)``. A store that is released closes its file too, without being awaited.
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

  private func checkpoint(_ ticket: AccessTicket) throws {
    try opened(ticket).withoutTransaction(ticket) { try $0.checkpoint(keptLogInBytes: options.keptLogInBytes) }
  }

  func announce(_ tables: Set<String>) {
    if !tables.isEmpty { onChange(tables) }
  }

  /// Returns the open connection; the first call opens and migrates the file.
  ///
  /// - Parameter isWriting: True if a read-only connection is not enough.
  func opened(_ ticket: AccessTicket, isWriting: Bool = false) throws -> Connection {
    if ticket.isCancelled { throw CancellationError() }
    if let connection = slot.connection, !(isWriting && connection.isReadOnly) { return connection }
    slot.close()
    let file = StoreFile(path: path)
    if !isWriting, let connection = try reading(file, ticket) {
      slot.connection = connection
      return connection
    }
    // A frozen file is created by someone else.
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

  /// Returns a read-only connection; nil if the file can be written, or must be because its schema is older.
  private func reading(_ file: StoreFile, _ ticket: AccessTicket) throws -> Connection? {
    guard let use = file.unwrittenUse(isFrozen: options.isFrozen) else { return nil }
    let connection = try file.connect(for: use, lockTimeoutInSeconds: options.lockTimeoutInSeconds)
    do {
      let found = try connection.withoutTransaction(ticket) { connection in
        try connection.execute("PRAGMA cell_size_check = ON")
        return try migrator.supportedVersion(of: connection)
      }
      if found == schemaVersion { return connection }
    } catch {
      connection.close()
      throw error
    }
    connection.close()
    return nil
  }

  /// Drops the connection; the next access opens the file again.
  func disconnect() {
    slot.close()
  }

  private func setUp(_ connection: Connection) throws {
    // The version first: a file of a newer plugin is not touched at all.
    _ = try migrator.supportedVersion(of: connection)
    try useWriteAheadLog(connection)
    try connection.execute("PRAGMA synchronous = \(options.durability == .full ? "FULL" : "NORMAL")")
    try connection.execute("PRAGMA foreign_keys = ON")
    try connection.execute("PRAGMA cell_size_check = ON")
    if options.overwritesDeleted { try connection.execute("PRAGMA secure_delete = ON") }
    if let size = options.cacheInKibibytes { try connection.execute("PRAGMA cache_size = -\(max(0, size))") }
    if let size = options.keptLogInBytes { try connection.execute("PRAGMA journal_size_limit = \(max(0, size))") }
    try migrator.migrate(connection)
  }

  /// Switches the file to a write-ahead log, which several processes may attempt at once at its first use.
  ///
  /// SQLite does not call the busy handler when the journal mode changes, so the wait for other processes is here.
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
          // A task canceled in the queue has already resumed.
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
}

extension StorePart {
  /// Creates a store in the file `<name>.sqlite` of the plugin's data folder.
  ///
  /// It sends the notification `<name>-changed` after every committed write; the plugin declares this topic.
  ///
  /// - Parameters:
  ///   - name: The name of the store.
  ///   - summary: The purpose of the store.
  ///   - migrations: All migrations, numbered 1, 2, 3 … without a gap.
  public init(_ name: String, _ summary: String, migrations: [Migration]) {
    self.init(name, summary) { context in
      SQLiteStore(
        name: name, path: context.folders.data + "/\(name).sqlite", migrations: migrations
      ) { [weak context] _ in context?.notify(name + "-changed", .null) }
    }
  }
}
