import PluginAPI

/// The screens of this plugin; the first is what `workbench run molecules` shows.
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
    ScreenDescription("text", title: "Text", summary: "shows one long text"),
  ]

  @MainActor static func controller(
    _ request: ScreenRequest, _ context: any PluginContext
  ) throws -> any Controller {
    switch request.screen {
    case "viewer": ViewerController(request, context)
    case "library": LibraryController(request)
    case "detail": DetailController(request, context)
    case "text": TextController(request)
    default: throw MissingPart.screen(request.screen)
    }
  }
}
