import PluginAPI

/// The command that stores a layout as the user's own.
enum FreezeCommand {
  static let command: PathCaseCommand = PathCaseCommand(
    CommandDescription(
      "freeze", "keeps the layout of a pathway as your own",
      output: .init(
        .record([
          .init("pathway", .text, "the id of the pathway"), .init("nodes", .integer, "how many places are kept"),
          .init("isOwn", .bool, "whether there is a layout of your own now"),
        ])), effects: [.reads, .writes]
    ).taking(
      [Parameter("pathway", .text, "the id or name of a pathway", isRequired: true).completedByPathways()],
      options: [
        Parameter("remove", .flag, "forget the layout of your own"),
        Parameter("anew", .flag, "lay out anew, whatever layout there is"),
        Parameter(
          "common", .choice(["hidden", "as-others"]), "common molecules, such as ATP", defaultValue: "hidden"),
      ]
    ).explained(
      "From then on the pathway is drawn so, also after updates: what a later database adds is placed beside it.",
      examples: [
        .init("freeze glycolysis", "as it is drawn now"),
        .init("freeze glycolysis --remove", "as the database has it, or laid out anew"),
      ])
  ) { call, shelf in
    let database = try shelf.database(call.context)
    let index = try PathwayShelf.neededPathway(call.text("pathway"), in: database)
    let id = database.pathways[index].id
    if call.flag("remove") {
      _ = try await shelf.keptUserData(call.context)?.removeLayout(of: id)
      shelf.forgetDatabase()
      return try await call.emit(["pathway": .text(id.text), "nodes": 0, "isOwn": false])
    }
    let frozen = try await layout(call, database, index)
    try await shelf.userData(call.context).save(frozen)
    shelf.forgetDatabase()
    try await call.emit(["pathway": .text(id.text), "nodes": .integer(frozen.nodes.count), "isOwn": true])
  }

  private static func layout(
    _ call: CommandCall, _ database: MetabolicDatabase, _ pathway: Int
  ) async throws -> FrozenLayout {
    var options = LayoutOptions()
    options.common = call.text("common") == "as-others" ? .asOthers : .hidden
    options.usesFrozenPlaces = !call.flag("anew")
    let graph = database.graph(ofPathway: pathway)
    let found = LayeredLayout.layout(graph, options: options) { Task.isCancelled }
    try Task.checkCancellation()
    return FrozenLayout(found, of: graph, pathway: database.pathways[pathway].id)
  }
}
