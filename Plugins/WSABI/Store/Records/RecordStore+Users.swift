import PluginAPI
import PluginStore
import PluginVault

extension RecordStore {
  /// Returns all users with a key.
  func users() async throws -> [StoreUser] {
    try await look(.readRecords) { try UserRow.all($0, $1.keys).map(\.user) }
  }

  /// Gives a new user a key.
  ///
  /// - Throws: ``VaultError/userExists`` if the name or the key is in use.
  func addUser(_ name: String, _ role: Role, key source: VaultKeySource) async throws -> StoreUser {
    let (header, own) = try await wrappingKey(source)
    let kind = source.kind
    return try await change(.manageUsers) { scope in
      let users = try UserRow.all(scope.connection, scope.keys)
      if users.contains(where: { $0.user.name == name }) { throw VaultError.userExists }
      let slots = try KeySlot.all(scope.connection)
      if try KeySlot.open(slots, header, own, kind: kind) != nil { throw VaultError.userExists }
      let user = StoreUser(id: try scope.nextID(of: "user"), name: name, role: role)
      try UserRow.insert(user, publicKey: [], scope.connection, scope.keys)
      scope.toggle(UserRow.place(user.id, version: 1))
      let publicKey = try KeySlot.set(user: user.id, own, kind, header, scope.connection, scope.keys)
      try UserRow.row(user.id, scope.connection, scope.keys).update(to: user, publicKey: publicKey, scope)
      try scope.audit(AuditEvent(.userAdded, outcome: "user \(user.id), \(role.rawValue)"))
      scope.note(.users)
      return user
    }
  }

  /// Gives a user another role, which applies at once, even where they have the store open.
  ///
  /// - Throws: ``VaultError/lastAdmin``, ``VaultError/noUser(_:)``.
  func setRole(_ role: Role, of id: Int) async throws -> StoreUser {
    try await change(.manageUsers) { scope in
      let row = try UserRow.row(id, scope.connection, scope.keys)
      var user = row.user
      user.role = role
      try Self.checkAdmins(scope, without: role == .admin ? nil : id)
      try row.update(to: user, publicKey: row.publicKey, scope)
      try scope.audit(AuditEvent(.userChanged, outcome: "user \(id), \(role.rawValue)"))
      scope.note(.users)
      return user
    }
  }

  /// Removes a user's key.
  ///
  /// A copy of the store made before can still be opened with it; ``changeKey(to:)`` and a new store are for that case.
  func removeUser(_ id: Int) async throws {
    try await change(.manageUsers) { scope in
      try Self.checkAdmins(scope, without: id)
      try UserRow.row(id, scope.connection, scope.keys).delete(scope)
      try scope.audit(AuditEvent(.userRemoved, outcome: "user \(id)"))
      scope.note(.users)
    }
    try await sqlite.checkpoint()
  }

  /// Replaces the user's own key; the old one opens nothing from then on.
  func changeKey(to source: VaultKeySource) async throws {
    let (header, own) = try await wrappingKey(source)
    let kind = source.kind
    let user = try opened().user.id
    try await change(nil) { scope in
      let slots = try KeySlot.all(scope.connection)
      if let found = try KeySlot.open(slots, header, own, kind: kind), found.user != user {
        throw VaultError.userExists
      }
      let publicKey = try KeySlot.set(user: user, own, kind, header, scope.connection, scope.keys)
      let row = try UserRow.row(user, scope.connection, scope.keys)
      try row.update(to: row.user, publicKey: publicKey, scope)
      try scope.audit(AuditEvent(.keyChanged))
    }
    try await sqlite.checkpoint()
  }

  /// Replaces the store's master key: a holder of the old one, however obtained, cannot open anything written from then
  /// on.
  ///
  /// Users' own keys stay, and open the store as before. Other processes must unlock it again. The whole change is
  /// committed or undone, whenever the process ends.
  ///
  /// - Parameter onRow: Receives the number of each written row, from 1; an error it throws undoes everything.
  /// - Throws: ``VaultError/damaged(_:)``, ``VaultError/keyOfOlderStore(user:)``.
  /// - Complexity: O(*records*), independent of the data of captures; others cannot write meanwhile.
  func changeMasterKey(onRow: @escaping @Sendable (Int) throws -> Void = { _ in }) async throws {
    try await checkPermission(.manageKeys)
    let old = try opened()
    let now = options.clock()
    let new = OpenVault(
      keys: try VaultKeys(fresh: try Vault.randomKey(), with: old), user: old.user, store: old.store,
      epoch: old.epoch + 1)
    try await sqlite.write { connection in
      try KeyRotation(connection, from: old, to: new, onRow: onRow).run(at: now)
    }
    // A process that locked the store meanwhile could not log it under the old key.
    if !replaceOpened(old, by: new) { try? await queue.write(new) { try $0.audit(AuditEvent(.locked)) } }
    // The old wrappings stay in the database's log until it is truncated.
    try await sqlite.checkpoint()
  }

  /// Returns true if a key belongs to the user who opened the store, as checked before exports and deletions.
  func isOwnKey(_ source: VaultKeySource) async throws -> Bool {
    let (header, own) = try await wrappingKey(source)
    let vault = try opened()
    let slots = try await sqlite.read { try KeySlot.all($0) }
    return try KeySlot.open(slots, header, own, kind: source.kind)?.user == vault.user.id
  }

  /// Returns true if the user who opened the store has a key file and no passphrase.
  func hasKeyFile() async throws -> Bool {
    let user = try opened().user.id
    return try await sqlite.read { try $0.value("SELECT 1 FROM slot WHERE user = ? AND kind = 2", [user]).integer == 1 }
  }

  /// Returns the wrapping key of a passphrase or key file for this store, which must be open; it is kept while the
  /// store is unlocked.
  func kept(_ source: VaultKeySource) async throws -> WrappingKey {
    let (_, own) = try await wrappingKey(source)
    return WrappingKey(kind: source.kind, copying: own)
  }

  private func wrappingKey(_ source: VaultKeySource) async throws -> (Header, VaultKey) {
    _ = try opened()
    guard let header = try await sqlite.read({ try Header($0) }) else { throw VaultError.noStore(path: folder) }
    return (header, try await OwnThread.value { _ in try KeySlot.key(of: source, header) })
  }

  private static func checkAdmins(_ scope: WriteScope, without id: Int?) throws {
    let users = try UserRow.all(scope.connection, scope.keys)
    if !users.contains(where: { $0.user.role == .admin && $0.user.id != id }) { throw VaultError.lastAdmin }
  }
}
