extension MapGraphBuilder {
  /// Gives nodes without a name a caption: the names of their parts, or else their kind.
  mutating func captionUnnamed() {
    var parts = [[String]](repeating: [], count: graph.nodes.count)
    for node in graph.nodes where !node.label.isEmpty {
      if let whole = node.parent { parts[whole].append(node.label) }
    }
    for index in graph.nodes.indices where graph.nodes[index].label.isEmpty {
      let node = graph.nodes[index]
      let names = parts[index].prefix(Self.mostPartNames).joined(separator: ":")
      let rest = parts[index].count > Self.mostPartNames ? ":…" : ""
      graph.nodes[index].caption = names.isEmpty ? node.isPoint ? "point" : node.category.lowercased() : names + rest
    }
  }

  /// The maximum number of parts named in a caption.
  private static let mostPartNames = 4
}
