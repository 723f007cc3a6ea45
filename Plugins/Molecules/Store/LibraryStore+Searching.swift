import PluginStore

extension LibraryStore {
  /// Returns the molecules whose code, title, compounds, authors and keywords contain every word of a text, or a word
  /// with that prefix.
  ///
  /// - Parameter text: Words separated by anything that is neither letter nor digit; case and accents are ignored.
  /// - Returns: The numbers, the best match first; nil if the text has no word.
  func matches(_ text: String) async throws -> [Int]? {
    guard let query = Self.query(text) else { return nil }
    return try await read { try Self.matches(query, $0) }
  }

  /// Returns the matches of a query, weighted by column: a code counts most, keywords least.
  ///
  /// The join is a cross join to fix its order: SQLite could otherwise query the index once for every molecule.
  private static func matches(_ query: String, _ connection: PluginStore.Connection) throws -> [Int] {
    try connection.list(
      """
      SELECT molecule_words.rowid FROM molecule_words CROSS JOIN molecule ON molecule.id = molecule_words.rowid
        WHERE molecule_words MATCH ? ORDER BY bm25(molecule_words, 16, 8, 4, 2, 1), molecule_words.rowid
      """, [query]
    ) { $0.integer(0) }
  }

  /// Returns the query of a text: each word in quotes, with an asterisk for prefixes; nil without a word.
  ///
  /// - Source: SQLite, FTS5 extension, section 3, https://www.sqlite.org/fts5.html
  static func query(_ text: String) -> String? {
    let words = text.split { !$0.isLetter && !$0.isNumber }
    return words.isEmpty ? nil : words.map { "\"\($0)\"*" }.joined(separator: " ")
  }
}
