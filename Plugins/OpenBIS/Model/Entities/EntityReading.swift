/// What screens read of the entities kept for an account; every function waits, so none is called on the event loop.
protocol EntityReading: Sendable {
  /// The rows of the first screen; empty if the server has none, then the roots stand there.
  func navigationAndWait() throws -> [EntitySummary]
  /// Root entities, of one category or of all.
  func rootsAndWait(in category: String?, _ range: Range<Int>) throws -> EntityPage
  /// Root entities that are no navigation.
  func otherRootsAndWait(_ range: Range<Int>) throws -> EntityPage
  /// What is listed below an entity.
  func childrenAndWait(of permID: String, _ range: Range<Int>) throws -> EntityPage
  /// What lists an entity.
  func parentsAndWait(of permID: String) throws -> [EntitySummary]
  /// All that is kept of an entity; nil if there is none of this id.
  func entityAndWait(_ permID: String) throws -> Entity?
  /// What lists show of these entities, in their order.
  func summariesAndWait(_ permIDs: [String]) throws -> [EntitySummary?]
  /// The ids of all children, in the order of lists.
  func childIDsAndWait(of permID: String) throws -> PackedTexts
  /// Entities with words that begin like those of a text.
  func searchAndWait(_ text: String, limit: Int) throws -> FoundEntities
  /// Entities with a text in them, below one entity or anywhere.
  func filterAndWait(_ text: String, under permID: String?, limit: Int) throws -> FoundEntities
}
