import PluginAPI
import PluginStore

/// A row of a sensor's lock, which reveals neither address nor session.
struct HeldLockRow {
  /// The requesting process, by its number of ``HolderClaim``.
  var holder: Int
  /// The file where that process is seen to live, by ``HolderClaim/place``.
  var place: String
  var left: LeftLock

  static func place(_ id: Int, holder: Int) -> RecordPlace {
    RecordPlace(kind: .heldLock, id: id, owner: holder, version: 1)
  }

  /// Writes that a process requests a lock.
  ///
  /// - Parameters:
  ///   - claimed: The file where the process is seen to live.
  ///   - isStolen: True if the lock waits for the next capture at its sensor.
  /// - Returns: The number of the row.
  @discardableResult
  static func insert(
    _ lock: HeldLock, holder: Int, at claimed: String, isStolen: Bool = false, _ scope: WriteScope
  ) throws -> Int {
    let number = try scope.nextID(of: "held")
    var writer = ByteWriter(form: isStolen ? 2 : 1)
    writer.put(lock.address.text)
    writer.put(lock.address.host)
    writer.put(lock.address.port)
    writer.put(lock.address.isSecure)
    writer.put(lock.address.trust)
    writer.put(lock.session)
    writer.put(scope.now)
    writer.put(claimed)
    let sealed = try scope.keys.seal(writer.bytes, as: place(number, holder: holder))
    try scope.connection.execute(
      "INSERT INTO held (id, holder, key, body) VALUES (?, ?, ?, ?)", [number, holder, sealed.key, sealed.body])
    return number
  }

  /// Returns all rows, oldest first.
  ///
  /// - Throws: ``VaultError/damaged(_:)`` at the first that cannot be opened.
  static func all(_ connection: Connection, _ keys: VaultKeys) throws -> [HeldLockRow] {
    try connection.list("SELECT id, holder, key, body FROM held ORDER BY id") { try row($0, keys) }
  }

  /// Returns the rows of all processes but one, oldest first; damaged ones are left out, and found by the check of the
  /// store.
  static func others(than holder: Int?, _ connection: Connection, _ keys: VaultKeys) throws -> [HeldLockRow] {
    // A process has a number from 1 on.
    try connection.list("SELECT id, holder, key, body FROM held WHERE holder <> ? ORDER BY id", [holder ?? 0]) {
      try? row($0, keys)
    }.compactMap(\.self)
  }

  private static func row(_ row: Row, _ keys: VaultKeys) throws -> HeldLockRow {
    let place = place(row.integer(0), holder: row.integer(1))
    let bytes = try keys.open(SealedRecord(key: row.bytes(2), body: row.bytes(3)), of: place)
    return try decoded(bytes, forms: 1...2, as: place) { reader throws(ByteReader.Problem) in
      let (text, host) = (try reader.text(), try reader.text())
      let (port, isSecure) = (try reader.number(), try reader.flag())
      var address = SensorAddress(text: text, host: host, port: port, isSecure: isSecure)
      address.trust = try reader.trust()
      let session = try reader.uuid()
      let lock = HeldLock(address: address, session: session)
      let left = LeftLock(number: place.id, lock: lock, asked: try reader.instant(), isStolen: bytes[0] == 2)
      return HeldLockRow(holder: place.owner, place: try reader.text(), left: left)
    }
  }

  static func delete(_ number: Int, _ scope: WriteScope) throws {
    try scope.connection.execute("DELETE FROM held WHERE id = ?", [number])
  }

  static func isThere(_ number: Int, _ connection: Connection) throws -> Bool {
    try !connection.value("SELECT 1 FROM held WHERE id = ?", [number]).isNull
  }
}
