/// The read access of screens to an account's cached entities; every function waits, so never call one on the event
/// loop.
protocol EntityReading: Sendable {
  /// Returns the rows of the first screen; empty if the server has none, and the roots are shown instead.
  func navigationAndWait() throws -> [EntitySummary]
  /// Returns root entities, of one category or of all.
  func rootsAndWait(in category: String?, _ range: Range<Int>) throws -> EntityPage
  /// Returns root entities that are not navigation.
  func otherRootsAndWait(_ range: Range<Int>) throws -> EntityPage
  /// Returns the children of an entity.
  func childrenAndWait(of permID: String, _ range: Range<Int>) throws -> EntityPage
  /// Returns the entities that list an entity as a child.
  func parentsAndWait(of permID: String) throws -> [EntitySummary]
  /// Returns all cached data of an entity; nil if there is no entity with this id.
  func entityAndWait(_ permID: String) throws -> Entity?
  /// Returns the summaries of entities, in the order of the ids.
  func summariesAndWait(_ permIDs: [String]) throws -> [EntitySummary?]
  /// Returns the ids of all children, in list order.
  func childIDsAndWait(of permID: String) throws -> PackedTexts
  /// Returns entities with words that begin with those of a text.
  func searchAndWait(_ text: String, limit: Int) throws -> FoundEntities
  /// Returns entities that contain a text, below one entity or anywhere.
  func filterAndWait(_ text: String, under permID: String?, limit: Int) throws -> FoundEntities
}
