import PluginStore

/// Something of a snapshot that a search found.
struct FoundRecord: Sendable, Hashable {
  /// What it is.
  enum Kind: String, Sendable, CaseIterable {
    case pathway, metabolite, process
  }

  var kind: Kind
  var id: Identifier
  var name: String
}

extension SnapshotRows {
  /// What has words that begin with those of a text in its name or synonyms, the closest first.
  ///
  /// Pathways come before metabolites, and those before processes, where they fit alike.
  ///
  /// - Source: SQLite, FTS5 extension, sections 3 and 5.1.1 (bm25), https://www.sqlite.org/fts5.html
  func search(_ text: String, limit: Int) throws -> [FoundRecord] {
    // A word such as `2.7.1` is several to the index, which then have to follow each other.
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
