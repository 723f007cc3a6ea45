import PluginAPI
import PluginStore

/// A reader of a cache's tables on a connection.
enum EntityReader {
  private static let summaryColumns = "entity.perm_id, category, header, summary, child_count, flags"

  private static func summary(_ row: Row) -> EntitySummary {
    EntitySummary(
      permID: row.text(0), category: row.text(1), summaryHeader: row.text(2), summary: row.text(3),
      childCount: row.isNull(4) ? nil : row.integer(4), flags: EntityFlags(rawValue: row.integer(5)))
  }

  /// Returns the number of an entity; nil if it is unknown.
  static func id(_ permID: String, _ connection: Connection) throws -> Int? {
    try connection.first("SELECT id FROM entity WHERE perm_id = ?", [permID]) { $0.integer(0) }
  }

  /// Returns entities by their numbers, in that order.
  static func summaries(_ ids: [Int], _ connection: Connection) throws -> [EntitySummary] {
    try ids.compactMap { id in
      try connection.first("SELECT \(summaryColumns) FROM entity WHERE id = ?", [id], summary)
    }
  }

  /// Returns entities by their ids, in that order; nil for an unknown id.
  static func summaries(of permIDs: [String], _ connection: Connection) throws -> [EntitySummary?] {
    try permIDs.map { permID in
      try connection.first("SELECT \(summaryColumns) FROM entity WHERE perm_id = ?", [permID], summary)
    }
  }

  /// Returns entities by their numbers, in list order.
  static func sortedSummaries(_ ids: [Int], _ connection: Connection) throws -> [EntitySummary] {
    let rows = try ids.compactMap { id in
      try connection.first("SELECT \(summaryColumns), sort FROM entity WHERE id = ?", [id]) {
        (summary: summary($0), sort: $0.bytes(6))
      }
    }
    return rows.sorted { $0.sort.lexicographicallyPrecedes($1.sort) }.map(\.summary)
  }

  /// Returns the ids of entities by their numbers, in list order.
  static func sortedIDs(_ numbers: [Int], _ connection: Connection) throws -> PackedTexts {
    let select = try connection.statement("SELECT perm_id, sort FROM entity WHERE id = ?")
    var (ids, keys) = (PackedTexts(), [[UInt8]]())
    keys.reserveCapacity(numbers.count)
    for number in numbers {
      try select.bind(number, at: 1)
      defer { select.reset() }
      guard try select.step() else { continue }
      select.withText(0) { ids.append($0) }
      keys.append(select.bytes(1))
    }
    let order = keys.indices.sorted { keys[$0].lexicographicallyPrecedes(keys[$1]) }
    return PackedTexts(order.lazy.map { ids[$0] })
  }

  /// Returns entities with the ids of their children, in the order of the ids; nil for unknown ones.
  static func families(_ permIDs: [String], _ connection: Connection) throws -> [(Entity, PackedTexts)?] {
    try permIDs.map { permID in
      guard let entity = try entity(permID, connection) else { return nil }
      return (entity, entity.childCount == 0 ? PackedTexts() : try childIDs(permID, connection))
    }
  }

  // MARK: Lists

  static func navigation(_ connection: Connection) throws -> [EntitySummary] {
    try connection.list(
      "SELECT \(summaryColumns) FROM entity INDEXED BY entity_navigation WHERE flags & 4 ORDER BY sort", [], summary)
  }

  /// Returns roots: all loaded ones, or those of a category, identified by its label or the PERM_ID of its navigation
  /// entity.
  ///
  /// Some servers list a category's roots as its children, others only write its label on each root.
  static func roots(_ category: String?, _ range: Range<Int>, _ connection: Connection) throws -> EntityPage {
    guard let category else { return try labelledRoots(nil, range, connection) }
    let entry = try connection.first(
      """
      SELECT perm_id, header FROM entity INDEXED BY entity_navigation
        WHERE flags & 4 AND (perm_id = ? OR header = ?) ORDER BY perm_id = ? DESC LIMIT 1
      """, [category, category, category]
    ) { (permID: $0.text(0), label: $0.text(1)) }
    if let entry {
      let listed = try children(entry.permID, range, connection)
      if listed.total > 0 { return listed }
      let labelled = try labelledRoots(entry.label, range, connection)
      if labelled.total > 0 { return labelled }
    }
    return try labelledRoots(category, range, connection)
  }

  /// Returns roots by a range of sort keys: all loaded ones of a category, or of all categories.
  private static func labelledRoots(
    _ category: String?, _ range: Range<Int>, _ connection: Connection
  ) throws -> EntityPage {
    let first = category.map { SortKey.prefix(ofCategory: $0) } ?? []
    // No byte of a UTF-8 text is as large.
    let last = category == nil ? [0xFF] : first + [0xFF]
    let from = "FROM entity INDEXED BY entity_roots WHERE flags & 2 AND sort >= ? AND sort < ?"
    let kept = category == nil ? try EntityTally.kept(connection)?.roots : nil
    let total = try kept ?? connection.value("SELECT count(*) \(from)", [first, last]).integer ?? 0
    let ids = try page(range, of: total) { direction, limit, offset in
      try connection.list(
        "SELECT id \(from) ORDER BY sort \(direction) LIMIT ? OFFSET ?", [first, last, limit, offset]
      ) { $0.integer(0) }
    }
    return EntityPage(rows: try summaries(ids, connection), total: total)
  }

  /// Returns roots that are not navigation.
  ///
  /// The index of roots is scanned, and the navigation, which is short, is left out.
  static func otherRoots(_ range: Range<Int>, _ connection: Connection) throws -> EntityPage {
    let navigation = "FROM entity INDEXED BY entity_navigation WHERE flags & 4"
    let all =
      try EntityTally.kept(connection)?.roots
      ?? connection.value("SELECT count(*) FROM entity INDEXED BY entity_roots WHERE flags & 2").integer ?? 0
    let left = try connection.value("SELECT count(*) \(navigation) AND flags & 2").integer ?? 0
    let ids = try page(range, of: all - left) { direction, limit, offset in
      try connection.list(
        """
        SELECT id FROM entity INDEXED BY entity_roots WHERE flags & 2 AND id NOT IN (SELECT id \(navigation))
          ORDER BY sort \(direction) LIMIT ? OFFSET ?
        """, [limit, offset]
      ) { $0.integer(0) }
    }
    return EntityPage(rows: try summaries(ids, connection), total: all - left)
  }

  static func children(_ permID: String, _ range: Range<Int>, _ connection: Connection) throws -> EntityPage {
    let parent = try connection.first("SELECT id, child_count FROM entity WHERE perm_id = ?", [permID]) {
      ($0.integer(0), $0.integer(1))
    }
    guard let (id, total) = parent else { return EntityPage() }
    let ids = try page(range, of: total) { direction, limit, offset in
      try connection.list(
        "SELECT child FROM edge WHERE parent = ? ORDER BY sort \(direction), child \(direction) LIMIT ? OFFSET ?",
        [id, limit, offset]
      ) { $0.integer(0) }
    }
    return EntityPage(rows: try summaries(ids, connection), total: total)
  }

  /// Returns a range of the numbers in a list, read from the nearer end, because an index is skipped entry by entry.
  private static func page(
    _ range: Range<Int>, of total: Int, _ read: (String, Int, Int) throws -> [Int]
  ) rethrows -> [Int] {
    let range = range.clamped(to: 0..<total)
    if range.isEmpty { return [] }
    if range.lowerBound <= total - range.upperBound { return try read("ASC", range.count, range.lowerBound) }
    return try read("DESC", range.count, total - range.upperBound).reversed()
  }

  static func parents(_ permID: String, _ connection: Connection) throws -> [EntitySummary] {
    guard let id = try id(permID, connection) else { return [] }
    let ids = try connection.list("SELECT parent FROM link WHERE child = ?", [id]) { $0.integer(0) }
    return try sortedSummaries(ids, connection)
  }

  static func childIDs(_ permID: String, _ connection: Connection) throws -> PackedTexts {
    var ids = PackedTexts()
    guard let id = try id(permID, connection) else { return ids }
    let select = try connection.statement(
      """
      SELECT perm_id FROM edge CROSS JOIN entity ON entity.id = edge.child WHERE edge.parent = ?
        ORDER BY edge.sort, edge.child
      """)
    try select.bind(id, at: 1)
    while try select.step() { select.withText(0) { ids.append($0) } }
    return ids
  }

  // MARK: One entity

  static func entity(_ permID: String, _ connection: Connection) throws -> Entity? {
    try connection.first(
      """
      SELECT \(summaryColumns), identifier, refcon, properties, images, at
        FROM entity LEFT JOIN seen ON seen.id = entity.id WHERE perm_id = ?
      """, [permID]
    ) { row in
      let head = summary(row)
      var entity = Entity(permID: head.permID)
      entity.category = head.category
      entity.summaryHeader = head.summaryHeader
      entity.summary = head.summary
      entity.childCount = head.childCount
      entity.flags = head.flags
      if !row.isNull(6) { entity.identifier = row.text(6) }
      if !row.isNull(7) { entity.refcon = row.text(7) }
      if !row.isNull(8) { entity.properties = EntityCoding.properties(row.bytes(8)) }
      if !row.isNull(9) { entity.images = EntityCoding.images(row.bytes(9)) }
      if !row.isNull(10) { entity.updatedAt = instant(milliseconds: row.integer(10)) }
      return entity
    }
  }

  private static func instant(milliseconds: Int) -> Instant {
    let seconds = milliseconds >= 0 ? milliseconds / 1000 : (milliseconds - 999) / 1000
    return Instant(seconds: Int64(seconds), nanoseconds: Int32((milliseconds - seconds * 1000) * 1_000_000))
  }

  /// Returns the numbers of entities and images.
  static func counts(_ connection: Connection) throws -> EntityCounts {
    var counts = try EntityTally.kept(connection) ?? EntityTally.counted(connection)
    counts.images = try connection.value("SELECT count(*) FROM image").integer ?? 0
    counts.imageBytes = try connection.value("SELECT coalesce(sum(size), 0) FROM image").integer ?? 0
    return counts
  }
}
