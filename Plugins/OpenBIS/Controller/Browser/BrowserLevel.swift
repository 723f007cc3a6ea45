import PluginAPI

/// One list on the path from the first screen to the current list.
struct BrowserLevel {
  /// The number that distinguishes this level, also from earlier levels at the same position.
  let serial: Int
  let source: EntityListSource
  var list: EntityListState
  /// The search it was opened from, to which going back leads.
  var search: Record?
  /// A Boolean value indicating whether rows are being read.
  var isReading = false
  /// A Boolean value indicating whether something has changed since that read began.
  var needsReading = false

  /// Creates the list of the first screen.
  init(top serial: Int) {
    (self.serial, source, list) = (serial, .top, EntityListState())
  }

  /// Creates the list of an entity's children.
  init(_ serial: Int, of entity: EntitySummary) {
    self.serial = serial
    source = EntityListSource(below: entity)
    list = EntityListState(parent: entity)
  }

  /// The entity whose children are listed; nil on the first screen.
  var entity: EntitySummary? { list.parent }
}

/// Rows that were read for a level.
struct LevelRows: Sendable {
  var serial: Int
  var range: Range<Int>
  var page: EntityPage
  /// The current state of the entities of all levels, from the first screen on; nil for those that were removed.
  var entities: [EntitySummary?]
}

/// The results of a filter for a level.
struct LevelHits: Sendable {
  var serial: Int
  var text: String
  var found: FoundEntities
}

/// A path of entities to open one below the other.
struct FoundPath: Sendable {
  var entities: [EntitySummary]
  /// An id that is not in the cache.
  var missing: String?
}
