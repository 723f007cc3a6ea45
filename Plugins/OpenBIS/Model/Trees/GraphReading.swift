/// The graph of entities as a traversal reads it: children or parents, of a store or of a test.
struct GraphReading {
  /// The ids of an entity's neighbors, in list order.
  var neighbours: (String) throws -> PackedTexts
  /// The summaries of entities, in the order of the ids; nil for an unknown id.
  var summaries: ([String]) throws -> [EntitySummary?]
  /// False if a summary shows that its entity has no neighbors, which saves reading them.
  var mayHaveNeighbours: (EntitySummary) -> Bool

  /// Creates a reading.
  init(
    neighbours: @escaping (String) throws -> PackedTexts, summaries: @escaping ([String]) throws -> [EntitySummary?],
    mayHaveNeighbours: @escaping (EntitySummary) -> Bool = { _ in true }
  ) {
    self.neighbours = neighbours
    self.summaries = summaries
    self.mayHaveNeighbours = mayHaveNeighbours
  }
}
