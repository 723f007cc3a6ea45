import PluginAPI
import PluginStore

// Removing what the server has no more.
extension EntityStore {
  /// Removes entities that no answer since a generation spoke of and that nothing which stays leads to.
  ///
  /// What stays: entities of that generation or later, and all below them at any depth. Only after a complete
  /// synchronization: an answer that failed, or rows that could not be used, spoke of nothing.
  ///
  /// - Returns: How many were removed.
  /// - Complexity: Linear in the entities and edges; cycles and chains of any length are passed once.
  @discardableResult
  func sweep(before generation: Int) async throws -> Int {
    try await write(isLong: true) { try Self.sweep(generation, $0) }
  }

  /// As ``sweep(before:)``, for code with a thread of its own.
  @discardableResult
  func sweepAndWait(before generation: Int) throws -> Int {
    try writeAndWait(isLong: true) { try Self.sweep(generation, $0) }
  }

  private static func sweep(_ generation: Int, _ connection: Connection) throws -> Int {
    try connection.execute("CREATE TEMP TABLE IF NOT EXISTS reached (id INTEGER PRIMARY KEY)")
    try connection.execute("DELETE FROM temp.reached")
    try connection.execute(
      """
      INSERT OR IGNORE INTO temp.reached (id)
        WITH RECURSIVE found (id) AS (
          SELECT id FROM seen WHERE generation >= ?
          UNION SELECT edge.child FROM found CROSS JOIN edge ON edge.parent = found.id)
        SELECT id FROM found
      """, [generation])
    let doomed = try connection.list(
      "SELECT id FROM entity WHERE NOT EXISTS (SELECT 1 FROM temp.reached WHERE reached.id = entity.id)"
    ) { $0.integer(0) }
    try connection.execute("DELETE FROM temp.reached")
    return try remove(doomed, connection)
  }

  private static func remove(_ doomed: [Int], _ connection: Connection) throws -> Int {
    if doomed.isEmpty { return 0 }
    let applier = try RowApplier(
      connection, .objects, generation: 0, at: Instant(seconds: 0), imageBudget: Int.max)
    for id in doomed { try applier.remove(id) }
    _ = try applier.finish()
    return doomed.count
  }

  /// Removes all that no answer since a generation spoke of, whatever leads to it.
  ///
  /// What answers since then list without speaking of it stays as an id. If they spoke of nothing at all, all stays.
  ///
  /// - Returns: How many entities were removed.
  @discardableResult
  func removeOlder(than generation: Int) async throws -> Int {
    try await write(isLong: true) { try Self.removeOlder(generation, $0) }
  }

  /// As ``removeOlder(than:)``, for code with a thread of its own.
  @discardableResult
  func removeOlderAndWait(than generation: Int) throws -> Int {
    try writeAndWait(isLong: true) { try Self.removeOlder(generation, $0) }
  }

  private static func removeOlder(_ generation: Int, _ connection: Connection) throws -> Int {
    let isAnything = try connection.first("SELECT 1 FROM seen WHERE generation >= ? LIMIT 1", [generation]) { _ in true
    }
    guard isAnything != nil else { return 0 }
    let doomed = try connection.list(
      """
      SELECT id, EXISTS (
          SELECT 1 FROM link JOIN seen AS above ON above.id = link.parent
            WHERE link.child = seen.id AND told & 1 AND above.generation >= ?1)
        FROM seen WHERE generation < ?1
      """, [generation]
    ) { (id: $0.integer(0), isListed: $0.integer(1) != 0) }
    let applier = try RowApplier(
      connection, .objects, generation: 0, at: Instant(seconds: 0), imageBudget: Int.max)
    for (id, isListed) in doomed { try isListed ? applier.unload(id) : applier.remove(id) }
    _ = try applier.finish()
    // Ids that only those listed.
    _ = try sweep(generation, connection)
    return doomed.count
  }

  /// Says that the server still has entities, without saying more of them.
  ///
  /// - Parameter state: Where to resume after an interruption; nil leaves what is there.
  /// - Returns: Those of them that are not known here, or by their ids alone.
  @discardableResult
  func touch(_ permIDs: PackedTexts, generation: Int, state: [UInt8]? = nil) async throws -> PackedTexts {
    try await write { connection in
      if let state { try Self.keep(state, connection) }
      return try Self.touch(permIDs, generation, connection)
    }
  }

  /// As ``touch(_:generation:state:)``, for code with a thread of its own.
  @discardableResult
  func touchAndWait(_ permIDs: PackedTexts, generation: Int) throws -> PackedTexts {
    try writeAndWait { try Self.touch(permIDs, generation, $0) }
  }

  private static func touch(
    _ permIDs: PackedTexts, _ generation: Int, _ connection: Connection
  ) throws -> PackedTexts {
    let update = try connection.statement(
      "UPDATE seen SET generation = ? WHERE id = (SELECT id FROM entity WHERE perm_id = ?)")
    try update.bind(generation, at: 1)
    var unknown = PackedTexts()
    try permIDs.forEach { id in
      try update.bind(utf8: id, at: 2)
      try update.run()
      if connection.changedRows == 0 { unknown.append(id) }
    }
    return unknown
  }

  /// Removes the entities whose ids begin with a text and that were neither told nor touched since a generation.
  ///
  /// Only after all ids of that kind were touched.
  ///
  /// - Returns: How many were removed.
  @discardableResult
  func removeUntouched(prefix: String, before generation: Int) async throws -> Int {
    try await write(isLong: true) { try Self.removeUntouched(prefix, generation, $0) }
  }

  /// As ``removeUntouched(prefix:before:)``, for code with a thread of its own.
  @discardableResult
  func removeUntouchedAndWait(prefix: String, before generation: Int) throws -> Int {
    try writeAndWait(isLong: true) { try Self.removeUntouched(prefix, generation, $0) }
  }

  private static func removeUntouched(_ prefix: String, _ generation: Int, _ connection: Connection) throws -> Int {
    // No character is more than the last of Unicode.
    let doomed = try connection.list(
      """
      SELECT entity.id FROM entity JOIN seen ON seen.id = entity.id
        WHERE perm_id >= ? AND perm_id < ? AND generation < ?
      """, [prefix, prefix + "\u{10FFFF}", generation]
    ) { $0.integer(0) }
    return try remove(doomed, connection)
  }

  /// Whether anything but names is kept whose id begins with a text.
  func hasAny(prefix: String) async throws -> Bool {
    try await read { connection in
      try connection.first(
        """
        SELECT 1 FROM entity JOIN seen ON seen.id = entity.id WHERE perm_id >= ? AND perm_id < ? LIMIT 1
        """, [prefix, prefix + "\u{10FFFF}"]
      ) { _ in true } ?? false
    }
  }

  /// Notes that the server was asked for entities and said nothing of them; for code with a thread of its own.
  func markMissingAndWait(_ permIDs: [String]) throws {
    try writeAndWait { try Self.markMissing(permIDs, $0) }
  }

  private static func markMissing(_ permIDs: [String], _ connection: Connection) throws {
    for permID in permIDs {
      try connection.execute(
        "UPDATE entity SET flags = flags | ? WHERE perm_id = ?", [EntityFlags.missingOnServer.rawValue, permID])
    }
  }
}
