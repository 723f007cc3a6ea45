import PluginAPI
import PluginStore

// Removing entities that the server no longer has.
extension EntityStore {
  /// Removes entities that were not reported since a generation and cannot be reached from the remaining ones.
  ///
  /// Entities of that generation or later remain, and all entities below them at any depth. Call this only after a
  /// complete synchronization: failed responses and unusable rows report nothing.
  ///
  /// - Returns: The number of entities removed.
  /// - Complexity: Linear in the entities and edges; cycles and chains of any length are traversed once.
  @discardableResult
  func sweep(before generation: Int) async throws -> Int {
    try await write(isLong: true) { try Self.sweep(generation, $0) }
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

  static func remove(_ doomed: [Int], _ connection: Connection) throws -> Int {
    if doomed.isEmpty { return 0 }
    let applier = try RowApplier(
      connection, .objects, generation: 0, at: Instant(seconds: 0), imageBudget: Int.max)
    for id in doomed { try applier.remove(id) }
    _ = try applier.finish()
    return doomed.count
  }

  /// Removes all entities that were not reported since a generation, even if others list them.
  ///
  /// Entities that were listed since then but not reported remain as ids. If nothing was reported at all, all entities
  /// remain.
  ///
  /// - Returns: The number of entities removed.
  @discardableResult
  func removeOlder(than generation: Int) async throws -> Int {
    try await write(isLong: true) { try Self.removeOlder(generation, $0) }
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
    // Ids that were listed by removed entities only.
    _ = try sweep(generation, connection)
    return doomed.count
  }

  /// Marks requested entities as missing on the server.
  func markMissing(_ permIDs: [String]) async throws {
    try await write { try Self.markMissing(permIDs, $0) }
  }

  private static func markMissing(_ permIDs: [String], _ connection: Connection) throws {
    for permID in permIDs {
      try connection.execute(
        "UPDATE entity SET flags = flags | ? WHERE perm_id = ?", [EntityFlags.missingOnServer.rawValue, permID])
    }
  }
}
