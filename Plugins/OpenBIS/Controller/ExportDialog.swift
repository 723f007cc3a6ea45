import PluginAPI

/// The dialog for the format and the file of an entity's export, for every screen that shows an entity.
enum ExportDialog {
  static let action = ScreenAction("export", "Export with all that is below", keys: ["e"])

  fileprivate static let exporting: EffectID = "export"

  fileprivate static let formats: [ChoiceRequest.Choice] = [
    .init(id: "html", title: "HTML", detail: "one page to read and print"),
    .init(id: "csv", title: "CSV", detail: "a row for each entity, for spreadsheets"),
    .init(id: "json", title: "JSON", detail: "all that is kept, for programs"),
  ]

  /// Handles the end of an export; ignores other messages.
  static func receive(_ message: Message) -> [Effect] {
    guard case .finished(exporting) = message else { return [] }
    return [.status(Diagnostic(.note, code: "openbis.exported", "the export is written"))]
  }
}

extension Controller {
  /// Asks for the format and the file of an entity's export, and runs it.
  func export(_ permID: String, account: String) -> [Effect] {
    let formats = ChoiceRequest("Export with all that is below", choices: ExportDialog.formats)
    return [
      choose(formats) { controller, format in
        let name = permID.filter { $0.isLetter || $0.isNumber || $0 == "-" || $0 == "_" }.prefix(60)
        let file = PromptRequest("Write it to", text: (name.isEmpty ? "export" : name) + "." + format)
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
