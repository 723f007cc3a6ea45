import PluginStore

/// The number of entities, stored from one change to the next: counting a million takes longer than a refresh.
enum EntityTally {
  /// Returns the numbers counted since the last change; nil if there are none.
  static func kept(_ connection: Connection) throws -> EntityCounts? {
    guard let text = try connection.value("SELECT value FROM setting WHERE name = 'counts'").text else { return nil }
    let numbers = text.split(separator: " ").compactMap { Int($0) }
    guard numbers.count == 4 else { return nil }
    return EntityCounts(entities: numbers[0], notLoaded: numbers[1], roots: numbers[2], navigation: numbers[3])
  }

  /// Counts the entities.
  ///
  /// - Complexity: O(*entities*).
  static func counted(_ connection: Connection) throws -> EntityCounts {
    func count(_ sql: String) throws -> Int { try connection.value("SELECT count(*) FROM " + sql).integer ?? 0 }
    let (all, loaded) = (try count("entity"), try count("seen"))
    return EntityCounts(
      entities: loaded, notLoaded: all - loaded,
      roots: try count("entity INDEXED BY entity_roots WHERE flags & 2"),
      navigation: try count("entity INDEXED BY entity_navigation WHERE flags & 4"))
  }

  /// Counts and stores the numbers, unless that was done since the last change.
  static func keep(_ connection: Connection) throws {
    if try kept(connection) != nil { return }
    let counts = try counted(connection)
    let numbers = [counts.entities, counts.notLoaded, counts.roots, counts.navigation]
    try connection.execute(
      "INSERT OR REPLACE INTO setting (name, value) VALUES ('counts', ?)",
      [numbers.map(String.init).joined(separator: " ")])
  }

  /// Discards the numbers because of a change.
  static func forget(_ connection: Connection) throws {
    try connection.execute("DELETE FROM setting WHERE name = 'counts'")
  }
}
