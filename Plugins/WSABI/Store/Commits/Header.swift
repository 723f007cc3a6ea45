import PluginStore
import PluginVault

/// The row of the store with the parameters to open it, and its expected content.
struct Header: Sendable, Hashable {
  var store: [UInt8]
  var salt: [UInt8]
  var stretching: Stretching
  /// The number of changes of the master key.
  var epoch = 0
  /// The key of the tags, under the master key of now; empty while that is the first one.
  var tags: [UInt8] = []

  /// Reads the header; nil if the store was never finished.
  ///
  /// - Throws: ``VaultError/damaged(_:)`` for a header that no store has.
  init?(_ connection: Connection) throws {
    let row = try connection.first("SELECT store, salt, passes, memory, epoch, tags FROM vault") {
      ($0.bytes(0), $0.bytes(1), $0.integer(2), $0.integer(3), $0.integer(4), $0.bytes(5))
    }
    guard let (store, salt, passes, memory, epoch, tags) = row else { return nil }
    (self.store, self.salt, self.epoch, self.tags) = (store, salt, epoch, tags)
    stretching = Stretching(passes: passes, memoryInBytes: memory)
    guard store.count == Vault.saltSize, salt.count == Vault.saltSize, stretching.isAllowed,
      epoch >= 0, epoch < Int.max
    else { throw VaultError.damaged("the header") }
  }

  init(store: [UInt8], salt: [UInt8], stretching: Stretching) {
    (self.store, self.salt, self.stretching) = (store, salt, stretching)
  }

  /// Returns the associated data of a slot: everything that its key depends on.
  func bound(slot: Int, kind: Int) -> [UInt8] {
    var writer = ByteWriter(form: 1)
    writer.put(store)
    writer.put(salt)
    for number in [stretching.passes, stretching.memoryInBytes, slot, kind] { writer.put(number) }
    return writer.bytes
  }

  /// Refuses keys from before a change of the master key, by any process.
  ///
  /// - Throws: ``VaultError/locked``: these keys no longer open anything.
  static func checkKeys(_ connection: Connection, _ vault: OpenVault) throws {
    guard try connection.value("SELECT epoch FROM vault").integer == vault.epoch else { throw VaultError.locked }
  }

  static func anchor(_ connection: Connection, _ vault: OpenVault) throws -> Anchor {
    let sealed = try connection.value("SELECT anchor FROM vault").bytes ?? []
    guard let bytes = vault.keys.anchor.unseal(sealed, bound: vault.store), let anchor = Anchor(bytes) else {
      throw VaultError.damaged("the header")
    }
    return anchor
  }

  static func setAnchor(_ anchor: Anchor, _ connection: Connection, _ vault: OpenVault) throws {
    try connection.execute("UPDATE vault SET anchor = ?", [vault.keys.anchor.seal(anchor.bytes, bound: vault.store)])
  }
}

/// The expected content of the store, sealed in its header.
///
/// It reveals parts that were removed as a whole, or restored to an earlier state.
struct Anchor: Sendable, Equatable {
  /// The number of entries of the audit log.
  var auditCount = 0
  /// The code of its last entry, which holds those of all before.
  var auditCode = Vault.zeroCode
  /// The sum of all records: the exclusive or of the codes of their places, so that each change updates it in one step.
  var census = Vault.zeroCode
  var people = 0
  var items = 0
  var captures = 0
  /// Counts changes of people, so that another process's are noticed.
  var turn = 0

  var bytes: [UInt8] {
    var writer = ByteWriter(form: 1)
    writer.put(auditCount)
    writer.put(auditCode)
    writer.put(census)
    for number in [people, items, captures, turn] { writer.put(number) }
    return writer.bytes
  }

  init() {}

  /// Creates an anchor from its bytes; nil if they are malformed.
  init?(_ bytes: [UInt8]) {
    do {
      var reader = try ByteReader(bytes)
      auditCount = try reader.number()
      auditCode = try reader.content()
      census = try reader.content()
      people = try reader.number()
      items = try reader.number()
      captures = try reader.number()
      turn = try reader.number()
      try reader.checkEnd()
    } catch {
      return nil
    }
    if auditCode.count != Vault.codeSize || census.count != Vault.codeSize { return nil }
  }

  /// The last entry of the log.
  var head: AuditHead { AuditHead(number: auditCount, code: auditCode) }

  /// Adds a record to the sum, or removes it.
  mutating func toggle(_ place: RecordPlace, _ keys: VaultKeys) {
    Self.toggle(place, keys, in: &census)
  }

  static func toggle(_ place: RecordPlace, _ keys: VaultKeys, in sum: inout [UInt8]) {
    for (index, byte) in keys.census.code(place.part(.key)).enumerated() { sum[index] ^= byte }
  }
}

/// The sum of all records that there are, as the header must have it.
enum Census {
  /// Returns the sum of the places of people, items, captures and users, without opening any of them.
  static func sum(_ connection: Connection, _ keys: VaultKeys) throws -> [UInt8] {
    var sum = Vault.zeroCode
    func add(_ sql: String, _ place: (Row) -> RecordPlace) throws {
      let rows = try connection.rows(sql)
      while let row = try rows.next() { Anchor.toggle(place(row), keys, in: &sum) }
    }
    try add("SELECT id, version FROM person") { PersonRow.place($0.integer(0), version: $0.integer(1)) }
    try add("SELECT id, person, place, version FROM item") {
      ItemRow.place($0.integer(0), person: $0.integer(1), order: $0.integer(2), version: $0.integer(3))
    }
    try add("SELECT id, item, entry, place, version FROM capture") {
      CaptureRow.place(
        $0.integer(0), item: $0.integer(1), entry: $0.integer(2), order: $0.integer(3), version: $0.integer(4))
    }
    try add("SELECT id, version FROM user") { UserRow.place($0.integer(0), version: $0.integer(1)) }
    return sum
  }
}
