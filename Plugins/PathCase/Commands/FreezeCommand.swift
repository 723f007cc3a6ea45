import PluginAPI

/// The command that stores a layout as the user's own.
enum FreezeCommand {
  private struct Outcome: Model {
    var pathway: String
    var nodes: Int
    var isOwn: Bool

    static let typeName = "pathcase.own-layout"
    static let fields = Fields<Self> {
      Field("pathway", \.pathway, "the id of the pathway")
      Field("nodes", \.nodes, "how many places are kept")
      Field("isOwn", \.isOwn, "whether there is a layout of your own now")
    }
  }

  private static let pathway = Argument("pathway", String.self, "the id or name of a pathway").completedByPathways()
  private static let remove = Option(flag: "remove", "forget the layout of your own")
  private static let anew = Option(flag: "anew", "lay out anew, whatever layout there is")
  private static let common = LayoutOptions.CommonMolecules.option([.hidden, .asOthers], default: .hidden)

  static let command: PathCaseCommand = PathCaseCommand(
    CommandDescription(
      "freeze", "keeps the layout of a pathway as your own", output: .model(Outcome.self), effects: [.reads, .writes]
    ).taking(pathway, remove, anew, common).explained(
      "From then on the pathway is drawn so, also after updates: what a later database adds is placed beside it.",
      examples: [
        .init("freeze glycolysis", "as it is drawn now"),
        .init("freeze glycolysis --remove", "as the database has it, or laid out anew"),
      ])
  ) { call, shelf in
    let database = try shelf.database(call.context)
    let index = try PathwayShelf.neededPathway(call[pathway], in: database)
    let id = database.pathways[index].id
    if call[remove] {
      _ = try await shelf.keptUserData(call.context)?.removeLayout(of: id)
      shelf.forgetDatabase()
      return try await call.emit(Outcome(pathway: id.text, nodes: 0, isOwn: false))
    }
    let graph = database.graph(ofPathway: index)
    let options = LayoutOptions(common: call[common], usesFrozenPlaces: !call[anew])
    let found = LayeredLayout.layout(graph, options: options) { Task.isCancelled }
    try Task.checkCancellation()
    let frozen = FrozenLayout(found, of: graph, pathway: id)
    try await shelf.userData(call.context).save(frozen)
    shelf.forgetDatabase()
    try await call.emit(Outcome(pathway: id.text, nodes: frozen.nodes.count, isOwn: true))
  }
}
