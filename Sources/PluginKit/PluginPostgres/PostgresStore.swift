public import PluginAPI
internal import Synchronization

/// A store in a schema of a PostgreSQL database that several people use, accessed through closures.
///
/// Creating the object is free: it connects at the first access. Accesses of one object run one after the other, each
/// in a transaction; other clients write at the same time, so that a write must lock what it read, or state conditions
/// in its statements. The search path is the schema alone: statements name its tables without it, and functions of
/// extensions with theirs.
///
/// ```swift
/// let store = PostgresStore(name: "stations", address: address, schema: "stations", migrations: [
///   PostgresMigration(1, "stations", sql: "CREATE TABLE station (name text PRIMARY KEY, added_by text NOT NULL);"
///     + PostgresPolicy.deletionByAuthor(of: "station"))
/// ]) { [weak context] in context?.notify("stations-changed", .null) }
/// try await store.write { try $0.execute("INSERT INTO station (name) VALUES ($1)", [.text("Brest")]) }
/// ```
///
/// A statement that waits 30 seconds for another client's lock fails; PostgreSQL's setting `lock_timeout` of the address,
/// the user or the database changes that. An access must not use its own store again, neither in its closure nor in the
/// announcement of changes: it would wait for itself.
public final class PostgresStore: Sendable {
  /// The store's name.
  public let name: String
  /// The database.
  public let address: PostgresAddress
  /// The schema version of the code.
  public let schemaVersion: Int
  private let isOffline: Bool
  private let channel: String
  private let onChange: @Sendable () -> Void
  private let thread = SerialThread()
  /// Only the store's thread uses it.
  private let session: PostgresSession
  private let listener: PostgresListener
  private let isClosing = Atomic(false)

  /// Creates a store without connecting.
  ///
  /// - Parameters:
  ///   - name: The name, which tells stores of one schema apart.
  ///   - schema: The schema's name.
  ///   - migrations: All migrations, numbered 1, 2, 3 … without a gap.
  ///   - isOffline: True if the user turned off the network: every access throws ``PostgresError/offline(server:)`` at once.
  ///   - onChange: Called on some thread after every committed write of this object; once ``listen()`` was called, after
  ///     those of any client. It must not wait for the store.
  public init(
    name: String, address: PostgresAddress, schema: String, migrations: [PostgresMigration], isOffline: Bool = false,
    onChange: @escaping @Sendable () -> Void = {}
  ) {
    // A channel's name has 63 bytes at most; stores that share one look for changes more often than they must.
    var channel = schema + "." + name
    while channel.utf8.count > 63 { channel.removeFirst() }
    let migrator = PostgresMigrator(store: name, schema: schema, server: address.name, migrations: migrations)
    (self.name, self.address, self.channel, self.onChange) = (name, address, channel, onChange)
    self.isOffline = isOffline
    schemaVersion = migrator.target
    session = PostgresSession(address: address, migrator: migrator)
    listener = PostgresListener(address: address, channel: channel, onChange: onChange)
  }

  deinit { listener.requestEnd() }

  /// Runs a closure that reads one state of the store, regardless of concurrent writes.
  ///
  /// - Parameter body: The closure, which runs a second time on a new connection if the connection is lost.
  /// - Throws: ``PostgresError``; any error that the closure throws; `CancellationError` if the calling task was canceled.
  public func read<Result: Sendable>(
    _ body: @escaping @Sendable (PostgresConnection) throws -> Result
  ) async throws -> Result {
    try await onThread { session, isCancelled in try session.read(isCancelled, body) }
  }

  /// Runs a closure that writes; its changes are kept if it returns, and rolled back if it throws.
  ///
  /// If the connection is lost during the commit, or the task is canceled then, the changes may have been kept all the
  /// same. The closure is never run a second time.
  ///
  /// - Throws: ``PostgresError``; any error that the closure throws; `CancellationError` if the calling task was canceled.
  public func write<Result: Sendable>(
    _ body: @escaping @Sendable (PostgresConnection) throws -> Result
  ) async throws -> Result {
    let commit = "NOTIFY \(PostgresQuoting.identifier(channel)); COMMIT"
    let result = try await onThread { session, isCancelled in try session.write(isCancelled, commit: commit, body) }
    // The listener receives the store's own notifications too.
    if !listener.isConnected { onChange() }
    return result
  }

  /// Creates the store, or migrates it to the newest version, and gives the roles `workbench_reader`,
  /// `workbench_writer` and `workbench_owner` their rights.
  ///
  /// Everything is one transaction, also for several clients at once. The roles are created if they are missing and the
  /// user may do so. The schema then belongs to `workbench_owner`, otherwise to the user. A user who cannot act as the
  /// schema's owner changes nothing.
  ///
  /// Members of the owner also migrate an existing store by using it.
  /// - Returns: A note if the roles are missing, so that only the owner can use the store.
  /// - Throws: ``PostgresError``, also if the user would have to be a member of the owner; `CancellationError`.
  @discardableResult
  public func migrate() async throws -> [Diagnostic] {
    try await onThread { session, isCancelled in try session.migrate(isCancelled) }
  }

  /// Announces the changes of all clients from now on, on a connection of its own.
  ///
  /// Returns at once. Each time the connection is made, a change is announced too, as there may have been one before. A
  /// lost connection is made again after growing pauses of 0.1 to 30 seconds. Without the network it does nothing.
  public func listen() {
    if !isOffline { listener.start() }
  }

  /// Closes the connections and cancels the accesses that run or wait, which throw ``PostgresError/closed(store:server:)``.
  ///
  /// Later accesses throw the same. A store that is released closes its connections too, without being awaited.
  public func close() async {
    isClosing.store(true, ordering: .sequentiallyConsistent)
    await listener.end()
    await withCheckedContinuation { continuation in
      thread.run { [session] in
        session.close()
        continuation.resume()
      }
    }
  }

  /// Runs a piece of work on the store's thread and waits for it without blocking any thread.
  ///
  /// - Parameter work: The work; its second argument returns true if it should end now.
  private func onThread<Result: Sendable>(
    _ work: @escaping @Sendable (PostgresSession, _ isCancelled: @escaping () -> Bool) throws -> Result
  ) async throws -> Result {
    if isOffline { throw PostgresError.offline(server: address.name) }
    let queued = QueuedAccess<Result>()
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        queued.wait(continuation)
        thread.run { [self] in
          // A task canceled in the queue has already resumed.
          guard let waiting = queued.begin() else { return }
          waiting.resume(
            with: Swift.Result {
              do {
                return try work(session) { queued.isCancelled || self.isClosed }
              } catch is CancellationError where isClosed && !queued.isCancelled {
                throw PostgresError.closed(store: name, server: address.name)
              }
            })
        }
      }
    } onCancel: {
      queued.cancel()
    }
  }

  private var isClosed: Bool { isClosing.load(ordering: .sequentiallyConsistent) }
}
