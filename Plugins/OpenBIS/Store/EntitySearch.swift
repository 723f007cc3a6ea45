import PluginStore
import PluginText

/// The entities found by a search, by their numbers in the store.
struct FoundNumbers {
  var numbers: [Int] = []
  /// True if there are more than requested.
  var hasMore = false
  /// The number of entities that are not indexed and were not searched.
  var notIndexed = 0

  /// Returns the summaries of the entities.
  func entities(_ connection: Connection) throws -> FoundEntities {
    FoundEntities(
      rows: try EntityReader(connection).sortedSummaries(numbers), hasMore: hasMore, notIndexed: notIndexed)
  }

  /// Returns the ids alone, of which a million take little memory.
  func ids(_ connection: Connection) throws -> FoundIDs {
    FoundIDs(ids: try EntityReader(connection).sortedIDs(numbers), hasMore: hasMore, notIndexed: notIndexed)
  }
}

/// The search for words and prefixes of words.
///
/// For a prefix, the index reads all entries before it returns the first entity; for whole words it returns entities
/// one by one. Therefore a prefix is replaced by the words that begin with it, unless they are too many. A prefix of
/// too many words occurs in nearly every entity: the entities found by the other words are checked for it.
struct EntitySearch {
  private let connection: Connection
  private let limit: Int

  /// The largest number of words; further ones are ignored.
  private static let mostWords = 32
  /// The largest number of words that replace a prefix.
  private static let mostTerms = 64
  /// The largest number of entities that one search examines, so that it ends in time.
  private static let mostLooked = 20_000

  /// A prefix to search for.
  private struct Beginning {
    var text: String
    /// The part of a query for the words with this prefix.
    var clause: String
    /// A Boolean value indicating whether there are more words than those in the clause.
    var hasMore: Bool
  }

  static func words(_ text: String, _ limit: Int, _ connection: Connection) throws -> FoundNumbers {
    let words = text.split { !$0.isLetter && !$0.isNumber }.prefix(mostWords).map(String.init)
    if words.isEmpty || limit <= 0 { return FoundNumbers() }
    return try EntitySearch(connection: connection, limit: limit).search(words)
  }

  private func search(_ words: [String]) throws -> FoundNumbers {
    var beginnings: [Beginning] = []
    for word in words {
      guard let beginning = try beginning(word) else { return FoundNumbers() }
      beginnings.append(beginning)
    }
    var exact = beginnings.filter { !$0.hasMore }
    var others = beginnings.filter(\.hasMore)
    if exact.isEmpty, let longest = others.max(by: { $0.text.utf8.count < $1.text.utf8.count }) {
      // Some of the words of one prefix are tried first: they suffice if they match as many entities as requested.
      exact = [longest]
      others.removeAll { $0.text == longest.text }
      let found = try run(exact.map(\.clause), others.map(\.text))
      if found.hasMore { return found }
      return try run(beginnings.map { Self.beginningClause($0.text) }, [])
    }
    return try run(exact.map(\.clause), others.map(\.text))
  }

  /// Returns the entities that match all clauses and have words with all prefixes.
  private func run(_ clauses: [String], _ beginnings: [String]) throws -> FoundNumbers {
    let query = clauses.map { "(\($0))" }.joined(separator: " AND ")
    let wanted = beginnings.map { FoldedText.bytes($0) }
    let rows = try connection.rows("SELECT rowid FROM words WHERE words MATCH ? ORDER BY rowid", [query])
    var found: [Int] = []
    var looked = 0
    while found.count <= limit, looked < Self.mostLooked, let row = try rows.next() {
      let id = row.integer(0)
      if !wanted.isEmpty { looked += 1 }
      if try wanted.isEmpty || has(id, wanted) { found.append(id) }
    }
    let hasMore = found.count > limit || looked >= Self.mostLooked
    return FoundNumbers(numbers: Array(found.prefix(limit)), hasMore: hasMore)
  }

  /// Returns the query for a prefix; nil if no word begins with it.
  private func beginning(_ word: String) throws -> Beginning? {
    let folded = FoldedText.bytes(word)
    // The index folds letters beyond ASCII a little differently.
    guard folded.allSatisfy({ $0 < 0x80 }), !folded.isEmpty else {
      return Beginning(text: word, clause: Self.beginningClause(word), hasMore: false)
    }
    let select = try connection.statement("SELECT term FROM word_list WHERE term >= ? LIMIT 1")
    var terms: [String] = []
    var next = folded
    while terms.count <= Self.mostTerms {
      try next.withUnsafeBufferPointer { try select.bind(utf8: $0, at: 1) }
      defer { select.reset() }
      guard try select.step() else { break }
      let term = select.withText(0) { Array($0) }
      guard term.starts(with: folded) else { break }
      terms.append(String(decoding: term, as: UTF8.self))
      // The next possible text.
      next = term + [0]
    }
    if terms.isEmpty { return nil }
    let clause = terms.prefix(Self.mostTerms).map { "\"\($0)\"" }.joined(separator: " OR ")
    return Beginning(text: word, clause: clause, hasMore: terms.count > Self.mostTerms)
  }

  /// Returns the query clause of a prefix.
  /// - Source: SQLite, FTS5 extension, section 3, https://www.sqlite.org/fts5.html
  private static func beginningClause(_ word: String) -> String { "\"\(word)\"*" }

  /// Returns true if an entity has words with all of these prefixes.
  private func has(_ id: Int, _ wanted: [[UInt8]]) throws -> Bool {
    let select = try connection.statement(
      "SELECT header, summary, identifier, category, properties FROM entity WHERE id = ?")
    try select.bind(id, at: 1)
    guard try select.step() else { return false }
    var text: [UInt8] = []
    for column in 0..<4 {
      select.withText(column) { FoldedText.append($0, to: &text) }
      text.append(10)
    }
    for property in EntityCoding.properties(select.bytes(4)) {
      FoldedText.append(SearchedText.of(property.value), to: &text)
      text.append(10)
    }
    var missing = wanted
    for word in String(decoding: text, as: UTF8.self).split(whereSeparator: { !$0.isLetter && !$0.isNumber }) {
      missing.removeAll { word.utf8.starts(with: $0) }
      if missing.isEmpty { return true }
    }
    return false
  }
}
