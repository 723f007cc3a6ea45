import PluginAPI

/// The screens of this plugin; `workbench run pathcase` shows the first.
enum PathCaseScreens {
  /// Returns the screens.
  static func parts(_ shelf: PathwayShelf) -> [ScreenPart] {
    [
      ScreenPart(
        ScreenDescription(
          "home", title: "Pathways", summary: "lists and searches the pathways of the database",
          actions: HomeController.actions,
          topics: ["pathcase.\(PathwayShelf.databaseChanged)", "pathcase.user-data-changed"])
      ) { HomeController($1, shelf, document: $0.arguments["document"]?.text) },
      ScreenPart(
        ScreenDescription(
          "pathway", title: "Pathway", summary: "shows a pathway or file as a graph, its scenarios and tables",
          actions: PathwayActions.all)
      ) { PathwayController($0, $1, shelf) },
      ScreenPart(
        ScreenDescription(
          "pathways", title: "Pathways", summary: "puts another pathway in the place of the one shown",
          actions: PathwaysController.actions)
      ) { PathwaysController($0, $1, shelf) },
      ScreenPart(
        ScreenDescription(
          "node", title: "Details", summary: "tells what is known of a metabolite or process",
          actions: NodeController.actions)
      ) { NodeController($0, $1, shelf) },
      ScreenPart(ScreenDescription("text", title: "Text", summary: "shows one long text")) { request, _ in
        FieldTextController(request)
      },
    ]
  }

  /// The codes of messages that originate in the screens.
  static let errorCodes = [
    ErrorCodeDescription("pathcase.nothing-selected", "no node of the graph is selected"),
    ErrorCodeDescription("pathcase.not-drawn", "what was looked for is not in the picture"),
    ErrorCodeDescription("pathcase.no-number", "what was written is not a number"),
    ErrorCodeDescription("pathcase.one-way", "a process runs in one direction only"),
    ErrorCodeDescription("pathcase.busy-pool", "a pool takes part in so many processes that it is better hidden"),
    ErrorCodeDescription("pathcase.no-common", "a network has no common molecules to hide or show"),
    ErrorCodeDescription("pathcase.layout-kept", "a layout was kept as the user's own, or forgotten"),
    ErrorCodeDescription("pathcase.scenarios-kept", "what the browser of scenarios keeps, or found among what is kept"),
    ErrorCodeDescription("pathcase.updating", "the database is being fetched already"),
    ErrorCodeDescription("pathcase.update-ended", "an update that was asked for on the screen ended"),
  ]
}

extension Effect {
  /// Shows a note in the status line for a while.
  static func note(_ code: String, _ text: String, advice: String? = nil) -> Effect {
    .status(Diagnostic(.note, code: code, text, advice: advice))
  }
}

extension Load.Failure {
  /// Returns the text to show in place of what is missing.
  func text(canceled: String) -> String {
    if case .failed(let report) = self { report.description } else { canceled }
  }
}
