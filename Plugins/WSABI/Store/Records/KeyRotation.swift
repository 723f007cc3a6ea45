import PluginAPI
import PluginStore
import PluginVault

/// The replacement of a store's master key, inside one transaction: everything is changed, or nothing.
///
/// Keys of records are wrapped again, and stay the same; the audit log, the users and the header are sealed again.
struct KeyRotation {
  /// The number of rows read before they are written.
  private static let batch = 500

  private let connection: Connection
  private let old: OpenVault
  private let new: OpenVault
  private let onRow: @Sendable (Int) throws -> Void
  private var rows = 0
  private var oldSum = Vault.zeroCode
  private var newSum = Vault.zeroCode

  /// - Parameter onRow: Receives the number of each written row, from 1; an error it throws undoes everything.
  init(
    _ connection: Connection, from old: OpenVault, to new: OpenVault, onRow: @escaping @Sendable (Int) throws -> Void
  ) {
    (self.connection, self.old, self.new, self.onRow) = (connection, old, new, onRow)
  }

  /// Changes everything that depends on the master key.
  ///
  /// - Throws: ``VaultError/damaged(_:)`` for an altered record or entry, as a new seal would hide the damage.
  consuming func run(at now: Instant) throws {
    try Header.checkKeys(connection, old)
    var anchor = try Header.anchor(connection, old)
    try rewrapRecords()
    try resealUsers()
    guard oldSum == anchor.census else { throw VaultError.damaged("the checksum of all records") }
    anchor.census = newSum
    anchor.auditCode = try resealAudit(anchor)
    anchor.turn += 1
    try connection.execute(
      "UPDATE vault SET epoch = ?, tags = ?", [new.epoch, old.keys.sealedTags(under: new.keys, of: old.store)])
    let scope = WriteScope(connection, new, anchor, now: now)
    try scope.audit(AuditEvent(.masterKeyChanged))
    try Header.setAnchor(scope.anchor, connection, new)
  }

  private mutating func rewrapRecords() throws {
    try rewrap("person", "version", isCounted: true) { PersonRow.place($0.integer(0), version: $0.integer(2)) }
    try rewrap("item", "person, place, version", isCounted: true) {
      ItemRow.place($0.integer(0), person: $0.integer(2), order: $0.integer(3), version: $0.integer(4))
    }
    try rewrap("capture", "item, entry, place, version", isCounted: true) {
      CaptureRow.place(
        $0.integer(0), item: $0.integer(2), entry: $0.integer(3), order: $0.integer(4), version: $0.integer(5))
    }
    try rewrap("journal", "item") { JournalRow.place($0.integer(0), item: $0.integer(2)) }
    try rewrap("captured", "entry, place") {
      CapturedRow.place($0.integer(0), entry: $0.integer(2), order: $0.integer(3))
    }
    try rewrap("sensor", "id") { SensorRow.place($0.integer(0)) }
    try rewrap("held", "holder") { HeldLockRow.place($0.integer(0), holder: $0.integer(2)) }
  }

  /// Wraps the keys of a table's records again; cleared records have none.
  private mutating func rewrap(
    _ table: String, _ columns: String, isCounted: Bool = false, _ place: (Row) -> RecordPlace
  ) throws {
    var last = Int.min
    while true {
      let found = try connection.list(
        "SELECT id, key, \(columns) FROM \(table) WHERE id > ? AND length(key) > 0 ORDER BY id LIMIT \(Self.batch)",
        [last]
      ) { (place: place($0), key: $0.bytes(1)) }
      for (place, wrapped) in found {
        let key = try old.keys.dataKey(wrapped, of: place)
        try connection.execute(
          "UPDATE \(table) SET key = ? WHERE id = ?", [new.keys.wrapped(key, as: place), place.id])
        try count(isCounted ? place : nil)
      }
      guard let end = found.last else { return }
      last = end.place.id
    }
  }

  /// Seals the users again, and gives each the new key; a user left behind could not open the store.
  private mutating func resealUsers() throws {
    for row in try UserRow.all(connection, old.keys) {
      guard !row.publicKey.isEmpty else { throw VaultError.keyOfOlderStore(user: row.user.id) }
      try connection.execute("UPDATE user SET body = ? WHERE id = ?", [row.sealed(new.keys), row.user.id])
      let given = try Vault.reporting { () throws(VaultFailure) in try new.keys.master.given(to: row.publicKey) }
      try connection.execute("UPDATE slot SET master = ? WHERE user = ?", [given, row.user.id])
      try count(row.place)
    }
  }

  /// Seals and chains the audit log again, once it is verified.
  ///
  /// - Returns: The code of the last entry.
  mutating func resealAudit(_ anchor: Anchor) throws -> [UInt8] {
    var code = Vault.zeroCode
    var newCode = code
    var last = 0
    while last < anchor.auditCount {
      let found = try connection.list(
        "SELECT number, body, code FROM audit WHERE number > ? ORDER BY number LIMIT \(Self.batch)", [last]
      ) { (number: $0.integer(0), body: $0.bytes(1), code: $0.bytes(2)) }
      if found.isEmpty { throw VaultError.damaged("entry \(last + 1) of the audit log") }
      for entry in found {
        let damaged = VaultError.damaged("entry \(last + 1) of the audit log")
        code = old.keys.chain.code(AuditEntry.chained(entry.number, entry.body, after: code))
        guard entry.number == last + 1, entry.code == code,
          let text = old.keys.audit.unseal(entry.body, bound: AuditEntry.bound(entry.number))
        else { throw damaged }
        let body = new.keys.audit.seal(text, bound: AuditEntry.bound(entry.number))
        newCode = new.keys.chain.code(AuditEntry.chained(entry.number, body, after: newCode))
        try connection.execute(
          "UPDATE audit SET body = ?, code = ? WHERE number = ?", [body, newCode, entry.number])
        last = entry.number
        try count(nil)
      }
    }
    guard code == anchor.auditCode else { throw VaultError.damaged("entry \(last) of the audit log") }
    return newCode
  }

  /// Counts a written row, and adds its place to both sums.
  private mutating func count(_ place: RecordPlace?) throws {
    if let place {
      Anchor.toggle(place, old.keys, in: &oldSum)
      Anchor.toggle(place, new.keys, in: &newSum)
    }
    rows += 1
    try onRow(rows)
  }
}
