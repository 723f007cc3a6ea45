/// Some rows of a list, and the length of the list.
struct EntityPage: Sendable, Hashable {
  var rows: [EntitySummary] = []
  var total = 0
}

/// The source of a list's rows.
enum EntityListSource: Sendable, Equatable {
  /// The first screen: the server's navigation, followed by the other roots if all of the navigation are roots.
  case top
  /// The children of an entity.
  case children(String)
  /// The roots of a navigation entity with unknown children: those whose category is its label or its id.
  case category(String, label: String)

  /// Creates the source of the list below an entity.
  init(below entity: EntitySummary) {
    let isCategory = entity.flags.contains(.navigation) && entity.childCount == nil
    self = isCategory ? .category(entity.permID, label: entity.summaryHeader) : .children(entity.permID)
  }
}

/// The results of a search in the cached entities.
struct FoundEntities: Sendable, Hashable {
  /// The entities in list order, at most as many as requested.
  var rows: [EntitySummary] = []
  /// A Boolean value indicating whether there are more than requested.
  var hasMore = false
  /// The number of entities that are not indexed yet and were not searched; more may be found later.
  var notIndexed = 0
}

/// The results of a search, as ids alone.
struct FoundIDs: Sendable, Hashable {
  /// The ids in list order, at most as many as requested.
  var ids = PackedTexts()
  /// A Boolean value indicating whether there are more than requested.
  var hasMore = false
  /// The number of entities that are not indexed yet and were not searched; more may be found later.
  var notIndexed = 0
}

/// The numbers of cached entities of an account.
struct EntityCounts: Sendable, Hashable {
  /// The number of entities of which more than the id is known.
  var entities = 0
  /// The number of entities of which only the id is known.
  var notLoaded = 0
  /// The number of entities listed on the first screen.
  var roots = 0
  var navigation = 0
  var images = 0
  var imageBytes = 0
}
