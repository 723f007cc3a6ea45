import PluginStore

/// Users as they lie in the file.
enum UserRow {
  static func insert(_ user: StoreUser, _ connection: Connection, _ keys: VaultKeys) throws {
    try connection.execute(
      "INSERT INTO user (id, version, body) VALUES (?, 1, ?)", [user.id, sealed(user, version: 1, keys)])
  }

  static func update(_ user: StoreUser, _ scope: WriteScope) throws {
    let version = try version(of: user.id, scope)
    scope.toggle(place(user.id, version: version))
    scope.toggle(place(user.id, version: version + 1))
    try scope.connection.execute(
      "UPDATE user SET version = ?, body = ? WHERE id = ?",
      [version + 1, sealed(user, version: version + 1, scope.keys), user.id])
  }

  /// Removes a user with all their keys.
  static func delete(_ id: Int, _ scope: WriteScope) throws {
    scope.toggle(place(id, version: try version(of: id, scope)))
    try scope.connection.execute("DELETE FROM user WHERE id = ?", [id])
  }

  private static func version(of id: Int, _ scope: WriteScope) throws -> Int {
    let version = try scope.connection.value("SELECT version FROM user WHERE id = ?", [id]).integer
    guard let version else { throw VaultError.noUser(id) }
    return version
  }

  static func user(_ id: Int, _ connection: Connection, _ keys: VaultKeys) throws -> StoreUser {
    let row = try connection.first("SELECT id, version, body FROM user WHERE id = ?", [id]) { try read($0, keys) }
    guard let row else { throw VaultError.noUser(id) }
    return row
  }

  static func all(_ connection: Connection, _ keys: VaultKeys) throws -> [StoreUser] {
    try connection.list("SELECT id, version, body FROM user ORDER BY id") { try read($0, keys) }
  }

  /// What a user's row is bound to.
  static func place(_ id: Int, version: Int) -> RecordPlace {
    RecordPlace(kind: .user, id: id, owner: 0, version: version)
  }

  private static func sealed(_ user: StoreUser, version: Int, _ keys: VaultKeys) -> [UInt8] {
    var writer = ByteWriter(form: 1)
    writer.put(user.name)
    writer.put(user.role.rawValue)
    return keys.users.seal(writer.bytes, bound: place(user.id, version: version).part(.body))
  }

  private static func read(_ row: Row, _ keys: VaultKeys) throws -> StoreUser {
    let place = place(row.integer(0), version: row.integer(1))
    guard let bytes = keys.users.unseal(row.bytes(2), bound: place.part(.body)) else {
      throw VaultError.damaged(place.words)
    }
    return try decoded(bytes, as: place) { reader throws(ByteReader.Problem) in
      let name = try reader.text()
      guard let role = Role(rawValue: try reader.text()) else { throw ByteReader.Problem() }
      return StoreUser(id: place.id, name: name, role: role)
    }
  }
}
