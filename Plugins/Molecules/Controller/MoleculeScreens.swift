import PluginAPI

/// The screens of this plugin; `workbench run molecules` shows the first one.
enum MoleculeScreens {
  /// Returns the screens.
  ///
  /// - Parameter deleted: The molecules that were deleted and can be restored.
  static func parts(_ deleted: DeletedShelf) -> [ScreenPart] {
    [
      ScreenPart(
        ScreenDescription(
          "viewer", title: "Molecule", summary: "shows and turns a molecule; at first the one viewed last",
          actions: ViewerActions.all)
      ) { ViewerController($0, $1) },
      ScreenPart(
        ScreenDescription(
          "library", title: "Library", summary: "lists the molecules", actions: LibraryController.actions,
          topics: ["molecules.library-changed"])
      ) { LibraryController($0, $1, deleted) },
      ScreenPart(
        ScreenDescription(
          "detail", title: "Details", summary: "tells what is known of a molecule", actions: DetailController.actions)
      ) { DetailController($0, $1) },
      ScreenPart(
        ScreenDescription(
          "search", title: "Download new molecule", summary: "searches services for molecules",
          actions: SearchController.actions)
      ) { SearchController($0, $1) },
      ScreenPart(
        ScreenDescription(
          "download", title: "Download", summary: "tells of a molecule that was found, and downloads it",
          actions: DownloadController.actions)
      ) { DownloadController($0, $1) },
      ScreenPart(
        ScreenDescription(
          "page", title: "Web page", summary: "shows a web page as text", actions: PageController.actions)
      ) { PageController($0, $1) },
      ScreenPart(ScreenDescription("text", title: "Text", summary: "shows one long text")) { request, _ in
        TextController(request)
      },
    ]
  }
}

extension Load.Failure {
  /// Returns the error in words, or the given text if the work was canceled.
  func text(ifCanceled text: String) -> String {
    if case .failed(let report) = self { report.description } else { text }
  }
}
