import PluginStore

/// An incremental builder of the trigram index.
///
/// Entities are indexed in the order of their numbers; changed ones are indexed again. Stale entries of the index lead
/// to entities that are examined and do not match.
enum EntityIndexer {
  /// The number of entities per transaction.
  static let batch = 1000

  /// Returns the number of the last indexed entity.
  static func indexedUpTo(_ connection: Connection) throws -> Int {
    try connection.value("SELECT value FROM setting WHERE name = 'indexed-up-to'").integer ?? 0
  }

  static func isPending(_ connection: Connection) throws -> Bool {
    if try connection.first("SELECT 1 FROM unindexed LIMIT 1", [], { _ in true }) != nil { return true }
    return try connection.value("SELECT max(id) FROM entity").integer ?? 0 > indexedUpTo(connection)
  }

  static func indexSome(_ connection: Connection) throws -> Bool {
    let upTo = try indexedUpTo(connection)
    let columns = EntityText.columns
    let changed = try connection.statement(
      "SELECT entity.id, \(columns) FROM unindexed CROSS JOIN entity ON entity.id = unindexed.id LIMIT \(batch)")
    let insert = try connection.statement("INSERT INTO grams (rowid, text) VALUES (?, ?)")
    var (count, last) = (0, 0)
    while try changed.step() {
      last = changed.integer(0)
      try add(last, changed, insert)
      count += 1
    }
    changed.reset()
    // Entities behind the last indexed one are indexed anyway.
    try connection.execute("DELETE FROM unindexed WHERE id <= ? OR id > ?", [count < batch ? Int.max : last, upTo])
    if count < batch {
      let new = try connection.statement("SELECT id, \(columns) FROM entity WHERE id > ? ORDER BY id LIMIT ?")
      try new.bind(upTo, at: 1)
      try new.bind(batch - count, at: 2)
      last = upTo
      while try new.step() {
        last = new.integer(0)
        try add(last, new, insert)
      }
      new.reset()
      try connection.execute(
        "INSERT OR REPLACE INTO setting (name, value) VALUES ('indexed-up-to', ?)", [last])
    }
    return try isPending(connection)
  }

  private static func add(_ id: Int, _ row: PreparedStatement, _ insert: PreparedStatement) throws {
    var text: [UInt8] = []
    EntityText.append(row, from: 1, to: &text)
    clean(&text)
    try insert.bind(id, at: 1)
    try text.withUnsafeBufferPointer { try insert.bind(utf8: $0, at: 2) }
    try insert.run()
  }

  /// Replaces NUL by spaces, because the index would stop at it.
  static func clean(_ text: inout [UInt8]) {
    for index in text.indices where text[index] == 0 { text[index] = 32 }
  }
}
