import PluginText

/// A shown network prepared for scenario analysis, with the display names of its parts.
struct StudiedNetwork: Sendable {
  var network: ScenarioNetwork
  var poolNames: [String] = []
  var processNames: [String] = []

  /// Creates it from the network shown.
  ///
  /// - Throws: ``PathwayError/noScenarios(_:)``.
  init(_ shown: ShownNetwork) throws {
    network = try shown.opened.scenarioNetwork()
    var labels: [Identifier: String] = [:]
    for node in shown.graph.nodes where node.kind == .pool || node.kind == .process {
      labels[node.entity ?? node.id] = ShownText.name(node.label, or: node.entity ?? node.id)
    }
    let names = network.pools.map { pool in
      if let database = shown.database, let index = database.index.pools[pool.id] { return database.poolName(index) }
      return labels[pool.id] ?? SanitizedText.line(pool.id.text)
    }
    poolNames = Self.apart(names, network.pools.map(\.id))
    processNames = Self.apart(
      network.processes.map { labels[$0.id] ?? SanitizedText.line($0.id.text) }, network.processes.map(\.id))
  }

  /// Returns names, followed by ids where several things share a name, such as a metabolite in two compartments.
  private static func apart(_ names: [String], _ ids: [Identifier]) -> [String] {
    var counts: [Identifier: Int] = [:]
    for name in names { counts[Identifier(name), default: 0] += 1 }
    return zip(names, ids).map { name, id in
      counts[Identifier(name)] == 1 ? name : "\(name) [\(SanitizedText.line(id.text))]"
    }
  }
}
