import PluginStore
import PluginVault

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
