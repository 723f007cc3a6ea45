import PluginAPI

/// Commands that find the neighbors of a network's parts, and paths between them.
enum NeighborCommands {
  static let all = [neighbors, path]

  private static let inside = Option(
    "in", String.self, kind: NetworkInputs.document, "Pathway or file; the whole database by default"
  ).completedByPathways()

  // MARK: Neighbors

  private struct Neighbor: Model {
    var node: GraphNode
    var role: String
    var subject: GraphNode

    static let typeName = "pathcase.neighbor"
    static let fields = Fields<Self> {
      Field("id", \.node.id.text, "Id", heading: "Id")
      Field("name", \.node.label, "Name", heading: "Name")
      Field("kind", \.node.kind.rawValue, "Kind of node, such as pool or process", heading: "Kind")
      Field("role", \.role, "Direction or kind of the edge", heading: "Role")
      Field("of", \.subject.id.text, "Id of the node whose neighbor it is", heading: "Of")
    }
  }

  private static let name = Argument("name", String.self, "Id or name of a metabolite, pool or process")
    .completedByMetabolites()

  private static let neighbors = PathCaseCommand(
    CommandDescription(
      "neighbors", "List the neighbors of a metabolite pool or process", output: .table(of: Neighbor.self)
    ).taking(name, inside).explained(
      """
      A neighbor with the role 'from' leads to the node; one with the role 'to' follows it. A name may match pools in \
      several compartments. The last column shows the pool that the neighbor belongs to.
      """,
      examples: [.init("neighbors p-pyr-liver-cyt --in w-glycolysis", "The neighbors of a pool")])
  ) { call, shelf in
    let graph = try await graph(call, shelf)
    var rows: [Neighbor] = []
    let walk = GraphWalk(graph)
    for node in try nodes(call[name], walk, call) {
      for edge in graph.edges where walk.first[edge.source] == node || walk.first[edge.target] == node {
        let isSource = walk.first[edge.source] == node
        let other = graph.nodes[isSource ? edge.target : edge.source]
        let direction = edge.isReversible ? "both ways" : isSource ? "to" : "from"
        let role = edge.kind == .flow ? direction : edge.kind.rawValue
        rows.append(Neighbor(node: other, role: role, subject: graph.nodes[node]))
      }
    }
    try await call.emit(table: rows)
  }

  // MARK: Paths

  private static let from = Argument("from", String.self, "Id or name of the start").completedByMetabolites()
  private static let to = Argument("to", String.self, "Id or name of the end").completedByMetabolites()
  private static let common = Option(flag: "common", "Allow paths through common molecules, such as ATP")

  private static let path = PathCaseCommand(
    CommandDescription(
      "path", "Find a path from one metabolite or process to another", output: .table(of: GraphNode.self)
    ).taking(from, to, inside, common).explained(
      """
      The path follows processes in the directions in which they can run, and transports along the molecule they carry. \
      It prefers pools of few processes: pools of many processes connect unrelated parts of metabolism. A name matches its \
      pools in all compartments. If there is no path, the command fails.
      """,
      examples: [.init("path p-glc-liver-cyt p-pyr-liver-cyt --in w-glycolysis", "Through a pathway")])
  ) { call, shelf in
    let walk = GraphWalk(try await graph(call, shelf), skipsCommon: !call[common])
    guard let found = walk.path(from: try nodes(call[from], walk, call), to: try nodes(call[to], walk, call)) else {
      throw PathwayError.noPath(
        "no path leads from '\(call[from])' to '\(call[to])'",
        advice: call[common] ? nil : "add '--common' to allow common molecules, such as ATP"
      ).short
    }
    try await call.emit(table: found.map { walk.graph.nodes[$0] })
  }

  // MARK: Shared code

  private static func graph(_ call: CommandCall, _ shelf: PathwayShelf) async throws -> ReactionGraph {
    if let word = call.filled(inside) { return try await shelf.network(word, call.context).graph() }
    return try await shelf.database(call.context).wholeGraph
  }

  private static func nodes(_ word: String, _ walk: GraphWalk, _ call: CommandCall) throws(ErrorReport) -> [Int] {
    let found = walk.nodes(word)
    if !found.isEmpty { return found }
    let known = walk.graph.nodes.flatMap { [$0.id.text, $0.label] }
    throw PathwayError.unknownNode(word, known: known, in: call.filled(inside))
  }
}

extension GraphNode: Model {
  static let typeName = "pathcase.node"
  static let fields = Fields<Self> {
    Field("id", \.id.text, "Id", heading: "Id")
    Field("name", \.label, "Name", heading: "Name")
    Field("kind", \.kind.rawValue, "Pool or process", heading: "Kind")
  }
}
