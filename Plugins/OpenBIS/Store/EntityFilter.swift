import PluginStore
import PluginText

/// The search for a text anywhere in entities.
struct EntityFilter {
  private let connection: Connection
  private let wanted: [UInt8]
  private let limit: Int
  private let select: PreparedStatement
  private var text: [UInt8] = []
  private var found: [Int] = []
  private var looked = 0
  private var seen = NumberSet()

  /// The largest number of entities that one search examines, so that it ends in time.
  static let mostLooked = 20_000
  /// The length up to which lists are scanned without the index.
  private static let shortList = 3000

  private init(_ connection: Connection, _ wanted: [UInt8], _ limit: Int) throws {
    self.connection = connection
    self.wanted = wanted
    self.limit = limit
    select = try connection.statement("SELECT \(EntityText.columns) FROM entity WHERE id = ?")
  }

  static func matches(
    _ text: String, _ under: String?, _ limit: Int, _ connection: Connection
  ) throws -> FoundNumbers {
    let wanted = FoldedText.bytes(text)
    if wanted.isEmpty || limit <= 0 { return FoundNumbers() }
    var filter = try EntityFilter(connection, wanted, limit)
    if let under { return try filter.children(of: under) }
    return try filter.everywhere()
  }

  /// A Boolean value indicating whether the search is complete.
  private var isDone: Bool { found.count > limit || looked >= Self.mostLooked }

  /// Examines an entity.
  private mutating func look(_ id: Int) throws {
    guard seen.insert(id) else { return }
    looked += 1
    try select.bind(id, at: 1)
    defer { select.reset() }
    guard try select.step() else { return }
    text.removeAll(keepingCapacity: true)
    EntityText.append(select, to: &text)
    if ByteSearch.contains(wanted, in: text) { found.append(id) }
  }

  private func result(notIndexed: Int = 0, isOver: Bool) -> FoundNumbers {
    // There may or may not be more among the entities that are not indexed.
    let hasMore = found.count > limit || !isOver && notIndexed == 0
    return FoundNumbers(numbers: Array(found.prefix(limit)), hasMore: hasMore, notIndexed: notIndexed)
  }

  // MARK: Everywhere

  private mutating func everywhere() throws -> FoundNumbers {
    guard let query = Self.query(wanted) else { return try scan() }
    let rows = try connection.rows("SELECT rowid FROM grams WHERE grams MATCH ? ORDER BY rowid", [query])
    while !isDone, let row = try rows.next() { try look(row.integer(0)) }
    if isDone { return result(isOver: false) }
    let upTo = try EntityIndexer.indexedUpTo(connection)
    let late = try connection.rows(
      "SELECT id FROM unindexed UNION ALL SELECT id FROM entity WHERE id > ? LIMIT ?", [upTo, Self.mostLooked])
    let before = looked
    while !isDone, let row = try late.next() { try look(row.integer(0)) }
    return result(notIndexed: isDone ? max(0, try notIndexed(upTo) - (looked - before)) : 0, isOver: !isDone)
  }

  private func notIndexed(_ upTo: Int) throws -> Int {
    let changed = try connection.value("SELECT count(*) FROM unindexed WHERE id <= ?", [upTo]).integer ?? 0
    return changed + (try connection.value("SELECT count(*) FROM entity WHERE id > ?", [upTo]).integer ?? 0)
  }

  /// Finds one or two characters by scanning: they are frequent, so the first matches are found soon.
  private mutating func scan() throws -> FoundNumbers {
    let rows = try connection.rows("SELECT id FROM entity ORDER BY id")
    while !isDone, let row = try rows.next() { try look(row.integer(0)) }
    return result(isOver: !isDone)
  }

  // MARK: Below an entity

  private mutating func children(of permID: String) throws -> FoundNumbers {
    let parent = try connection.first("SELECT id, child_count FROM entity WHERE perm_id = ?", [permID]) {
      ($0.integer(0), $0.integer(1))
    }
    guard let (id, count) = parent else { return FoundNumbers() }
    let isBehind = try EntityIndexer.isPending(connection)
    if count > Self.shortList, !isBehind, let query = Self.query(wanted) {
      let rows = try connection.rows(
        """
        SELECT grams.rowid FROM grams CROSS JOIN link ON link.child = grams.rowid AND link.parent = ?
          WHERE grams MATCH ? ORDER BY grams.rowid
        """, [id, query])
      while !isDone, let row = try rows.next() { try look(row.integer(0)) }
    } else {
      let rows = try connection.rows("SELECT child FROM edge WHERE parent = ? ORDER BY sort, child", [id])
      while !isDone, let row = try rows.next() { try look(row.integer(0)) }
    }
    return result(isOver: !isDone)
  }

  // MARK: The query

  /// The largest number of trigrams in a query; each costs the reading of its list.
  private static let mostGrams = 6

  /// Returns the query for the trigrams of a text; nil if the text is shorter.
  ///
  /// Trigrams across the end of a word occur in far fewer entities than those within a word, and come first.
  ///
  /// - Source: SQLite, FTS5 extension, sections 3 and 4.3.4, https://www.sqlite.org/fts5.html
  static func query(_ wanted: [UInt8]) -> String? {
    var bytes = wanted
    EntityIndexer.clean(&bytes)
    let scalars = Array(String(decoding: bytes, as: UTF8.self).unicodeScalars)
    guard scalars.count >= 3 else { return nil }
    var (within, across): ([String], [String]) = ([], [])
    for start in 0...(scalars.count - 3) {
      let gram = scalars[start..<(start + 3)].map { $0 == "\"" ? "\"\"" : String($0) }.joined()
      if within.contains(gram) || across.contains(gram) { continue }
      if isPartOfWord(scalars[start + 1]) { within.append(gram) } else { across.append(gram) }
    }
    var grams = spread(across, mostGrams)
    grams += spread(within, mostGrams - grams.count)
    return grams.map { "\"\($0)\"" }.joined(separator: " AND ")
  }

  private static func isPartOfWord(_ scalar: Unicode.Scalar) -> Bool {
    scalar.properties.isAlphabetic || scalar.properties.numericType != nil
  }

  /// Returns a limited number of elements, spread over the whole list.
  private static func spread(_ list: [String], _ most: Int) -> [String] {
    if list.count <= most { return list }
    return (0..<most).map { list[$0 * (list.count - 1) / max(1, most - 1)] }
  }
}

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

/// The searchable text of an entity: all its texts, folded, one per line.
enum EntityText {
  /// The columns that are read for the text, in their order.
  static let columns = "perm_id, header, summary, identifier, category, refcon, properties"

  /// Appends the folded text of a row to bytes.
  ///
  /// - Parameter first: The index of its first column.
  static func append(_ row: PreparedStatement, from first: Int = 0, to out: inout [UInt8]) {
    for column in first..<(first + 6) {
      row.withText(column) { if !$0.isEmpty { FoldedText.append($0, to: &out) } }
      out.append(10)
    }
    row.withBytes(first + 6) { properties in
      var index = 0
      _ = PackedTexts.forEach(encoded: properties) { text in
        // Keys are the server's names, which are never shown.
        if index % 3 != 0, !text.isEmpty {
          if index % 3 == 2, text.contains(UInt8(ascii: "<")) {
            FoldedText.append(SearchedText.of(String(decoding: text, as: UTF8.self)), to: &out)
          } else {
            FoldedText.append(text, to: &out)
          }
          out.append(10)
        }
        index += 1
      }
    }
  }
}
