import PluginStore

/// A record found by a search of a snapshot.
struct FoundRecord: Sendable, Hashable {
  /// The kind of record.
  enum Kind: String, Sendable, CaseIterable {
    case pathway, metabolite, process
  }

  var kind: Kind
  var id: Identifier
  var name: String
}

extension SnapshotRows {
  /// Returns the records with words in their name or synonyms that begin with those of a text, best match first.
  ///
  /// Among equal matches, pathways come before metabolites, and metabolites before processes.
  ///
  /// - Source: SQLite, FTS5 extension, sections 3 and 5.1.1 (bm25), https://www.sqlite.org/fts5.html
  func search(_ text: String, limit: Int) throws -> [FoundRecord] {
    // The index splits a word such as `2.7.1` into several, which must then be adjacent.
    let words = text.split { $0.isWhitespace || $0 == "\"" }.filter { $0.contains { $0.isLetter || $0.isNumber } }
    if words.isEmpty { return [] }
    let query = words.map { "\"\($0)\"*" }.joined(separator: " ")
    return try connection.list(
      "SELECT kind, id, name FROM words WHERE words MATCH ? ORDER BY bm25(words, 4, 1), rowid LIMIT ?", [query, limit]
    ) {
      FoundRecord(
        kind: FoundRecord.Kind(rawValue: $0.text(0)) ?? .process, id: Identifier($0.text(1)), name: $0.text(2))
    }
  }
}
