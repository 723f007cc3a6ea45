import PluginAPI
import PluginStore
import PluginVault

extension RecordStore {
  /// Opens the store with a key.
  func unlock(_ source: VaultKeySource) async throws {
    guard exists else { throw VaultError.noStore(path: folder) }
    let (vault, found, header) = try await keys(of: sqlite, source)
    try await queue.write(vault) { scope in
      if found.isOfFirstForm { try Self.givePair(to: vault.user, found.own, source.kind, header, scope) }
      try scope.audit(AuditEvent(.unlocked))
    }
    setOpened(vault)
    try await sweep()
    options.onChange([.lock])
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
    guard let vault = takeOpened() else { return }
    // An entry that cannot be written must not keep the store open.
    try? await queue.write(vault) { try $0.audit(AuditEvent(.locked)) }
    vault.wipe()
    options.onChange([.lock])
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
    if exists, try await sqlite.read({ try Header($0) != nil }) { throw VaultError.storeExists(path: folder) }
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
    try await queue.write(vault) { try $0.audit(AuditEvent(.storeCreated)) }
    setOpened(vault)
  }
}
