import PluginAPI

/// A dialog for the format and the file of an entity's export, which also runs it; for every screen that shows an
/// entity.
struct ExportDialogue {
  static let askingForm: EffectID = "export-format"
  static let askingPlace: EffectID = "export-place"
  static let exporting: EffectID = "export"
  static let action = ScreenAction("export", "Export with all that is below", keys: ["e"])

  /// The id of the entity to export.
  private var permID = ""
  private var account = ""
  /// The format of the export.
  private var form = ""

  /// Starts with an entity of an account.
  mutating func ask(_ permID: String, account: String) -> [Effect] {
    (self.permID, self.account) = (permID, account)
    let choices: [ChoiceRequest.Choice] = [
      .init(id: "html", title: "HTML", detail: "one page to read and print"),
      .init(id: "csv", title: "CSV", detail: "a row for each entity, for spreadsheets"),
      .init(id: "json", title: "JSON", detail: "all that is kept, for programs"),
    ]
    return [.choose(Self.askingForm, ChoiceRequest("Export with all that is below", choices: choices))]
  }

  /// Handles the answers to its questions and the result of its command; ignores other messages.
  mutating func receive(_ message: Message) -> [Effect] {
    switch message {
    case .answered(Self.askingForm, let form?):
      self.form = form
      let name = permID.filter { $0.isLetter || $0.isNumber || $0 == "-" || $0 == "_" }.prefix(60)
      return [.ask(Self.askingPlace, PromptRequest("Write it to", text: (name.isEmpty ? "export" : name) + "." + form))]
    case .answered(Self.askingPlace, let place?) where !place.isEmpty && !permID.isEmpty:
      let arguments: Record = [
        "perm-id": .text(permID), "format": .text(form), "output": .text(place), "account": .text(account),
      ]
      return [.run(Self.exporting, command: "export", arguments: arguments)]
    case .finished(Self.exporting, _):
      return [.status(Diagnostic(.note, code: "openbis.exported", "the export is written"))]
    case .failed(Self.exporting, let report): return [.status(Diagnostic(report, .error))]
    default: return []
    }
  }
}

extension Diagnostic {
  /// Creates a diagnostic from an error report.
  init(_ report: ErrorReport, _ severity: Severity) {
    self.init(severity, code: report.code, report.message, advice: report.advice)
  }
}
