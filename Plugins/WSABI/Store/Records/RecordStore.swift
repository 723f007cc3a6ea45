import Glibc
import PluginAPI
import PluginStore
import PluginVault
import Synchronization

/// People, their items, what sensors delivered for them, and what was done: sealed in one folder, behind a key.
///
/// Making the object opens nothing. Everything personal is sealed (Documentation/Decisions/0012); what is in memory
/// decrypted goes with ``lock()``. Any number of tasks may use it at once, and other processes the same folder.
final class RecordStore: Sendable {
  /// The options of a store.
  struct Options: Sendable {
    /// The time of this machine: of the journal and the audit log.
    var clock: @Sendable () -> Instant
    /// Called after every change that is kept, on any thread; it must not wait for the store.
    var onChange: @Sendable (Set<RecordChange>) -> Void
    /// The parameters that derive a key from a new passphrase.
    var stretching: Stretching
    /// The time to wait for a lock of another process, in seconds.
    var lockTimeoutInSeconds: Double
    /// Does something beside which nothing may be captured, here or in another process, or refuses it.
    var withoutCaptures: @Sendable (@Sendable () async throws -> Void) async throws -> Void = { try await $0() }
    /// Ends what writes into the store, before it is closed.
    var beforeClosing: @Sendable () async -> Void = {}

    init(
      clock: @escaping @Sendable () -> Instant = RecordStore.systemClock,
      onChange: @escaping @Sendable (Set<RecordChange>) -> Void = { _ in }, stretching: Stretching = .standard,
      lockTimeoutInSeconds: Double = 5
    ) {
      self.clock = clock
      self.onChange = onChange
      self.stretching = stretching
      self.lockTimeoutInSeconds = lockTimeoutInSeconds
    }
  }

  static let storeName = "people"

  /// The folder, as an absolute path.
  let folder: String
  let options: Options
  let sqlite: SQLiteStore
  let queue: CommitQueue
  let files: CaptureFolder
  /// The secrets while the store is unlocked.
  private let vault = Mutex<OpenVault?>(nil)
  private let everOpened = Mutex(false)
  /// SQLite's data version, which counts changes by other processes, when it was last read.
  let seenVersion = Mutex<Int?>(nil)
  /// The locks of sensors that this process may have.
  let heldLocks: HeldLocks
  /// The captures that this process began and did not end.
  let underWay = Mutex<Set<JournalNumber>>([])
  /// Ids that have just been written, and of which no data was asked for yet.
  let answered = Mutex<[SensorUUID: JournalNumber]>([:])

  /// Makes a store over a folder; nothing is opened, and the folder need not be there.
  init(folder: String, _ options: Options = Options()) {
    self.folder = folder
    self.options = options
    // Nothing of what was deleted stays in the log behind a checkpoint.
    var setup = SQLiteStore.Options(
      durability: .full, lockTimeoutInSeconds: options.lockTimeoutInSeconds, keptLogInBytes: 0)
    setup.overwritesDeleted = true
    sqlite = SQLiteStore(
      name: Self.storeName, path: folder + "/people.sqlite", migrations: RecordMigrations.all, options: setup)
    queue = CommitQueue(sqlite, clock: options.clock, onChange: options.onChange)
    files = CaptureFolder(path: folder + "/captures")
    heldLocks = HeldLocks(folder: folder)
  }

  /// True if there is a store in the folder, intact or damaged.
  var exists: Bool {
    var status = stat()
    return stat(sqlite.path, &status) == 0
  }

  /// Makes a store in a folder that has none, and opens it.
  ///
  /// - Parameters:
  ///   - key: What opens it from now on.
  ///   - user: The name of the first user, an administrator.
  static func create(
    at folder: String, key: VaultKeySource, user: String = "admin", _ options: Options = Options()
  ) async throws -> RecordStore {
    let store = RecordStore(folder: folder, options)
    try await store.create(key, user: user)
    return store
  }

  /// Opens the store of a folder.
  ///
  /// - Throws: ``VaultError/noStore(path:)``, ``VaultError/wrongKey``, ``VaultError/damaged(_:)``, `StoreError`.
  static func open(
    at folder: String, key: VaultKeySource, _ options: Options = Options()
  ) async throws -> RecordStore {
    let store = RecordStore(folder: folder, options)
    try await store.unlock(key)
    return store
  }

  /// The user who opened the store; nil while it is locked.
  var user: StoreUser? { vault.withLock { $0?.user } }

  /// The number of captures that this process began and did not end.
  ///
  /// A lock for idleness waits for them.
  var capturesUnderWay: Int { underWay.withLock { $0.count } }

  /// True if the store was open before in this process.
  ///
  /// A store that was locked here is opened by the user at this terminal, not by a key kept for other processes.
  var wasOpened: Bool { everOpened.withLock { $0 } }

  var isLocked: Bool { vault.withLock { $0 == nil } }

  /// Returns the secrets needed to work with records.
  ///
  /// - Throws: ``VaultError/locked``.
  func opened() throws -> OpenVault {
    guard let vault = vault.withLock({ $0 }) else { throw VaultError.locked }
    return vault
  }

  /// Puts what is there while the store is unlocked, or takes it away; what was there before is overwritten.
  func setOpened(_ new: OpenVault?) {
    if new != nil { everOpened.withLock { $0 = true } }
    let old = vault.withLock { vault in
      defer { vault = new }
      return vault
    }
    if let old, old !== new { old.wipe() }
  }

  /// Puts new keys in the place of those they were made from; not where the store was locked meanwhile.
  ///
  /// - Returns: Whether the store is open by them.
  func replaceOpened(_ old: OpenVault, by new: OpenVault) -> Bool {
    let isReplaced = vault.withLock { vault in
      guard vault === old else { return false }
      vault = new
      return true
    }
    old.wipe()
    return isReplaced
  }

  /// Takes away what is there while the store is unlocked, for who writes one entry more; nil if it is locked.
  func takeOpened() -> OpenVault? {
    vault.withLock { vault in
      defer { vault = nil }
      return vault
    }
  }

  /// Takes away keys that open nothing any more, unless others are there already.
  func drop(_ stale: OpenVault) {
    let isDropped = vault.withLock { vault in
      guard vault === stale else { return false }
      vault = nil
      return true
    }
    stale.wipe()
    if isDropped { options.onChange([.lock]) }
  }

  /// Closes the store for good, once what writes into it has ended.
  func close() async {
    await options.beforeClosing()
    setOpened(nil)
    await sqlite.close()
    heldLocks.close()
  }

  /// The time of the machine.
  static let systemClock: @Sendable () -> Instant = {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Instant(seconds: Int64(time.tv_sec), nanoseconds: Int32(time.tv_nsec))
  }
}

extension RecordStore {
  /// Makes a change of records, if the user's role allows it.
  ///
  /// A refusal is recorded in the audit log.
  func change<Value: Sendable>(
    _ permission: Permission?, _ body: @escaping @Sendable (WriteScope) throws -> Value
  ) async throws -> Value {
    let vault = try opened()
    do {
      return try await queue.write(vault) { scope in
        if let permission { try scope.check(permission) }
        return try body(scope)
      }
    } catch let error as VaultError {
      try await follow(error, vault)
      throw error
    }
  }

  /// Tells the audit log of what was refused, and lets go of keys that open nothing any more.
  private func follow(_ error: VaultError, _ vault: OpenVault) async throws {
    if case .notPermitted(_, let permission) = error {
      try await queue.write(vault) { try $0.audit(AuditEvent(.permissionRefused, outcome: permission.rawValue)) }
    }
    if error == .locked { drop(vault) }
  }

  /// Writes what a sensor answered, which cannot be had twice: on a full disk in the room that was held back.
  func record<Value: Sendable>(_ body: @escaping @Sendable (WriteScope) throws -> Value) async throws -> Value {
    do {
      return try await change(nil, body)
    } catch let error as StoreError {
      guard case .diskFull = error else { throw error }
      // Whoever gave it up first made room for all who wait beside them.
      files.giveUpReserve()
      return try await change(nil, body)
    }
  }

  /// Refuses what the user's role does not allow, and tells so in the audit log.
  func checkPermission(_ permission: Permission) async throws {
    try await look(permission) { _, _ in }
  }

  /// Reads records, if the user's role allows it; what is not told in the audit log.
  func look<Value: Sendable>(
    _ permission: Permission, _ body: @escaping @Sendable (Connection, OpenVault) throws -> Value
  ) async throws -> Value {
    let vault = try opened()
    do {
      return try await sqlite.read { connection in
        try Header.checkKeys(connection, vault)
        try vault.check(permission, connection)
        return try body(connection, vault)
      }
    } catch let error as VaultError {
      try await follow(error, vault)
      throw error
    }
  }
}
