import PluginStore

/// The search for words.
enum EntitySearch {
  /// More words than these are passed over.
  static let mostWords = 32

  static func words(_ text: String, _ limit: Int, _ connection: Connection) throws -> FoundEntities {
    guard let query = query(text), limit > 0 else { return FoundEntities() }
    var ids = try connection.list(
      "SELECT rowid FROM words WHERE words MATCH ? ORDER BY rowid LIMIT ?", [query, limit + 1]
    ) { $0.integer(0) }
    let hasMore = ids.count > limit
    if hasMore { ids.removeLast() }
    return FoundEntities(rows: try EntityReader.sortedSummaries(ids, connection), hasMore: hasMore)
  }

  /// The query of a text: each word in quotes, with an asterisk for words that begin so; nil without a word.
  ///
  /// - Source: SQLite, FTS5 extension, section 3, https://www.sqlite.org/fts5.html
  static func query(_ text: String) -> String? {
    let words = text.split { !$0.isLetter && !$0.isNumber }.prefix(mostWords)
    return words.isEmpty ? nil : words.map { "\"\($0)\"*" }.joined(separator: " AND ")
  }
}
