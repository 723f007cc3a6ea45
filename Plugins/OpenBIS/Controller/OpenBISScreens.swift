import PluginAPI

/// The screens of this plugin; `workbench run openbis` shows the first one.
enum OpenBISScreens {
  /// The topic published after every change of an account's cache.
  private static let cacheTopic = "openbis.cache-changed"

  static let all = [
    ScreenDescription(
      "browser", title: "openBIS", summary: "browses what is kept of a server, and asks it for more",
      actions: BrowserController.actions, topics: [cacheTopic]),
    ScreenDescription(
      "detail", title: "Details", summary: "tells all that is known of an entity", actions: DetailController.actions,
      topics: [cacheTopic]),
    ScreenDescription(
      "search", title: "Search", summary: "finds entities here and on the server",
      actions: EntitySearchController.actions),
    ScreenDescription(
      "tree", title: "Tree", summary: "shows what lies below or above an entity", actions: EntityTreeController.actions),
    ScreenDescription(
      "image", title: "Image", summary: "shows one image over the whole screen", actions: ImageController.actions),
    ScreenDescription(
      "files", title: "Files", summary: "lists the files of a data set", actions: FilesController.actions),
    ScreenDescription("preview", title: "File", summary: "shows what a file holds"),
    ScreenDescription(
      "servers", title: "Servers", summary: "lists servers and users, logs in and out",
      actions: ServersController.actions),
    ScreenDescription("text", title: "Text", summary: "shows one long text", actions: TextController.actions),
  ]

  /// The codes of messages that the screens themselves produce.
  static let errorCodes = [
    ErrorCodeDescription("openbis.online", "a server that could not be reached answers again"),
    ErrorCodeDescription("openbis.entity-deleted", "the entity that was shown was deleted on the server"),
    ErrorCodeDescription("openbis.no-search-kinds", "the server named no kinds of search to choose from"),
    ErrorCodeDescription("openbis.exported", "an export was written"),
    ErrorCodeDescription("openbis.downloaded", "a file was downloaded"),
  ]

  @MainActor static func controller(
    _ request: ScreenRequest, _ context: any PluginContext, _ lab: ScreenLab
  ) throws -> any Controller {
    switch request.screen {
    case "browser": BrowserController(request, context, lab)
    case "detail": DetailController(request, context, lab)
    case "search": EntitySearchController(request, context, lab)
    case "tree": EntityTreeController(request, lab)
    case "image": ImageController(request)
    case "files": FilesController(request)
    case "preview": PreviewController(request)
    case "servers": ServersController()
    case "text": TextController(request)
    default: throw MissingPart.screen(request.screen)
    }
  }
}
