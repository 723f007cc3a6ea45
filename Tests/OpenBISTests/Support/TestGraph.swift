@testable import OpenBIS

/// A handwritten graph of entities: ids and the ids below them.
struct TestGraph {
  var children: [String: [String]]
  /// The ids that are listed but unknown.
  var notLoaded: Set<String> = []

  var reading: GraphReading {
    GraphReading(
      neighbors: { PackedTexts(children[$0] ?? []) },
      summaries: { ids in
        ids.map { id in
          notLoaded.contains(id)
            ? EntitySummary(
              permID: id, category: "", summaryHeader: "", summary: "", childCount: nil, flags: .notLoaded)
            : EntitySummary(
              permID: id, category: "kind", summaryHeader: "Entity \(id)", summary: "", childCount: children[id]?.count,
              flags: [])
        }
      })
  }
}
