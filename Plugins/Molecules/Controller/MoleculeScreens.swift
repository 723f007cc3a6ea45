import PluginAPI

/// The screens of this plugin; `workbench run molecules` shows the first one.
enum MoleculeScreens {
  static let all = [
    ScreenDescription(
      "viewer", title: "Molecule", summary: "shows and turns a molecule; at first the one viewed last",
      actions: ViewerActions.all),
    ScreenDescription(
      "library", title: "Library", summary: "lists the molecules", actions: LibraryController.actions,
      topics: ["molecules.library-changed"]),
    ScreenDescription(
      "detail", title: "Details", summary: "tells what is known of a molecule", actions: DetailController.actions),
    ScreenDescription(
      "search", title: "Download new molecule", summary: "searches services for molecules",
      actions: SearchController.actions),
    ScreenDescription(
      "download", title: "Download", summary: "tells of a molecule that was found, and downloads it",
      actions: DownloadController.actions),
    ScreenDescription(
      "page", title: "Web page", summary: "shows a web page as text", actions: PageController.actions),
    ScreenDescription("text", title: "Text", summary: "shows one long text"),
  ]

  @MainActor static func controller(
    _ request: ScreenRequest, _ context: any PluginContext, _ deleted: DeletedShelf
  ) throws -> any Controller {
    switch request.screen {
    case "viewer": ViewerController(request, context)
    case "library": LibraryController(request, context, deleted)
    case "detail": DetailController(request, context)
    case "search": SearchController(request, context)
    case "download": DownloadController(request, context)
    case "page": PageController(request, context)
    case "text": TextController(request)
    default: throw MissingPart.screen(request.screen)
    }
  }
}

extension Load.Failure {
  /// Returns the error in words, or the given text if the work was canceled.
  func text(ifCanceled text: String) -> String {
    if case .failed(let report) = self { report.description } else { text }
  }
}
