import Glibc
import PluginAPI
import PluginStore
import PluginVault
import Synchronization

/// The store of people, their items, captures and the audit log: sealed in one folder, behind a key.
///
/// Creating the object opens nothing. Everything personal is sealed (Documentation/Decisions/0012); decrypted data in
/// memory is dropped by ``lock()``. Any number of tasks may use it concurrently, and other processes the same folder.
final class RecordStore: Sendable {
  /// The options of a store.
  struct Options: Sendable {
    /// The time of this machine: of the journal and the audit log.
    var clock: @Sendable () -> Instant
    /// Called after every committed change, on any thread; it must not wait for the store.
    var onChange: @Sendable (Set<RecordChange>) -> Void
    /// The parameters that derive a key from a new passphrase.
    var stretching: Stretching
    /// The time to wait for a lock of another process, in seconds.
    var lockTimeoutInSeconds: Double
    /// Runs an operation that excludes captures, here and in other processes, or refuses it.
    var withoutCaptures: @Sendable (@Sendable () async throws -> Void) async throws -> Void = { try await $0() }
    /// Ends the tasks that write into the store, before it is closed.
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
  let sqlite: SQLiteStore
  let files: CaptureFolder
  /// The locks of sensors that this process may have.
  let heldLocks: HeldLocks
  /// The captures that this process began and did not end.
  let underWay = CapturesUnderWay()
  /// The secrets while the store is unlocked.
  private let unlocked = UnlockedVault()
  private let options: Options
  private let queue: CommitQueue
  /// SQLite's data version, which counts changes by other processes, when it was last read.
  private let seenVersion = Mutex<Int?>(nil)

  /// Creates a store over a folder; nothing is opened, and the folder need not exist.
  init(folder: String, _ options: Options = Options()) {
    self.folder = folder
    self.options = options
    // No deleted data remains in the database's log after a checkpoint.
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

  /// Returns true if there is a store in the folder, intact or damaged; false if its creation was interrupted.
  func isCreated() async -> Bool {
    if !exists { return false }
    return (try? await sqlite.read { try Header($0) == nil }) != true
  }

  /// Creates a store in a folder that has none, and opens it.
  ///
  /// - Parameters:
  ///   - key: The key that opens it from now on.
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
  var user: StoreUser? { unlocked.user }

  /// The number of captures that this process began and did not end.
  ///
  /// A lock for idleness waits for them.
  var capturesUnderWay: Int { underWay.count }

  /// True if the store was open before in this process.
  ///
  /// A store that was locked here is opened by the user at this terminal, not by a key kept for other processes.
  var wasOpened: Bool { unlocked.wasOpened }

  var isLocked: Bool { unlocked.isLocked }

  /// Returns the secrets needed to work with records.
  ///
  /// - Throws: ``VaultError/locked``.
  func opened() throws -> OpenVault { try unlocked.opened() }

  /// Removes the secrets and overwrites them, as other keys may open the store now.
  func forgetKeys() { unlocked.set(nil) }

  /// Replaces keys by new ones made from them, unless the store was locked meanwhile.
  ///
  /// - Returns: True if the store is now open with them.
  func replaceKeys(_ old: OpenVault, by new: OpenVault) -> Bool { unlocked.replace(old, by: new) }

  /// Returns true if another process changed anything since the last call; false the first time.
  ///
  /// - Throws: ``VaultError/locked``, `StoreError`.
  func isChangedByOthers() async throws -> Bool {
    _ = try opened()
    // It counts commits through any other connection.
    let version = try await sqlite.read { try $0.value("PRAGMA data_version").integer }
    return seenVersion.withLock { seen in
      defer { seen = version }
      return seen != nil && seen != version
    }
  }

  /// The time of this machine.
  var now: Instant { options.clock() }

  /// Reports that the store was locked or opened.
  func noteLock() { options.onChange([.lock]) }

  /// Runs an operation that excludes captures, here and in other processes, or refuses it.
  func withoutCaptures(_ work: @Sendable () async throws -> Void) async throws {
    try await options.withoutCaptures(work)
  }

  /// Closes the store permanently, once its writers have ended.
  func close() async {
    await options.beforeClosing()
    unlocked.set(nil)
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
    } catch {
      try await follow(error, vault)
      throw error
    }
  }

  /// Writes an entry of the audit log with these keys, in a commit of its own.
  func audit(_ event: AuditEvent, under vault: OpenVault) async throws {
    try await queue.write(vault) { try $0.audit(event) }
  }

  /// Records a refusal in the audit log, and drops keys that no longer open anything.
  private func follow(_ error: any Error, _ vault: OpenVault) async throws {
    if case VaultRefusal.permission(_, let permission) = error {
      try await audit(AuditEvent(.permissionRefused, outcome: permission.rawValue), under: vault)
    }
    if VaultError.storeLocked ~= error, unlocked.drop(vault) { noteLock() }
  }

  /// Writes a sensor's response, which cannot be obtained twice: on a full disk into the reserved space.
  func record<Value: Sendable>(_ body: @escaping @Sendable (WriteScope) throws -> Value) async throws -> Value {
    do {
      return try await change(nil, body)
    } catch let error as StoreError {
      guard case .diskFull = error else { throw error }
      // The first task that gave it up made room for all concurrent ones.
      files.giveUpReserve()
      return try await change(nil, body)
    }
  }

  /// Throws an error for an action that the user's role does not allow, and records it in the audit log.
  func checkPermission(_ permission: Permission) async throws {
    try await look(permission) { _, _ in }
  }

  /// Reads records, if the user's role allows it; the read is not recorded in the audit log.
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
    } catch {
      try await follow(error, vault)
      throw error
    }
  }
}

extension RecordStore {
  /// Opens the store with a key.
  func unlock(_ source: VaultKeySource) async throws {
    guard exists else { throw VaultError.noStore(path: folder) }
    let (vault, found, header) = try await keys(of: sqlite, source)
    try await queue.write(vault) { scope in
      if found.isOfFirstForm { try Self.givePair(to: vault.user, found.own, source.kind, header, scope) }
      try scope.audit(AuditEvent(.unlocked))
    }
    unlocked.set(vault)
    try await sweep()
    noteLock()
  }

  /// Returns the keys of a database of this schema, and the user to whom a key belongs.
  ///
  /// - Throws: ``VaultError/noStore(path:)`` if it was never finished, ``VaultError/wrongKey``, ``VaultError/damaged(_:)``.
  func keys(
    of sqlite: SQLiteStore, _ source: VaultKeySource
  ) async throws -> (vault: OpenVault, found: KeySlot.Opened, header: Header) {
    try Vault.open()
    let read = try await sqlite.read { connection -> (Header, [KeySlot])? in
      guard let header = try Header(connection) else { return nil }
      return (header, try KeySlot.all(connection))
    }
    guard let (header, slots) = read else { throw VaultError.noStore(path: folder) }
    let found = try await OwnThread.value { _ in try KeySlot.find(slots, header, source) }
    let keys = try VaultKeys(master: found.master, tags: header.tags, of: header.store)
    let user = try await sqlite.read { try UserRow.row(found.user, $0, keys).user }
    return (OpenVault(keys: keys, user: user, store: header.store, epoch: header.epoch), found, header)
  }

  /// Overwrites the keys and all that was decrypted.
  ///
  /// Writes in progress are completed. Data that a sensor still sends can be stored once the store is unlocked again.
  func lock() async {
    // Taken first, so that of two concurrent locks only one is logged.
    guard let vault = unlocked.take() else { return }
    // An entry that cannot be written must not keep the store open.
    try? await audit(AuditEvent(.locked), under: vault)
    vault.wipe()
    noteLock()
  }

  /// Gives a user of an older store the key pair that lets the master key be changed.
  private static func givePair(
    to user: StoreUser, _ own: VaultKey, _ kind: Int, _ header: Header, _ scope: WriteScope
  ) throws {
    let publicKey = try KeySlot.set(user: user.id, own, kind, header, scope.connection, scope.keys)
    try UserRow.row(user.id, scope.connection, scope.keys).update(to: user, publicKey: publicKey, scope)
  }

  func create(_ source: VaultKeySource, user name: String) async throws {
    try Vault.open()
    if await isCreated() { throw VaultError.storeExists(path: folder) }
    let header = Header(
      store: Vault.random(Vault.saltSize), salt: Vault.random(Vault.saltSize), stretching: options.stretching)
    let own = try await OwnThread.value { _ in try KeySlot.key(of: source, header) }
    let keys = try VaultKeys(master: try Vault.randomKey())
    let user = StoreUser(id: 1, name: name, role: .admin)
    let vault = OpenVault(keys: keys, user: user, store: header.store, epoch: 0)
    try files.make()
    var anchor = Anchor()
    anchor.toggle(UserRow.place(user.id, version: 1), keys)
    let sealed = keys.anchor.seal(anchor.bytes, bound: header.store)
    try await sqlite.write { connection in
      guard try Header(connection) == nil else { throw VaultError.storeExists(path: self.folder) }
      try connection.execute(
        "INSERT INTO vault (id, store, salt, passes, memory, anchor) VALUES (1, ?, ?, ?, ?, ?)",
        [header.store, header.salt, header.stretching.passes, header.stretching.memoryInBytes, sealed])
      // The slot belongs to a user who must exist first; the row gets its key afterwards.
      try UserRow.insert(user, publicKey: [], connection, keys)
      let publicKey = try KeySlot.set(user: 1, own, source.kind, header, connection, keys)
      let row = UserRow(user: user, publicKey: publicKey, version: 1)
      try connection.execute("UPDATE user SET body = ? WHERE id = 1", [row.sealed(keys)])
    }
    _ = files.holdReserve()
    try await audit(AuditEvent(.storeCreated), under: vault)
    unlocked.set(vault)
  }
}
