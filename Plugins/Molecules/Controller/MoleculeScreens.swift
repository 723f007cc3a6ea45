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

/// The screen with one long text.
@MainActor final class TextController: Controller {
  let title: String
  private var page: TextPageState
  private var size = Size(width: 0, height: 0)

  init(_ request: ScreenRequest) {
    title = request.arguments["title"]?.text ?? "Text"
    page = TextPageState(request.arguments["text"]?.text ?? "")
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
    .push(ScreenRequest("text", arguments: ["title": "About Molecules", "text": .text(text)]))
  }

  static let text = """
    Molecules \(MoleculesPlugin.version): molecular structures in a terminal.

    The library keeps molecules with the files they came from; the viewer turns them. ? lists the keys of any screen, \
    ctrl-p finds everything that can be done by its name.

    Where things are
    i in the viewer      the library: molecules, search and download, import
    m, c                 how a molecule is drawn and coloured
    S                    the sequence below the picture
    W                    the structures that are shown together
    u, ctrl-r            take back the last change of the view, and do it again
    workbench molecules  the same as commands, for scripts

    Feedback
    What is wrong or missing goes to the list of issues of the project this program came from. Say what you did, what \
    you expected and what came; the output of 'workbench version' and 'workbench doctor' helps, and so does the file \
    if it may be shown.

    After the application Molecules for the iPhone, by Brad Larson, whose first version with its source was published \
    in 2008.
    """
}
