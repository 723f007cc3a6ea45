/// How the graph of entities is read, by whoever walks it: children or parents, of a store or of a test.
struct GraphReading {
  /// The ids next to an entity, in the order of lists.
  var neighbours: (String) throws -> PackedTexts
  /// What lists show of these entities, in the order asked for; nil for an id nothing is known of.
  var summaries: ([String]) throws -> [EntitySummary?]

  /// Creates a reading.
  init(
    neighbours: @escaping (String) throws -> PackedTexts, summaries: @escaping ([String]) throws -> [EntitySummary?]
  ) {
    self.neighbours = neighbours
    self.summaries = summaries
  }
}
