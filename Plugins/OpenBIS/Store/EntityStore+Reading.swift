import PluginAPI
import PluginStore

// Reading and searching; each function sees one committed state, even while a long response is applied.
extension EntityStore {
  /// Returns the navigation entities, in list order.
  func navigation() async throws -> [EntitySummary] { try await read(EntityReader.navigation) }

  /// Returns a range of the roots of all categories, or of one by its label or the PERM_ID of its navigation entity.
  func roots(in category: String?, _ range: Range<Int>) async throws -> EntityPage {
    try await read { try EntityReader.roots(category, range, $0) }
  }

  /// Returns a range of an entity's children.
  func children(of permID: String, _ range: Range<Int>) async throws -> EntityPage {
    try await read { try EntityReader.children(permID, range, $0) }
  }

  /// Returns the entities below which an entity is listed.
  func parents(of permID: String) async throws -> [EntitySummary] {
    try await read { try EntityReader.parents(permID, $0) }
  }

  /// Performs ``parents(of:)`` synchronously, for code with a thread of its own.
  func parentsAndWait(of permID: String) throws -> [EntitySummary] {
    try readAndWait { try EntityReader.parents(permID, $0) }
  }

  /// Returns all cached data of an entity; nil if it is unknown.
  func entity(_ permID: String) async throws -> Entity? { try await read { try EntityReader.entity(permID, $0) } }

  /// Returns all cached data of entities, in the order of the ids, without unknown ones.
  func entities(_ permIDs: [String]) async throws -> [Entity] {
    try await read { connection in try permIDs.compactMap { try EntityReader.entity($0, connection) } }
  }

  /// Returns entities with the ids of all their children, in the order of the ids; nil for unknown ones.
  func families(_ permIDs: [String]) async throws -> [(Entity, PackedTexts)?] {
    try await read { try EntityReader.families(permIDs, $0) }
  }

  /// Performs ``families(_:)`` synchronously, for code with a thread of its own.
  func familiesAndWait(_ permIDs: [String]) throws -> [(Entity, PackedTexts)?] {
    try readAndWait { try EntityReader.families(permIDs, $0) }
  }

  /// Returns the summaries of entities, in the order of the ids; nil for an unknown id.
  func summaries(_ permIDs: [String]) async throws -> [EntitySummary?] {
    try await read { try EntityReader.summaries(of: permIDs, $0) }
  }

  /// Performs ``summaries(_:)`` synchronously, for code with a thread of its own.
  func summariesAndWait(_ permIDs: [String]) throws -> [EntitySummary?] {
    try readAndWait { try EntityReader.summaries(of: permIDs, $0) }
  }

  /// Calls `body` with the entities as a graph to traverse, within one read.
  func withGraph<Result: Sendable>(
    isUpward: Bool, _ body: @escaping @Sendable (GraphReading) throws -> Result
  ) async throws -> Result {
    try await read { connection in
      try body(
        GraphReading { id in
          isUpward
            ? PackedTexts(try EntityReader.parents(id, connection).map(\.permID))
            : try EntityReader.childIDs(id, connection)
        } summaries: { ids in
          try EntityReader.summaries(of: ids, connection)
        } mayHaveNeighbours: { summary in
          isUpward || summary.childCount != 0
        })
    }
  }

  /// Returns the ids of all children of an entity, in list order.
  func childIDs(of permID: String) async throws -> PackedTexts {
    try await read { try EntityReader.childIDs(permID, $0) }
  }

  /// Performs ``childIDs(of:)`` synchronously, for code with a thread of its own.
  func childIDsAndWait(of permID: String) throws -> PackedTexts {
    try readAndWait { try EntityReader.childIDs(permID, $0) }
  }

  /// Returns the numbers of cached entities.
  func counts() async throws -> EntityCounts { try await read(EntityReader.counts) }

  /// Counts and stores the numbers until the next change, so that ``counts()`` need not count.
  func keepCounts() async throws { try await write(EntityTally.keep) }

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
