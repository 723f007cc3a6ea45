import PluginText

/// A shown network as scenario analysis sees it, with what people call its parts.
struct StudiedNetwork: Sendable {
  var network: ScenarioNetwork
  var poolNames: [String] = []
  var processNames: [String] = []

  /// Makes it of what is shown.
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

  /// Names with the ids behind those that several things have, as one metabolite in two compartments does.
  private static func apart(_ names: [String], _ ids: [Identifier]) -> [String] {
    var counts: [Identifier: Int] = [:]
    for name in names { counts[Identifier(name), default: 0] += 1 }
    return zip(names, ids).map { name, id in
      counts[Identifier(name)] == 1 ? name : "\(name) [\(SanitizedText.line(id.text))]"
    }
  }
}

/// Some scenarios that were asked for.
struct PagedScenarios: Sendable {
  var page: ScenarioSet.Page
  var first: BigUnsigned
  /// What draws at random began with; nil for a page in order.
  var seed: UInt64?
}
