import PluginAPI

/// The screens of this plugin; `workbench run openbis` shows the first one.
enum OpenBISScreens {
  /// The topic published after every change of an account's cache.
  static let cacheTopic = "openbis.cache-changed"

  /// Returns the screens.
  ///
  /// - Parameter lab: Makes the screens' access to the data of accounts.
  static func parts(_ lab: @escaping @Sendable (any PluginContext) -> ScreenLab) -> [ScreenPart] {
    [
      ScreenPart(BrowserController.description) { BrowserController($0, $1, lab($1)) },
      ScreenPart(DetailController.description) { DetailController($0, $1, lab($1)) },
      ScreenPart(EntitySearchController.description) { EntitySearchController($0, $1, lab($1)) },
      ScreenPart(EntityTreeController.description) { EntityTreeController($0, lab($1)) },
      ScreenPart(ImageController.description) { request, _ in ImageController(request) },
      ScreenPart(FilesController.description) { request, _ in FilesController(request) },
      ScreenPart(PreviewController.description) { request, _ in PreviewController(request) },
      ScreenPart(ServersController.description) { _, _ in ServersController() },
      ScreenPart(TextController.description) { request, _ in TextController(request) },
    ]
  }

  /// The codes of messages that the screens themselves produce.
  static let errorCodes = [
    ErrorCodeDescription("openbis.online", "a server that could not be reached answers again"),
    ErrorCodeDescription("openbis.entity-deleted", "the entity that was shown was deleted on the server"),
    ErrorCodeDescription("openbis.no-search-kinds", "the server named no kinds of search to choose from"),
    ErrorCodeDescription("openbis.exported", "an export was written"),
    ErrorCodeDescription("openbis.downloaded", "a file was downloaded"),
  ]
}

extension Diagnostic {
  /// Creates a diagnostic from an error report.
  init(_ report: ErrorReport, _ severity: Severity) {
    self.init(severity, code: report.code, report.message, advice: report.advice)
  }
}
