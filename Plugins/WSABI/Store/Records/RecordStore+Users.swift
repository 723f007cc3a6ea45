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
    let now = now
    let new = OpenVault(
      keys: try VaultKeys(fresh: try Vault.randomKey(), with: old), user: old.user, store: old.store,
      epoch: old.epoch + 1)
    try await sqlite.write { connection in
      try KeyRotation(connection, from: old, to: new, onRow: onRow).run(at: now)
    }
    // A process that locked the store meanwhile could not log it under the old key.
    if !replaceKeys(old, by: new) { try? await audit(AuditEvent(.locked), under: new) }
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

/// A row of users in the file.
struct UserRow {
  var user: StoreUser
  /// The public key with which the store's key is shared; empty until a user of an older store has opened it.
  var publicKey: [UInt8]
  var version: Int

  /// Writes a new user.
  static func insert(_ user: StoreUser, publicKey: [UInt8], _ connection: Connection, _ keys: VaultKeys) throws {
    let row = UserRow(user: user, publicKey: publicKey, version: 1)
    try connection.execute("INSERT INTO user (id, version, body) VALUES (?, 1, ?)", [user.id, row.sealed(keys)])
  }

  /// Writes the current state of a user.
  func update(to user: StoreUser, publicKey: [UInt8], _ scope: WriteScope) throws {
    let next = UserRow(user: user, publicKey: publicKey, version: version + 1)
    scope.toggle(place)
    scope.toggle(next.place)
    try scope.connection.execute(
      "UPDATE user SET version = ?, body = ? WHERE id = ?", [next.version, next.sealed(scope.keys), user.id])
  }

  /// Removes the user with all their keys.
  func delete(_ scope: WriteScope) throws {
    scope.toggle(place)
    try scope.connection.execute("DELETE FROM user WHERE id = ?", [user.id])
  }

  static func row(_ id: Int, _ connection: Connection, _ keys: VaultKeys) throws -> UserRow {
    let row = try connection.first("SELECT id, version, body FROM user WHERE id = ?", [id]) { try UserRow($0, keys) }
    guard let row else { throw VaultError.noUser(id) }
    return row
  }

  static func all(_ connection: Connection, _ keys: VaultKeys) throws -> [UserRow] {
    try connection.list("SELECT id, version, body FROM user ORDER BY id") { try UserRow($0, keys) }
  }

  /// Returns the associated data of a user's row.
  static func place(_ id: Int, version: Int) -> RecordPlace {
    RecordPlace(kind: .user, id: id, owner: 0, version: version)
  }

  var place: RecordPlace { Self.place(user.id, version: version) }

  /// Returns the sealed text of the row.
  func sealed(_ keys: VaultKeys) -> [UInt8] {
    var writer = ByteWriter(form: 2)
    writer.put(user.name)
    writer.put(user.role.rawValue)
    writer.put(publicKey)
    return keys.users.seal(writer.bytes, bound: place.part(.body))
  }
}

extension UserRow {
  private init(_ row: Row, _ keys: VaultKeys) throws {
    let place = Self.place(row.integer(0), version: row.integer(1))
    guard let bytes = keys.users.unseal(row.bytes(2), bound: place.part(.body)) else {
      throw VaultError.damaged(place.words)
    }
    self = try decoded(bytes, forms: 1...2, as: place) { reader throws(ByteReader.Problem) in
      let name = try reader.text()
      guard let role = Role(rawValue: try reader.text()) else { throw ByteReader.Problem() }
      let publicKey = bytes[0] == 1 ? [] : try reader.content()
      return UserRow(
        user: StoreUser(id: place.id, name: name, role: role), publicKey: publicKey, version: place.version)
    }
  }
}

/// The key of the store, shared with one user.
///
/// A user has a key pair: the secret key is sealed under the user's own key, and the key of the store is encrypted for
/// the public one. So the key of the store can be changed while the users are absent.
struct KeySlot: Sendable {
  var id: Int
  var kind: Int
  /// The pair and the user's number under the user's own key; in slots of the first form the key of the store and the
  /// number.
  var body: [UInt8]
  /// The key of the store, encrypted for the public key of the pair; empty in slots of the first form.
  var master: [UInt8]

  /// The result of opening a slot.
  struct Opened: Sendable {
    var master: VaultKey
    var user: Int
    /// True if the slot does not have a key pair yet.
    var isOfFirstForm: Bool
    /// The user's own key, which opened it.
    var own: VaultKey
  }

  /// The secret and the public key.
  private static let pairSize = 2 * Vault.keySize

  static func all(_ connection: Connection) throws -> [KeySlot] {
    try connection.list("SELECT id, kind, body, master FROM slot ORDER BY id") {
      KeySlot(id: $0.integer(0), kind: $0.integer(1), body: $0.bytes(2), master: $0.bytes(3))
    }
  }

  /// Returns the key of a user, which opens the user's slot.
  static func key(of source: VaultKeySource, _ header: Header) throws -> VaultKey {
    try Vault.reporting { () throws(VaultFailure) in try source.key(salt: header.salt, header.stretching) }
  }

  /// Returns the key of the store and the user whose key opens it.
  ///
  /// All slots are tried, so that the time reveals only their number.
  static func find(_ slots: [KeySlot], _ header: Header, _ source: VaultKeySource) throws -> Opened {
    let own = try key(of: source, header)
    guard let found = try open(slots, header, own, kind: source.kind) else { throw VaultError.wrongKey }
    return found
  }

  static func open(_ slots: [KeySlot], _ header: Header, _ own: VaultKey, kind: Int) throws -> Opened? {
    var found: Opened?
    for slot in slots where slot.kind == kind {
      guard var content = own.unseal(slot.body, bound: header.bound(slot: slot.id, kind: kind)) else { continue }
      defer { SecretMemory.wipe(&content) }
      found = try slot.opened(content, own)
    }
    return found
  }

  private func opened(_ content: [UInt8], _ own: VaultKey) throws -> Opened {
    let damaged = VaultError.damaged("the header")
    guard content.count > 8 else { throw damaged }
    let user = content.suffix(8).reversed().reduce(0) { $0 << 8 | Int($1) }
    switch content.count - 8 {
    case Vault.keySize:
      let key = try Vault.reporting { () throws(VaultFailure) in try VaultKey.of(content) }
      return Opened(master: key, user: user, isOfFirstForm: true, own: own)
    case Self.pairSize:
      let taken = try Vault.reporting { () throws(VaultFailure) in try VaultKey.taken(master, by: content) }
      guard let key = taken else { throw damaged }
      return Opened(master: key, user: user, isOfFirstForm: false, own: own)
    default: throw damaged
    }
  }

  /// Writes the slot of a user, replacing any existing one.
  ///
  /// - Returns: The user's public key, for the user's row.
  static func set(
    user: Int, _ own: VaultKey, _ kind: Int, _ header: Header, _ connection: Connection, _ keys: VaultKeys
  ) throws -> [UInt8] {
    try connection.execute("DELETE FROM slot WHERE user = ?", [user])
    let id = try connection.nextNumber(of: "slot")
    // All the memory at once: growing would leave copies behind.
    var content = [UInt8](repeating: 0, count: pairSize + 8)
    defer { SecretMemory.wipe(&content) }
    VaultKey.makePair(&content)
    for index in 0..<8 { content[pairSize + index] = UInt8(truncatingIfNeeded: user >> (8 * index)) }
    let publicKey = Array(content[Vault.keySize..<pairSize])
    let body = own.seal(content, bound: header.bound(slot: id, kind: kind))
    let given = try Vault.reporting { () throws(VaultFailure) in try keys.master.given(to: publicKey) }
    try connection.execute(
      "INSERT INTO slot (id, user, kind, body, master) VALUES (?, ?, ?, ?, ?)", [id, user, kind, body, given])
    return publicKey
  }
}
