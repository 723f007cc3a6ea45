import PluginAPI
import PluginStore

extension RecordStore {
  /// Everybody with a key.
  func users() async throws -> [StoreUser] {
    try await look(.readRecords) { try UserRow.all($0, $1.keys) }
  }

  /// Gives somebody a key.
  ///
  /// - Throws: ``VaultError/userExists`` if the name or the key is in use.
  func addUser(_ name: String, _ role: Role, key source: VaultKeySource) async throws -> StoreUser {
    let (header, own) = try await wrappingKey(source)
    let kind = source.kind
    return try await change(.manageUsers) { scope in
      let users = try UserRow.all(scope.connection, scope.keys)
      if users.contains(where: { $0.name == name }) { throw VaultError.userExists }
      let slots = try KeySlot.all(scope.connection)
      if try KeySlot.open(slots, header, own, kind: kind) != nil { throw VaultError.userExists }
      let user = StoreUser(id: try scope.nextID(of: "user"), name: name, role: role)
      try UserRow.insert(user, scope.connection, scope.keys)
      scope.toggle(UserRow.place(user.id, version: 1))
      try KeySlot.insert(user: user.id, own, kind, header, scope.connection, scope.keys)
      try scope.audit(AuditEvent(.userAdded, outcome: "user \(user.id), \(role.rawValue)"))
      scope.note(.users)
      return user
    }
  }

  /// Gives somebody another role, from the next time they open the store.
  ///
  /// - Throws: ``VaultError/lastAdmin``, ``VaultError/noUser(_:)``.
  func setRole(_ role: Role, of id: Int) async throws -> StoreUser {
    try await change(.manageUsers) { scope in
      var user = try UserRow.user(id, scope.connection, scope.keys)
      user.role = role
      try Self.checkAdmins(scope, without: role == .admin ? nil : id)
      try UserRow.update(user, scope)
      try scope.audit(AuditEvent(.userChanged, outcome: "user \(id), \(role.rawValue)"))
      scope.note(.users)
      return user
    }
  }

  /// Takes somebody's key away.
  ///
  /// Whoever copied the store before still opens the copy; ``changeKey(to:)`` and a new store are for that.
  func removeUser(_ id: Int) async throws {
    try await change(.manageUsers) { scope in
      try Self.checkAdmins(scope, without: id)
      try UserRow.delete(id, scope)
      try scope.audit(AuditEvent(.userRemoved, outcome: "user \(id)"))
      scope.note(.users)
    }
    try await sqlite.checkpoint()
  }

  /// Puts another key in place of the user's own; the old one opens nothing from then on.
  func changeKey(to source: VaultKeySource) async throws {
    let (header, own) = try await wrappingKey(source)
    let kind = source.kind
    let user = try opened().user.id
    try await change(nil) { scope in
      let slots = try KeySlot.all(scope.connection)
      if let found = try KeySlot.open(slots, header, own, kind: kind), found.user != user {
        throw VaultError.userExists
      }
      try scope.connection.execute("DELETE FROM slot WHERE user = ?", [user])
      try KeySlot.insert(user: user, own, kind, header, scope.connection, scope.keys)
      try scope.audit(AuditEvent(.keyChanged))
    }
    try await sqlite.checkpoint()
  }

  /// Whether a key is that of the user who opened the store: what is asked before exports and deletions.
  func isOwnKey(_ source: VaultKeySource) async throws -> Bool {
    let (header, own) = try await wrappingKey(source)
    let vault = try opened()
    let slots = try await sqlite.read { try KeySlot.all($0) }
    return try KeySlot.open(slots, header, own, kind: source.kind)?.user == vault.user.id
  }

  /// What a passphrase or key file is made into for this store, which must be open: what is kept while it is unlocked.
  func kept(_ source: VaultKeySource) async throws -> WrappingKey {
    let (_, own) = try await wrappingKey(source)
    let bytes = own.withBytes { Array(UnsafeBufferPointer(start: $0, count: Vault.keySize)) }
    return WrappingKey(kind: source.kind, bytes: bytes)
  }

  private func wrappingKey(_ source: VaultKeySource) async throws -> (Header, VaultKey) {
    _ = try opened()
    guard let header = try await sqlite.read({ try Header($0) }) else { throw VaultError.noStore(path: folder) }
    return (header, try await OwnThread.value { _ in try KeySlot.key(of: source, header) })
  }

  private static func checkAdmins(_ scope: WriteScope, without id: Int?) throws {
    let users = try UserRow.all(scope.connection, scope.keys)
    if !users.contains(where: { $0.role == .admin && $0.id != id }) { throw VaultError.lastAdmin }
  }
}
