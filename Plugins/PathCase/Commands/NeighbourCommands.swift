import PluginAPI

/// Commands that find the neighbors of a network's parts, and paths between them.
enum NeighbourCommands {
  static let all = [neighbors, path]

  private static let inside = Parameter(
    "in", PathCaseCommand.document,
    "the pathway or file; the whole database by default"
  ).completedByPathways()

  private static let neighbors = PathCaseCommand(
    CommandDescription(
      "neighbors", "lists what a metabolite pool or process is joined to",
      output: .init(
        .table([
          .init("id", .text, "the id"), .init("name", .text, "what it is called"),
          .init("kind", .text, "pool, process or another kind"), .init("role", .text, "how they are joined"),
          .init("of", .text, "the id of what was asked for"),
        ])), effects: [.reads]
    ).taking([Parameter("name", .text, "its id or name", isRequired: true).completedByMetabolites()], options: [inside])
      .explained(
        """
        Roles are seen from the thing asked for: 'from' comes to it, 'to' leaves it. A name may stand for pools in several \
        compartments: the last column tells which of them is meant.
        """,
        examples: [.init("neighbors p-pyr-liver-cyt --in w-glycolysis", "of a pool")])
  ) { call, shelf in
    let graph = try graph(call, shelf)
    var rows: [(node: GraphNode, role: String, of: GraphNode)] = []
    let walk = GraphWalk(graph)
    for node in try nodes(call.text("name"), walk) {
      for edge in graph.edges where walk.first[edge.source] == node || walk.first[edge.target] == node {
        let isSource = walk.first[edge.source] == node
        let other = graph.nodes[isSource ? edge.target : edge.source]
        let direction = edge.isReversible ? "both ways" : isSource ? "to" : "from"
        rows.append((other, edge.kind == .flow ? direction : edge.kind.rawValue, graph.nodes[node]))
      }
    }
    try await call.emit(
      .table(
        Table(columns: [
          .init("id", title: "Id", .texts(rows.map(\.node.id.text))),
          .init("name", title: "Name", .texts(rows.map(\.node.label))),
          .init("kind", title: "Kind", .texts(rows.map(\.node.kind.rawValue))),
          .init("role", title: "Role", .texts(rows.map(\.role))),
          .init("of", title: "Of", .texts(rows.map(\.of.id.text))),
        ])))
  }

  private static let path = PathCaseCommand(
    CommandDescription(
      "path", "finds a way from one metabolite or process to another",
      output: .init(
        .table([
          .init("id", .text, "the id"), .init("name", .text, "what it is called"),
          .init("kind", .text, "pool or process"),
        ])), effects: [.reads]
    ).taking(
      [
        Parameter("from", .text, "where it begins: id or name", isRequired: true).completedByMetabolites(),
        Parameter("to", .text, "where it ends", isRequired: true).completedByMetabolites(),
      ],
      options: [inside, Parameter("common", .flag, "also by way of common molecules, such as ATP")]
    ).explained(
      """
      Processes are passed in the directions they can run in, and transports by what they carry. Of all ways it is one \
      through pools of few processes: those of many join what has little to do with each other. A name stands for its pools \
      in all compartments. Without a path it ends with an error.
      """,
      examples: [.init("path p-glc-liver-cyt p-pyr-liver-cyt --in w-glycolysis", "through a pathway")])
  ) { call, shelf in
    let walk = GraphWalk(try graph(call, shelf), skipsCommon: !call.flag("common"))
    let (from, to) = (call.text("from"), call.text("to"))
    guard let found = walk.path(from: try nodes(from, walk), to: try nodes(to, walk)) else {
      throw PathwayError.noPath(from: from, to: to, skipsCommon: !call.flag("common"))
    }
    let nodes = found.map { walk.graph.nodes[$0] }
    try await call.emit(
      .table(
        Table(columns: [
          .init("id", title: "Id", .texts(nodes.map(\.id.text))),
          .init("name", title: "Name", .texts(nodes.map(\.label))),
          .init("kind", title: "Kind", .texts(nodes.map(\.kind.rawValue))),
        ])))
  }

  private static func graph(_ call: CommandCall, _ shelf: PathwayShelf) throws -> ReactionGraph {
    if !call.text("in").isEmpty { return try shelf.network(call.text("in"), call.context).graph() }
    return try shelf.database(call.context).wholeGraph
  }

  private static func nodes(_ word: String, _ walk: GraphWalk) throws(PathwayError) -> [Int] {
    let found = walk.nodes(word)
    if !found.isEmpty { return found }
    let known = walk.graph.nodes.flatMap { [$0.id.text, $0.label] }
    throw .unknownNode(word, nearest: Suggestion.nearest(to: word, in: known))
  }
}
