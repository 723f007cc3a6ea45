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
          "viewer", title: "Molecule", summary: "View of a molecule; at first the one viewed last",
          actions: ViewerActions.all)
      ) { ViewerController($0, $1) },
      ScreenPart(
        ScreenDescription(
          "library", title: "Library", summary: "List of the molecules", actions: LibraryController.actions,
          topics: ["molecules.library-changed"])
      ) { LibraryController($0, $1, deleted) },
      ScreenPart(
        ScreenDescription(
          "detail", title: "Details", summary: "Metadata of a molecule", actions: DetailController.actions)
      ) { DetailController($0, $1) },
      ScreenPart(
        ScreenDescription(
          "search", title: "Download new molecule", summary: "Search for molecules in online databases",
          actions: SearchController.actions)
      ) { SearchController($0, $1) },
      ScreenPart(
        ScreenDescription(
          "download", title: "Download", summary: "Description and download of a molecule found by a search",
          actions: DownloadController.actions)
      ) { DownloadController($0, $1) },
      ScreenPart(
        ScreenDescription(
          "page", title: "Web page", summary: "Web page as text", actions: PageController.actions)
      ) { PageController($0, $1) },
      ScreenPart(ScreenDescription("text", title: "Text", summary: "Long text")) { request, _ in
        TextController(request)
      },
    ]
  }
}

/// The screen with one long text.
@MainActor final class TextController: Controller {
  let title: String
  private var page: TextPageState
  private var size = Size(width: 0, height: 0)

  init(_ request: ScreenRequest) {
    title = request.arguments[MoleculeArgument.title] ?? "Text"
    page = TextPageState(request.arguments[MoleculeArgument.text] ?? "")
  }

  /// Returns the request to show a text.
  nonisolated static func request(_ title: String, _ text: String) -> ScreenRequest {
    ScreenRequest("text").with(MoleculeArgument.title, title).with(MoleculeArgument.text, text)
  }

  var view: any View { TextPageView(title, page) }
  var wantsText: Bool { page.isSearching }

  func handle(_ event: Event) -> [Effect]? {
    if case .resize(let geometry) = event { size = geometry.size }
    return page.handle(event, in: Rect(size)) == nil ? nil : []
  }
}

/// The plugin's about screen.
enum MoleculesAbout {
  static var screen: Effect {
    .push(TextController.request("About Molecules", text))
  }

  static let text = """
    Molecules \(MoleculesPlugin.version): molecular structures in a terminal.

    The library stores molecules and their original files; the viewer shows and rotates them. Press ? for the keys of a \
    screen, and ctrl-p to find any command by its name.

    Where things are
    i in the viewer      the library: molecules, search and download, import
    m, c                 the drawing mode and the color scheme
    S                    the sequence below the picture
    W                    the structures shown together
    u, ctrl-r            undo and redo changes of the view
    workbench molecules  the same as commands, for scripts

    Feedback
    Report problems and wishes to the issue tracker of the project. Describe what you did, what you expected and what \
    happened. Add the output of 'workbench version' and 'workbench doctor', and the file if you can share it.

    Based on the iPhone application Molecules by Brad Larson, first published with its source in 2008.
    """
}
