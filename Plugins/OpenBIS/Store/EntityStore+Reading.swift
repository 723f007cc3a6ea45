import PluginAPI
import PluginStore

// Reading; each function sees one committed state, even while a long response is applied.
extension EntityStore {
  /// Returns the navigation entities, in list order.
  func navigation() async throws -> [EntitySummary] { try await read(EntityReader.navigation) }

  /// Performs ``navigation()`` synchronously, for code with a thread of its own.
  func navigationAndWait() throws -> [EntitySummary] { try readAndWait(EntityReader.navigation) }

  /// Returns a range of the roots of all categories, or of one by its label or the PERM_ID of its navigation entity.
  func roots(in category: String?, _ range: Range<Int>) async throws -> EntityPage {
    try await read { try EntityReader.roots(category, range, $0) }
  }

  /// Performs ``roots(in:_:)`` synchronously, for code with a thread of its own.
  func rootsAndWait(in category: String?, _ range: Range<Int>) throws -> EntityPage {
    try readAndWait { try EntityReader.roots(category, range, $0) }
  }

  /// Returns a range of the roots that are not navigation, for code with a thread of its own.
  func otherRootsAndWait(_ range: Range<Int>) throws -> EntityPage {
    try readAndWait { try EntityReader.otherRoots(range, $0) }
  }

  /// Returns a range of an entity's children.
  func children(of permID: String, _ range: Range<Int>) async throws -> EntityPage {
    try await read { try EntityReader.children(permID, range, $0) }
  }

  /// Performs ``children(of:_:)`` synchronously, for code with a thread of its own.
  func childrenAndWait(of permID: String, _ range: Range<Int>) throws -> EntityPage {
    try readAndWait { try EntityReader.children(permID, range, $0) }
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

  /// Performs ``entity(_:)`` synchronously, for code with a thread of its own.
  func entityAndWait(_ permID: String) throws -> Entity? { try readAndWait { try EntityReader.entity(permID, $0) } }

  /// Returns all cached data of entities, in the order of the ids, without unknown ones.
  func entities(_ permIDs: [String]) async throws -> [Entity] {
    try await read { connection in try permIDs.compactMap { try EntityReader.entity($0, connection) } }
  }

  /// Performs ``entities(_:)`` synchronously, for code with a thread of its own.
  func entitiesAndWait(_ permIDs: [String]) throws -> [Entity] {
    try readAndWait { connection in try permIDs.compactMap { try EntityReader.entity($0, connection) } }
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

  /// Performs ``counts()`` synchronously, for code with a thread of its own.
  func countsAndWait() throws -> EntityCounts { try readAndWait(EntityReader.counts) }
}
