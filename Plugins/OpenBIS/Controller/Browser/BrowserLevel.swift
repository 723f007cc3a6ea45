import PluginAPI

/// A list on the way from the first screen to where the browser is.
struct BrowserLevel {
  /// Tells the levels apart, also those that stood at the same place before.
  let serial: Int
  let source: EntityListSource
  var list: EntityListState
  /// The search it was opened from, to which the way back leads.
  var search: Record?
  /// Whether rows are being read.
  var isReading = false
  /// Whether something changed since that reading began.
  var needsReading = false

  /// The list of the first screen.
  init(top serial: Int) {
    (self.serial, source, list) = (serial, .top, EntityListState())
  }

  /// The list of what is below an entity.
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
  /// What the entities of all levels are like now, from the first screen on; nil for those that are gone.
  var entities: [EntitySummary?]
}

/// What a filter found for a level.
struct LevelHits: Sendable {
  var serial: Int
  var text: String
  var found: FoundEntities
}

/// Entities that are to be opened one below the other.
struct FoundPath: Sendable {
  var entities: [EntitySummary]
  /// An id nothing is known of.
  var missing: String?
}
