import PluginAPI

/// The screens of this plugin; `workbench run pathcase` shows the first.
enum PathCaseScreens {
  /// Returns the screens.
  static func parts(_ shelf: PathwayShelf) -> [ScreenPart] {
    [
      ScreenPart(
        ScreenDescription(
          "home", title: "Pathways", summary: "List and search of the pathways in the database",
          actions: HomeController.actions,
          topics: ["pathcase.\(PathwayShelf.databaseChanged)", userDataChanged])
      ) { HomeController($1, shelf, document: $0.arguments[PathCaseArgument.document]) },
      ScreenPart(
        ScreenDescription(
          "pathway", title: "Pathway", summary: "Graph, scenarios and tables of a pathway or file",
          actions: PathwayActions.all, topics: [userDataChanged])
      ) { PathwayController($0, $1, shelf) },
      ScreenPart(
        ScreenDescription(
          "pathways", title: "Pathways", summary: "Choice of another pathway",
          actions: PathwaysController.actions)
      ) { PathwaysController($0, $1, shelf) },
      ScreenPart(
        ScreenDescription(
          "node", title: "Details", summary: "Details of a metabolite or process",
          actions: NodeController.actions)
      ) { NodeController($0, $1, shelf) },
      ScreenPart(ScreenDescription("text", title: "Text", summary: "Whole text of a long field")) { request, _ in
        FieldTextController(request)
      },
    ]
  }

  private static let userDataChanged = "pathcase.\(PathwayShelf.userDataChanged)"

  /// The codes of messages that originate in the screens.
  static let errorCodes = [
    ErrorCodeDescription("pathcase.nothing-selected", "no node of the graph is selected"),
    ErrorCodeDescription("pathcase.not-drawn", "the node is not in the drawing"),
    ErrorCodeDescription("pathcase.no-number", "the input is not a number"),
    ErrorCodeDescription("pathcase.one-way", "the process runs in one direction only"),
    ErrorCodeDescription("pathcase.busy-pool", "a metabolite takes part in so many processes that hiding it helps"),
    ErrorCodeDescription("pathcase.no-common", "the network has no common molecules to hide or show"),
    ErrorCodeDescription("pathcase.layout-kept", "your own layout was saved or deleted"),
    ErrorCodeDescription("pathcase.scenarios-kept", "observations or scenarios were saved or loaded"),
    ErrorCodeDescription("pathcase.updating", "a download of the database is already running"),
    ErrorCodeDescription("pathcase.update-ended", "an update of the database ended"),
  ]
}

extension Effect {
  /// Shows a note in the status line for a while.
  static func note(_ code: String, _ text: String, advice: String? = nil) -> Effect {
    .status(Diagnostic(.note, code: code, text, advice: advice))
  }
}
