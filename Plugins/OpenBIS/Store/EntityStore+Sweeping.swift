import PluginAPI
import PluginStore

// Removing what the server has no more.
extension EntityStore {
  /// Removes entities that no answer since a generation spoke of and that nothing which stays leads to.
  ///
  /// What stays: entities of that generation or later, those to be kept, and all below them at any depth. Only after a
  /// complete synchronization: an answer that failed spoke of nothing.
  ///
  /// - Parameter keeping: Ids that stay with all below them, such as what is open on a screen.
  /// - Returns: How many were removed.
  /// - Complexity: Linear in the entities and edges; cycles and chains of any length are passed once.
  @discardableResult
  func sweep(before generation: Int, keeping: Set<String> = []) async throws -> Int {
    try await write(isLong: true) { try Self.sweep(generation, keeping, $0) }
  }

  /// As ``sweep(before:keeping:)``, for code with a thread of its own.
  @discardableResult
  func sweepAndWait(before generation: Int, keeping: Set<String> = []) throws -> Int {
    try writeAndWait(isLong: true) { try Self.sweep(generation, keeping, $0) }
  }

  private static func sweep(_ generation: Int, _ keeping: Set<String>, _ connection: Connection) throws -> Int {
    try connection.execute("CREATE TEMP TABLE IF NOT EXISTS reached (id INTEGER PRIMARY KEY)")
    try connection.execute("DELETE FROM temp.reached")
    for permID in keeping {
      try connection.execute(
        "INSERT OR IGNORE INTO temp.reached (id) SELECT id FROM entity WHERE perm_id = ?", [permID])
    }
    try connection.execute(
      """
      INSERT OR IGNORE INTO temp.reached (id)
        WITH RECURSIVE found (id) AS (
          SELECT id FROM temp.reached
          UNION SELECT id FROM seen WHERE generation >= ?
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

  /// Says that the server still has entities, without saying more of them.
  ///
  /// - Returns: Those of them that are not known here, or by their ids alone.
  @discardableResult
  func touch(_ permIDs: PackedTexts, generation: Int) async throws -> PackedTexts {
    try await write { try Self.touch(permIDs, generation, $0) }
  }

  /// As ``touch(_:generation:)``, for code with a thread of its own.
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

  /// Notes that the server was asked for entities and said nothing of them.
  func markMissing(_ permIDs: [String]) async throws {
    try await write { try Self.markMissing(permIDs, $0) }
  }

  /// As ``markMissing(_:)``, for code with a thread of its own.
  func markMissingAndWait(_ permIDs: [String]) throws {
    try writeAndWait { try Self.markMissing(permIDs, $0) }
  }

  private static func markMissing(_ permIDs: [String], _ connection: Connection) throws {
    for permID in permIDs {
      try connection.execute(
        "UPDATE entity SET flags = flags | ? WHERE perm_id = ?", [EntityFlags.missingOnServer.rawValue, permID])
    }
  }

  /// Removes everything: entities, lists, images, and where to resume.
  func removeAll() async throws {
    try await write(isLong: true, Self.removeAll)
  }

  /// As ``removeAll()``, for code with a thread of its own.
  func removeAllAndWait() throws {
    try writeAndWait(isLong: true, Self.removeAll)
  }

  private static func removeAll(_ connection: Connection) throws {
    let next = try RowApplier.nextID(connection)
    for table in ["entity", "seen", "edge", "link", "unindexed", "image", "image_address", "setting"] {
      try connection.execute("DELETE FROM \(table)")
    }
    try connection.execute("INSERT INTO words (words) VALUES ('delete-all')")
    try connection.execute("INSERT INTO grams (grams) VALUES ('delete-all')")
    try connection.execute("INSERT INTO setting (name, value) VALUES ('next-id', ?)", [next])
  }
}
