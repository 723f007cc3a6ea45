import PluginStore

// Searching what is kept.
extension EntityStore {
  /// The entities that have every word of a text, or a word that begins so.
  ///
  /// Headers, summaries, identifiers, categories and values of properties are searched; case and diacritics do not
  /// count, and every character that is neither letter nor digit parts words.
  func search(_ text: String, limit: Int) async throws -> FoundEntities {
    try await read { try EntitySearch.words(text, limit, $0).entities($0) }
  }

  /// As ``search(_:limit:)``, the ids alone.
  func searchIDs(_ text: String, limit: Int) async throws -> FoundIDs {
    try await read { try EntitySearch.words(text, limit, $0).ids($0) }
  }

  /// As ``search(_:limit:)``, for code with a thread of its own.
  func searchAndWait(_ text: String, limit: Int) throws -> FoundEntities {
    try readAndWait { try EntitySearch.words(text, limit, $0).entities($0) }
  }

  /// The entities in whose texts a text occurs anywhere; case and diacritics do not count.
  ///
  /// Everything is looked at: headers, summaries, identifiers, categories, ids, properties and the server's own words.
  ///
  /// - Parameter under: An entity whose children alone are looked at; nil for all entities.
  func filter(_ text: String, under: String? = nil, limit: Int) async throws -> FoundEntities {
    try await read { try EntityFilter.matches(text, under, limit, $0).entities($0) }
  }

  /// As ``filter(_:under:limit:)``, the ids alone.
  func filterIDs(_ text: String, under: String? = nil, limit: Int) async throws -> FoundIDs {
    try await read { try EntityFilter.matches(text, under, limit, $0).ids($0) }
  }

  /// As ``filter(_:under:limit:)``, for code with a thread of its own.
  func filterAndWait(_ text: String, under: String? = nil, limit: Int) throws -> FoundEntities {
    try readAndWait { try EntityFilter.matches(text, under, limit, $0).entities($0) }
  }

  /// Whether the index for ``filter(_:under:limit:)`` is behind.
  func indexPending() async throws -> Bool { try await read(EntityIndexer.isPending) }

  /// As ``indexPending()``, for code with a thread of its own.
  func indexPendingAndWait() throws -> Bool { try readAndWait(EntityIndexer.isPending) }

  /// Brings that index on by some entities, in a short transaction.
  ///
  /// - Returns: Whether it is still behind.
  @discardableResult
  func indexSome() async throws -> Bool { try await write(EntityIndexer.indexSome) }

  /// As ``indexSome()``, for code with a thread of its own.
  @discardableResult
  func indexSomeAndWait() throws -> Bool { try writeAndWait(EntityIndexer.indexSome) }
}
