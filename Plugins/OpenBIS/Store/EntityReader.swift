import PluginAPI
import PluginStore
import PluginText

// Reading and searching; each function sees one committed state, even while a long response is applied.
extension EntityStore {
  /// Returns the navigation entities, in list order.
  func navigation() async throws -> [EntitySummary] { try await read { try EntityReader($0).navigation() } }

  /// Returns a range of the roots of all categories, or of one by its label or the PERM_ID of its navigation entity.
  func roots(in category: String?, _ range: Range<Int>) async throws -> EntityPage {
    try await read { try EntityReader($0).roots(in: category, range) }
  }

  /// Returns the entities whose ids begin with a text, those new in the cache first, without those that are not loaded.
  func latest(prefix: String, limit: Int) async throws -> [EntitySummary] {
    try await read { try EntityReader($0).latest(prefix: prefix, limit: limit) }
  }

  /// Returns a range of an entity's children.
  func children(of permID: String, _ range: Range<Int>) async throws -> EntityPage {
    try await read { try EntityReader($0).children(of: permID, range) }
  }

  /// Returns the entities below which an entity is listed.
  func parents(of permID: String) async throws -> [EntitySummary] {
    try await read { try EntityReader($0).parents(of: permID) }
  }

  /// Returns all cached data of an entity; nil if it is unknown.
  func entity(_ permID: String) async throws -> Entity? { try await read { try EntityReader($0).entity(permID) } }

  /// Returns entities with the ids of all their children, in the order of the ids; nil for unknown ones.
  func families(_ permIDs: [String]) async throws -> [EntityFamily?] {
    try await read { try EntityReader($0).families(permIDs) }
  }

  /// Returns the summaries of entities, in the order of the ids; nil for an unknown id.
  func summaries(_ permIDs: [String]) async throws -> [EntitySummary?] {
    try await read { try EntityReader($0).summaries(of: permIDs) }
  }

  /// Calls `body` with the entities as a graph to traverse, within one read.
  func withGraph<Result: Sendable>(
    isUpward: Bool, _ body: @escaping @Sendable (GraphReading) throws -> Result
  ) async throws -> Result {
    try await read { try body(EntityReader($0).graph(isUpward: isUpward)) }
  }

  /// Returns the ids of all children of an entity, in list order.
  func childIDs(of permID: String) async throws -> PackedTexts {
    try await read { try EntityReader($0).childIDs(of: permID) }
  }

  /// Returns the numbers of cached entities.
  func counts() async throws -> EntityCounts { try await read { try EntityReader($0).counts() } }

  /// Counts and stores the numbers until the next change, so that ``counts()`` need not count.
  func keepCounts() async throws { try await write(EntityTally.keep) }

  // MARK: Lists

  /// Returns a range of a list's rows.
  func page(of source: EntityListSource, _ range: Range<Int>) async throws -> EntityPage {
    try await read { try EntityReader($0).page(of: source, range) }
  }

  /// Returns the rows of a list that contain a text.
  func filter(_ text: String, in source: EntityListSource, limit: Int) async throws -> FoundEntities {
    try await read { try EntityReader($0).filter(text, in: source, limit: limit) }
  }

  // MARK: Searching

  /// Returns the entities that contain every word of a text, or a word that begins with it.
  ///
  /// Headers, summaries, identifiers, categories and values of properties are searched; case and diacritics are
  /// ignored, and every character that is neither a letter nor a digit separates words.
  func search(_ text: String, limit: Int) async throws -> FoundEntities {
    try await read { try EntitySearch.words(text, limit, $0).entities($0) }
  }

  /// Returns the ids that ``search(_:limit:)`` finds.
  func searchIDs(_ text: String, limit: Int) async throws -> FoundIDs {
    try await read { try EntitySearch.words(text, limit, $0).ids($0) }
  }

  /// Returns the entities that contain a text anywhere; case and diacritics are ignored.
  ///
  /// All texts are searched: headers, summaries, identifiers, categories, ids, properties and the server's references.
  ///
  /// - Parameter under: An entity whose children alone are searched; nil for all entities.
  func filter(_ text: String, under: String? = nil, limit: Int) async throws -> FoundEntities {
    try await read { try EntityFilter.matches(text, under, limit, $0).entities($0) }
  }

  /// Returns the ids that ``filter(_:under:limit:)`` finds.
  func filterIDs(_ text: String, under: String? = nil, limit: Int) async throws -> FoundIDs {
    try await read { try EntityFilter.matches(text, under, limit, $0).ids($0) }
  }

  /// Returns true if the index for ``filter(_:under:limit:)`` is behind.
  func indexPending() async throws -> Bool { try await read(EntityIndexer.isPending) }

  /// Indexes some more entities, in a short transaction.
  ///
  /// - Returns: True if the index is still behind.
  @discardableResult
  func indexSome() async throws -> Bool { try await write(EntityIndexer.indexSome) }
}

/// A reader of a cache's tables on a connection, which sees one committed state.
struct EntityReader {
  private let connection: Connection

  init(_ connection: Connection) {
    self.connection = connection
  }

  private static let summaryColumns = "entity.perm_id, category, header, summary, child_count, flags"

  private static func summary(_ row: Row) -> EntitySummary {
    EntitySummary(
      permID: row.text(0), category: row.text(1), summaryHeader: row.text(2), summary: row.text(3),
      childCount: row.isNull(4) ? nil : row.integer(4), flags: EntityFlags(rawValue: row.integer(5)))
  }

  /// Returns the number of an entity; nil if it is unknown.
  private func id(_ permID: String) throws -> Int? {
    try connection.first("SELECT id FROM entity WHERE perm_id = ?", [permID]) { $0.integer(0) }
  }

  /// Returns entities by their numbers, in that order.
  private func summaries(_ ids: [Int]) throws -> [EntitySummary] {
    try ids.compactMap { id in
      try connection.first("SELECT \(Self.summaryColumns) FROM entity WHERE id = ?", [id], Self.summary)
    }
  }

  /// Returns entities by their ids, in that order; nil for an unknown id.
  func summaries(of permIDs: [String]) throws -> [EntitySummary?] {
    try permIDs.map { permID in
      try connection.first("SELECT \(Self.summaryColumns) FROM entity WHERE perm_id = ?", [permID], Self.summary)
    }
  }

  /// Returns entities by their numbers, in list order.
  func sortedSummaries(_ ids: [Int]) throws -> [EntitySummary] {
    let rows = try ids.compactMap { id in
      try connection.first("SELECT \(Self.summaryColumns), sort FROM entity WHERE id = ?", [id]) {
        (summary: Self.summary($0), sort: $0.bytes(6))
      }
    }
    return rows.sorted { $0.sort.lexicographicallyPrecedes($1.sort) }.map(\.summary)
  }

  /// Returns the ids of entities by their numbers, in list order.
  func sortedIDs(_ numbers: [Int]) throws -> PackedTexts {
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
  func families(_ permIDs: [String]) throws -> [EntityFamily?] {
    try permIDs.map { permID in
      guard let entity = try entity(permID) else { return nil }
      let children = try entity.childCount.map { $0 == 0 ? PackedTexts() : try childIDs(of: permID) }
      return EntityFamily(entity: entity, children: children)
    }
  }

  // MARK: Lists

  /// Returns the navigation entities, in list order.
  func navigation() throws -> [EntitySummary] {
    try connection.list(
      "SELECT \(Self.summaryColumns) FROM entity INDEXED BY entity_navigation WHERE flags & 4 ORDER BY sort", [],
      Self.summary)
  }

  /// Returns the entities whose ids begin with a text, those new in the cache first, without those that are not loaded.
  func latest(prefix: String, limit: Int) throws -> [EntitySummary] {
    // Without a prefix, the numbers are read from the end, which needs no sorting.
    let condition = prefix.isEmpty ? "" : "\(IDRange.condition) AND"
    return try connection.list(
      """
      SELECT \(Self.summaryColumns) FROM entity WHERE \(condition) NOT flags & \(EntityFlags.notLoaded.rawValue)
        ORDER BY id DESC LIMIT \(limit)
      """, prefix.isEmpty ? [] : IDRange.bounds(prefix), Self.summary)
  }

  /// Returns roots: all loaded ones, or those of a category, identified by its label or the PERM_ID of its navigation
  /// entity.
  ///
  /// Some servers list a category's roots as its children, others only write its label on each root.
  func roots(in category: String?, _ range: Range<Int>) throws -> EntityPage {
    guard let category else { return try labeledRoots(nil, range) }
    let entry = try connection.first(
      """
      SELECT perm_id, header FROM entity INDEXED BY entity_navigation
        WHERE flags & 4 AND (perm_id = ? OR header = ?) ORDER BY perm_id = ? DESC LIMIT 1
      """, [category, category, category]
    ) { (permID: $0.text(0), label: $0.text(1)) }
    if let entry {
      let listed = try children(of: entry.permID, range)
      if listed.total > 0 { return listed }
      let labeled = try labeledRoots(entry.label, range)
      if labeled.total > 0 { return labeled }
    }
    return try labeledRoots(category, range)
  }

  /// Returns roots by a range of sort keys: all loaded ones of a category, or of all categories.
  private func labeledRoots(_ category: String?, _ range: Range<Int>) throws -> EntityPage {
    let first = category.map { SortKey.prefix(ofCategory: $0) } ?? []
    // No byte of a UTF-8 text is as large.
    let last = category == nil ? [0xFF] : first + [0xFF]
    let from = "FROM entity INDEXED BY entity_roots WHERE flags & 2 AND sort >= ? AND sort < ?"
    let kept = category == nil ? try EntityTally.kept(connection)?.roots : nil
    let total = try kept ?? connection.value("SELECT count(*) \(from)", [first, last]).integer ?? 0
    let ids = try numbers(in: range, of: total) { direction, limit, offset in
      try connection.list(
        "SELECT id \(from) ORDER BY sort \(direction) LIMIT ? OFFSET ?", [first, last, limit, offset]
      ) { $0.integer(0) }
    }
    return EntityPage(rows: try summaries(ids), total: total)
  }

  /// Returns roots that are not navigation.
  ///
  /// The index of roots is scanned, and the navigation, which is short, is left out.
  private func otherRoots(_ range: Range<Int>) throws -> EntityPage {
    let navigation = "FROM entity INDEXED BY entity_navigation WHERE flags & 4"
    let all =
      try EntityTally.kept(connection)?.roots
      ?? connection.value("SELECT count(*) FROM entity INDEXED BY entity_roots WHERE flags & 2").integer ?? 0
    let left = try connection.value("SELECT count(*) \(navigation) AND flags & 2").integer ?? 0
    let ids = try numbers(in: range, of: all - left) { direction, limit, offset in
      try connection.list(
        """
        SELECT id FROM entity INDEXED BY entity_roots WHERE flags & 2 AND id NOT IN (SELECT id \(navigation))
          ORDER BY sort \(direction) LIMIT ? OFFSET ?
        """, [limit, offset]
      ) { $0.integer(0) }
    }
    return EntityPage(rows: try summaries(ids), total: all - left)
  }

  /// Returns a range of an entity's children.
  func children(of permID: String, _ range: Range<Int>) throws -> EntityPage {
    let parent = try connection.first("SELECT id, child_count FROM entity WHERE perm_id = ?", [permID]) {
      ($0.integer(0), $0.integer(1))
    }
    guard let (id, total) = parent else { return EntityPage() }
    let ids = try numbers(in: range, of: total) { direction, limit, offset in
      try connection.list(
        "SELECT child FROM edge WHERE parent = ? ORDER BY sort \(direction), child \(direction) LIMIT ? OFFSET ?",
        [id, limit, offset]
      ) { $0.integer(0) }
    }
    return EntityPage(rows: try summaries(ids), total: total)
  }

  /// Returns a range of the numbers in a list, read from the nearer end, because an index is skipped entry by entry.
  private func numbers(
    in range: Range<Int>, of total: Int, _ read: (String, Int, Int) throws -> [Int]
  ) rethrows -> [Int] {
    let range = range.clamped(to: 0..<total)
    if range.isEmpty { return [] }
    if range.lowerBound <= total - range.upperBound { return try read("ASC", range.count, range.lowerBound) }
    return try read("DESC", range.count, total - range.upperBound).reversed()
  }

  /// Returns the entities below which an entity is listed.
  func parents(of permID: String) throws -> [EntitySummary] {
    guard let id = try id(permID) else { return [] }
    let ids = try connection.list("SELECT parent FROM link WHERE child = ?", [id]) { $0.integer(0) }
    return try sortedSummaries(ids)
  }

  /// Returns the entities as a graph to traverse, within the read that this reader belongs to.
  func graph(isUpward: Bool = false) -> GraphReading {
    GraphReading {
      try neighbors(of: $0, isUpward: isUpward)
    } summaries: {
      try summaries(of: $0)
    } mayHaveNeighbors: {
      isUpward || $0.childCount != 0
    }
  }

  /// Returns the ids of an entity's children, or of its parents.
  private func neighbors(of permID: String, isUpward: Bool) throws -> PackedTexts {
    isUpward ? PackedTexts(try parents(of: permID).map(\.permID)) : try childIDs(of: permID)
  }

  /// Returns the ids of all children of an entity, in list order.
  func childIDs(of permID: String) throws -> PackedTexts {
    var ids = PackedTexts()
    guard let id = try id(permID) else { return ids }
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

  /// Returns all cached data of an entity; nil if it is unknown.
  func entity(_ permID: String) throws -> Entity? {
    try connection.first(
      """
      SELECT \(Self.summaryColumns), identifier, refcon, properties, images, at
        FROM entity LEFT JOIN seen ON seen.id = entity.id WHERE perm_id = ?
      """, [permID]
    ) { row in
      let head = Self.summary(row)
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
      if !row.isNull(10) { entity.updatedAt = Self.instant(milliseconds: row.integer(10)) }
      return entity
    }
  }

  /// Returns the properties of an entity; nil if they are not loaded.
  func properties(_ permID: String) throws -> [Property]? {
    let select = try connection.statement("SELECT properties FROM entity WHERE perm_id = ?")
    try select.bind(permID, at: 1)
    defer { select.reset() }
    guard try select.step(), !select.isNull(0) else { return nil }
    return EntityCoding.properties(select.bytes(0))
  }

  private static func instant(milliseconds: Int) -> Instant {
    let seconds = milliseconds >= 0 ? milliseconds / 1000 : (milliseconds - 999) / 1000
    return Instant(seconds: Int64(seconds), nanoseconds: Int32((milliseconds - seconds * 1000) * 1_000_000))
  }

  /// Returns the bytes of an image by its SHA-256; nil if it is not stored, or no longer.
  func image(_ hash: String) throws -> [UInt8]? {
    try connection.first("SELECT bytes FROM image WHERE hash = ?", [hash]) { $0.bytes(0) }
  }

  /// Returns the SHA-256 of the image from an address; nil if it is not stored.
  func imageHash(for address: String) throws -> String? {
    try connection.first(
      "SELECT hash FROM image_address JOIN image ON image.id = image WHERE address = ?", [address]
    ) { $0.text(0) }
  }

  /// Returns the numbers of entities and images.
  func counts() throws -> EntityCounts {
    var counts = try EntityTally.kept(connection) ?? EntityTally.counted(connection)
    counts.images = try connection.value("SELECT count(*) FROM image").integer ?? 0
    counts.imageBytes = try connection.value("SELECT coalesce(sum(size), 0) FROM image").integer ?? 0
    return counts
  }

  // MARK: Lists of the browser

  /// Returns a range of a list's rows.
  func page(of source: EntityListSource, _ range: Range<Int>) throws -> EntityPage {
    switch source {
    case .children(let id): try children(of: id, range)
    case .category(let id, let label): try category(id, label, range)
    case .top: try top(range)
    }
  }

  /// Returns the rows of a list that contain a text.
  func filter(_ text: String, in source: EntityListSource, limit: Int) throws -> FoundEntities {
    func matches(under id: String?, limit: Int) throws -> FoundEntities {
      try EntityFilter.matches(text, id, limit, connection).entities(connection)
    }
    switch source {
    case .children(let id): return try matches(under: id, limit: limit)
    case .category(let id, let label):
      let below = try matches(under: id, limit: limit)
      if !below.rows.isEmpty { return below }
      // The matches are searched for the category; if there are very many, the last ones are missed.
      var found = try matches(under: nil, limit: 20 * limit)
      let rows = found.rows.filter { [label, id].contains($0.category) && $0.flags.contains(.rootLevel) }
      found.rows = Array(rows.prefix(limit))
      found.hasMore = found.hasMore || rows.count > limit
      return found
    case .top:
      let rows = try categories()
      let isAll = rows.allSatisfy { $0.flags.contains(.rootLevel) }
      if try rows.isEmpty || isAll && otherRoots(0..<1).total > 0 {
        return try matches(under: nil, limit: limit)
      }
      let wanted = FoldedText.bytes(text)
      let hits = rows.filter { row in
        [row.summaryHeader, row.summary, row.permID].contains {
          ByteSearch.contains(wanted, in: FoldedText.bytes($0))
        }
      }
      return FoundEntities(rows: Array(hits.prefix(limit)), hasMore: hits.count > limit)
    }
  }

  private func category(_ id: String, _ label: String, _ range: Range<Int>) throws -> EntityPage {
    // The entity's children may have become known since the list was opened.
    if let entity = try summaries(of: [id]).first ?? nil, entity.childCount != nil {
      return try children(of: id, range)
    }
    let page = try roots(in: label, range)
    return label.isEmpty || page.total == 0 ? try roots(in: id, range) : page
  }

  private func top(_ range: Range<Int>) throws -> EntityPage {
    let rows = try categories()
    let first = rows[range.clamped(to: 0..<rows.count)]
    guard rows.allSatisfy({ $0.flags.contains(.rootLevel) }) else {
      return EntityPage(rows: Array(first), total: rows.count)
    }
    let start = max(0, range.lowerBound - rows.count)
    let others = try otherRoots(start..<max(start, range.upperBound - rows.count))
    return EntityPage(rows: first + others.rows, total: rows.count + others.total)
  }

  /// Returns the navigation sorted by headings, and within them by names.
  ///
  /// Lists go from the last category to the first; entry points are ordered as people look for them.
  private func categories() throws -> [EntitySummary] {
    try navigation().map { row in
      (row: row, key: NaturalOrder.key(row.category) + [0, 0] + NaturalOrder.key(row.title))
    }.sorted { $0.key.lexicographicallyPrecedes($1.key) }.map(\.row)
  }
}

/// The number of entities, stored from one change to the next: counting a million takes longer than a refresh.
enum EntityTally {
  /// Returns the stored numbers: those of entities, and in the order of ``NativeKind/number`` those of objects, which
  /// earlier versions did not store; none if there are none.
  private static func numbers(_ connection: Connection) throws -> [Int] {
    let text = try connection.value("SELECT value FROM setting WHERE name = 'counts'").text ?? ""
    return text.split(separator: " ").compactMap { Int($0) }
  }

  private static func hasObjects(_ numbers: [Int]) -> Bool { numbers.count == 4 + NativeKind.allCases.count }

  /// Returns the numbers counted since the last change; nil if there are none.
  static func kept(_ connection: Connection) throws -> EntityCounts? {
    let numbers = try numbers(connection)
    guard numbers.count >= 4 else { return nil }
    return EntityCounts(entities: numbers[0], notLoaded: numbers[1], roots: numbers[2], navigation: numbers[3])
  }

  /// Returns the number of objects of a kind counted since the last change; nil if there is none.
  static func keptObjects(_ kind: NativeKind, _ connection: Connection) throws -> Int? {
    let numbers = try numbers(connection)
    return hasObjects(numbers) ? numbers[3 + kind.number] : nil
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
    if hasObjects(try numbers(connection)) { return }
    let counts = try counted(connection)
    var numbers = [counts.entities, counts.notLoaded, counts.roots, counts.navigation]
    for kind in NativeKind.allCases.sorted(by: { $0.number < $1.number }) {
      numbers.append(try connection.value("SELECT count(*) FROM seen WHERE kind = ?", [kind.number]).integer ?? 0)
    }
    try connection.execute(
      "INSERT OR REPLACE INTO setting (name, value) VALUES ('counts', ?)",
      [numbers.map(String.init).joined(separator: " ")])
  }

  /// Discards the numbers because of a change.
  static func forget(_ connection: Connection) throws {
    try connection.execute("DELETE FROM setting WHERE name = 'counts'")
  }
}

/// The range of the ids that begin with a text.
enum IDRange {
  /// The condition of a query, which the index on ids answers.
  static let condition = "perm_id >= ? AND perm_id < ?"

  /// Returns the values of the condition; the last character of Unicode ends the range.
  static func bounds(_ prefix: String) -> [(any SQLConvertible)?] { [prefix, prefix + "\u{10FFFF}"] }
}
