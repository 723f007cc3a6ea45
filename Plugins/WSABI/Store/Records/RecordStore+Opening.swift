import CVault
import PluginAPI
import PluginStore

extension RecordStore {
  /// Opens the store for whoever has the key.
  func unlock(_ source: VaultKeySource) async throws {
    try Vault.open()
    guard exists else { throw VaultError.noStore(path: folder) }
    let read = try await sqlite.read { connection -> (Header, [KeySlot])? in
      guard let header = try Header(connection) else { return nil }
      return (header, try KeySlot.all(connection))
    }
    guard let (header, slots) = read else { throw VaultError.noStore(path: folder) }
    let found = try await OwnThread.value { _ in try KeySlot.find(slots, header, source) }
    let keys = try VaultKeys(master: found.master)
    let user = try await sqlite.read { try UserRow.user(found.user, $0, keys) }
    let vault = OpenVault(keys: keys, user: user, store: header.store)
    try await queue.write(vault) { try $0.audit(AuditEvent(.unlocked)) }
    setOpened(vault)
    try await sweep()
    options.onChange([.lock])
  }

  /// Overwrites the keys and all that was decrypted.
  ///
  /// What is written meanwhile is done; data that a sensor still sends
  /// can be kept once the store is unlocked again.
  func lock() async {
    guard let vault = try? opened() else { return }
    // An entry that cannot be written must not keep the store open.
    try? await queue.write(vault) { try $0.audit(AuditEvent(.locked)) }
    setOpened(nil)
    options.onChange([.lock])
  }

  func create(_ source: VaultKeySource, user name: String) async throws {
    try Vault.open()
    if exists, try await sqlite.read({ try Header($0) != nil }) { throw VaultError.storeExists(path: folder) }
    let header = Header(
      store: Vault.random(Vault.saltSize), salt: Vault.random(Vault.saltSize), stretching: options.stretching)
    let own = try await OwnThread.value { _ in try KeySlot.key(of: source, header) }
    let keys = try VaultKeys(master: try VaultKey.random())
    let user = StoreUser(id: 1, name: name, role: .admin)
    let vault = OpenVault(keys: keys, user: user, store: header.store)
    try files.make()
    var anchor = Anchor()
    anchor.toggle(UserRow.place(user.id, version: 1), keys)
    let sealed = keys.anchor.seal(anchor.bytes, bound: header.store)
    try await sqlite.write { connection in
      guard try Header(connection) == nil else { throw VaultError.storeExists(path: self.folder) }
      try connection.execute(
        "INSERT INTO vault VALUES (1, ?, ?, ?, ?, ?)",
        [header.store, header.salt, header.stretching.passes, header.stretching.memoryInBytes, sealed])
      try UserRow.insert(user, connection, keys)
      try KeySlot.insert(user: 1, own, source.kind, header, connection, keys)
    }
    _ = files.holdReserve()
    try await queue.write(vault) { try $0.audit(AuditEvent(.storeCreated)) }
    setOpened(vault)
  }
}
