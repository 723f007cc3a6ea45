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
    ErrorCodeDescription("openbis.online", "an offline server can be reached again"),
    ErrorCodeDescription("openbis.entity-deleted", "the entity on the screen was deleted on the server"),
    ErrorCodeDescription("openbis.no-search-kinds", "the server offers no choice of search domains"),
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

/// The dialog for the format and the file of an entity's export, for every screen that shows an entity.
enum ExportDialog {
  /// Returns the action by which a screen opens the dialog.
  static func action(_ action: some RawRepresentable<String>) -> ScreenAction {
    ScreenAction(action, "Export with all entities below", keys: ["e"])
  }

  fileprivate static let exporting: EffectID = "export"

  fileprivate static let formats: [ChoiceRequest.Choice] = [
    .init(id: "html", title: "HTML", detail: "One page to read and print"),
    .init(id: "csv", title: "CSV", detail: "A row for each entity, for spreadsheets"),
    .init(id: "json", title: "JSON", detail: "All cached data, for programs"),
  ]

  /// Handles the end of an export; ignores other messages.
  static func receive(_ message: Message) -> [Effect] {
    guard case .finished(exporting) = message else { return [] }
    return [.status(Diagnostic(.note, code: "openbis.exported", "wrote the export"))]
  }
}

extension Controller {
  /// Asks for the format and the file of an entity's export, and runs it.
  func export(_ permID: String, account: String) -> [Effect] {
    let formats = ChoiceRequest("Export with all entities below", choices: ExportDialog.formats)
    return [
      choose(formats) { controller, format in
        let name = permID.filter { $0.isLetter || $0.isNumber || $0 == "-" || $0 == "_" }.prefix(60)
        let file = PromptRequest("Output file", text: (name.isEmpty ? "export" : name) + "." + format)
        return [
          controller.ask(file) { _, path in
            if path.isEmpty || permID.isEmpty { return [] }
            let arguments: Record = [
              "perm-id": .text(permID), "format": .text(format), "output": .text(path), "account": .text(account),
            ]
            return [.run(ExportDialog.exporting, command: "export", arguments: arguments)]
          }
        ]
      }
    ]
  }
}
