import PluginAPI
import PluginStore

// Reading; each function sees one committed state, also while a long answer is taken in.
extension EntityStore {
  /// The navigation entities, in the order of lists.
  func navigation() async throws -> [EntitySummary] { try await read(EntityReader.navigation) }

  /// As ``navigation()``, for code with a thread of its own.
  func navigationAndWait() throws -> [EntitySummary] { try readAndWait(EntityReader.navigation) }

  /// Some of the root entities of all categories, or of one by its label or the PERM_ID of its navigation entity.
  func roots(in category: String?, _ range: Range<Int>) async throws -> EntityPage {
    try await read { try EntityReader.roots(category, range, $0) }
  }

  /// As ``roots(in:_:)``, for code with a thread of its own.
  func rootsAndWait(in category: String?, _ range: Range<Int>) throws -> EntityPage {
    try readAndWait { try EntityReader.roots(category, range, $0) }
  }

  /// Some of the root entities that are no navigation, for code with a thread of its own.
  func otherRootsAndWait(_ range: Range<Int>) throws -> EntityPage {
    try readAndWait { try EntityReader.otherRoots(range, $0) }
  }

  /// Some of the entities listed below an entity.
  func children(of permID: String, _ range: Range<Int>) async throws -> EntityPage {
    try await read { try EntityReader.children(permID, range, $0) }
  }

  /// As ``children(of:_:)``, for code with a thread of its own.
  func childrenAndWait(of permID: String, _ range: Range<Int>) throws -> EntityPage {
    try readAndWait { try EntityReader.children(permID, range, $0) }
  }

  /// The entities below which an entity is listed.
  func parents(of permID: String) async throws -> [EntitySummary] {
    try await read { try EntityReader.parents(permID, $0) }
  }

  /// As ``parents(of:)``, for code with a thread of its own.
  func parentsAndWait(of permID: String) throws -> [EntitySummary] {
    try readAndWait { try EntityReader.parents(permID, $0) }
  }

  /// All that is kept of an entity; nil if it is unknown.
  func entity(_ permID: String) async throws -> Entity? { try await read { try EntityReader.entity(permID, $0) } }

  /// As ``entity(_:)``, for code with a thread of its own.
  func entityAndWait(_ permID: String) throws -> Entity? { try readAndWait { try EntityReader.entity(permID, $0) } }

  /// All that is kept of entities, in the order asked for; unknown ones are left out.
  func entities(_ permIDs: [String]) async throws -> [Entity] {
    try await read { connection in try permIDs.compactMap { try EntityReader.entity($0, connection) } }
  }

  /// As ``entities(_:)``, for code with a thread of its own.
  func entitiesAndWait(_ permIDs: [String]) throws -> [Entity] {
    try readAndWait { connection in try permIDs.compactMap { try EntityReader.entity($0, connection) } }
  }

  /// Entities with the ids of all that is listed below each, in the order asked for; nil for those that are unknown.
  func families(_ permIDs: [String]) async throws -> [(Entity, PackedTexts)?] {
    try await read { try EntityReader.families(permIDs, $0) }
  }

  /// As ``families(_:)``, for code with a thread of its own.
  func familiesAndWait(_ permIDs: [String]) throws -> [(Entity, PackedTexts)?] {
    try readAndWait { try EntityReader.families(permIDs, $0) }
  }

  /// What lists show of entities, in the order asked for; nil for an id nothing is known of.
  ///
  /// For code with a thread of its own.
  func summariesAndWait(_ permIDs: [String]) throws -> [EntitySummary?] {
    try readAndWait { connection in
      try permIDs.map { permID in
        guard let id = try EntityReader.id(permID, connection) else { return nil }
        return try EntityReader.summaries([id], connection).first
      }
    }
  }

  /// The ids of all entities listed below an entity, in the order of lists.
  func childIDs(of permID: String) async throws -> PackedTexts {
    try await read { try EntityReader.childIDs(permID, $0) }
  }

  /// As ``childIDs(of:)``, for code with a thread of its own.
  func childIDsAndWait(of permID: String) throws -> PackedTexts {
    try readAndWait { try EntityReader.childIDs(permID, $0) }
  }

  /// How much is kept.
  func counts() async throws -> EntityCounts { try await read(EntityReader.counts) }

  /// Counts once and for all until the next change, so that ``counts()`` need not.
  func keepCounts() async throws { try await write(EntityTally.keep) }

  /// As ``counts()``, for code with a thread of its own.
  func countsAndWait() throws -> EntityCounts { try readAndWait(EntityReader.counts) }
}
