/// How the graph of entities is read, by whoever walks it: children or parents, of a store or of a test.
struct GraphReading {
  /// The ids next to an entity, in the order of lists.
  var neighbours: (String) throws -> PackedTexts
  /// What lists show of these entities, in the order asked for; nil for an id nothing is known of.
  var summaries: ([String]) throws -> [EntitySummary?]
  /// False if a summary says that there is nothing next to its entity, which saves the reading of it.
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
