import PluginStore

/// The sum of all records that there are, as the header must have it.
enum Census {
  /// Returns the sum of the places of people, items, captures and users, without opening any of them.
  static func sum(_ connection: Connection, _ keys: VaultKeys) throws -> [UInt8] {
    var sum = [UInt8](repeating: 0, count: Vault.codeSize)
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
