import PluginStore

// Searching the cache.
extension EntityStore {
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

  /// Performs ``search(_:limit:)`` synchronously, for code with a thread of its own.
  func searchAndWait(_ text: String, limit: Int) throws -> FoundEntities {
    try readAndWait { try EntitySearch.words(text, limit, $0).entities($0) }
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

  /// Performs ``filter(_:under:limit:)`` synchronously, for code with a thread of its own.
  func filterAndWait(_ text: String, under: String? = nil, limit: Int) throws -> FoundEntities {
    try readAndWait { try EntityFilter.matches(text, under, limit, $0).entities($0) }
  }

  /// Returns true if the index for ``filter(_:under:limit:)`` is behind.
  func indexPending() async throws -> Bool { try await read(EntityIndexer.isPending) }

  /// Performs ``indexPending()`` synchronously, for code with a thread of its own.
  func indexPendingAndWait() throws -> Bool { try readAndWait(EntityIndexer.isPending) }

  /// Indexes some more entities, in a short transaction.
  ///
  /// - Returns: True if the index is still behind.
  @discardableResult
  func indexSome() async throws -> Bool { try await write(EntityIndexer.indexSome) }

  /// Performs ``indexSome()`` synchronously, for code with a thread of its own.
  @discardableResult
  func indexSomeAndWait() throws -> Bool { try writeAndWait(EntityIndexer.indexSome) }
}
