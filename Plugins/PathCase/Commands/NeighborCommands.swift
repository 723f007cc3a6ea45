import PluginAPI

/// Commands that find the neighbors of a network's parts, and paths between them.
enum NeighborCommands {
  static let all = [neighbors, path]

  private static let inside = Option(
    "in", String.self, kind: PathCaseCommand.document, "the pathway or file; the whole database by default"
  ).completedByPathways()

  // MARK: Neighbors

  private struct Neighbor: Model {
    var node: GraphNode
    var role: String
    var subject: GraphNode

    static let typeName = "pathcase.neighbor"
    static let fields = Fields<Self> {
      Field("id", \.node.id.text, "the id", heading: "Id")
      Field("name", \.node.label, "what it is called", heading: "Name")
      Field("kind", \.node.kind.rawValue, "pool, process or another kind", heading: "Kind")
      Field("role", \.role, "how they are joined", heading: "Role")
      Field("of", \.subject.id.text, "the id of what was asked for", heading: "Of")
    }
  }

  private static let name = Argument("name", String.self, "its id or name").completedByMetabolites()

  private static let neighbors = PathCaseCommand(
    CommandDescription(
      "neighbors", "lists what a metabolite pool or process is joined to", output: .table(of: Neighbor.self)
    ).taking(name, inside).explained(
      """
      Roles are seen from the thing asked for: 'from' comes to it, 'to' leaves it. A name may stand for pools in several \
      compartments: the last column tells which of them is meant.
      """,
      examples: [.init("neighbors p-pyr-liver-cyt --in w-glycolysis", "of a pool")])
  ) { call, shelf in
    let graph = try graph(call, shelf)
    var rows: [Neighbor] = []
    let walk = GraphWalk(graph)
    for node in try nodes(call[name], walk) {
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

  private static let from = Argument("from", String.self, "where it begins: id or name").completedByMetabolites()
  private static let to = Argument("to", String.self, "where it ends").completedByMetabolites()
  private static let common = Option(flag: "common", "also by way of common molecules, such as ATP")

  private static let path = PathCaseCommand(
    CommandDescription(
      "path", "finds a way from one metabolite or process to another", output: .table(of: GraphNode.self)
    ).taking(from, to, inside, common).explained(
      """
      Processes are passed in the directions they can run in, and transports by what they carry. Of all ways it is one \
      through pools of few processes: those of many join what has little to do with each other. A name stands for its pools \
      in all compartments. Without a path it ends with an error.
      """,
      examples: [.init("path p-glc-liver-cyt p-pyr-liver-cyt --in w-glycolysis", "through a pathway")])
  ) { call, shelf in
    let walk = GraphWalk(try graph(call, shelf), skipsCommon: !call[common])
    guard let found = walk.path(from: try nodes(call[from], walk), to: try nodes(call[to], walk)) else {
      throw PathwayError.noPath(
        "no path leads from '\(call[from])' to '\(call[to])'",
        advice: call[common] ? nil : "'--common' also goes through common molecules, such as ATP"
      ).short
    }
    try await call.emit(table: found.map { walk.graph.nodes[$0] })
  }

  // MARK: Shared code

  private static func graph(_ call: CommandCall, _ shelf: PathwayShelf) throws -> ReactionGraph {
    if let word = call.filled(inside) { return try shelf.network(word, call.context).graph() }
    return try shelf.database(call.context).wholeGraph
  }

  private static func nodes(_ word: String, _ walk: GraphWalk) throws(ErrorReport) -> [Int] {
    let found = walk.nodes(word)
    if !found.isEmpty { return found }
    let known = walk.graph.nodes.flatMap { [$0.id.text, $0.label] }
    throw PathwayError.unknownNode(word, nearest: Suggestion.nearest(to: word, in: known))
  }
}

extension GraphNode: Model {
  static let typeName = "pathcase.node"
  static let fields = Fields<Self> {
    Field("id", \.id.text, "the id", heading: "Id")
    Field("name", \.label, "what it is called", heading: "Name")
    Field("kind", \.kind.rawValue, "pool or process", heading: "Kind")
  }
}
