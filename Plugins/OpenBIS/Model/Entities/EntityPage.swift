/// Some rows of a list, and how long the list is.
struct EntityPage: Sendable, Hashable {
  var rows: [EntitySummary] = []
  var total = 0
}

/// What a search in the kept entities found.
struct FoundEntities: Sendable, Hashable {
  /// In the order of lists, at most as many as were asked for.
  var rows: [EntitySummary] = []
  /// Whether there are more than asked for.
  var hasMore = false
  /// How many entities the index does not have yet and the search did not look at; more may be found later.
  var notIndexed = 0
}

/// What a search found, as ids alone.
struct FoundIDs: Sendable, Hashable {
  /// In the order of lists, at most as many as were asked for.
  var ids = PackedTexts()
  /// Whether there are more than asked for.
  var hasMore = false
  /// How many entities the index does not have yet and the search did not look at; more may be found later.
  var notIndexed = 0
}

/// How much is kept of an account.
struct EntityCounts: Sendable, Hashable {
  /// All entities of which more than the id is known.
  var entities = 0
  /// Entities of which only the id is known.
  var notLoaded = 0
  /// Listed on the first screen.
  var roots = 0
  var navigation = 0
  var images = 0
  var imageBytes = 0
}
