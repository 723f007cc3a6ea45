import PluginAPI

/// The form with a person's details; every change is stored at once.
@MainActor final class BiographyController: Controller {
  nonisolated static let description = ScreenDescription(
    "biography", title: "Person", summary: "what is said of a person",
    actions: [
      ScreenAction("edit", "Edit the field", keys: ["enter", "e"]),
      ScreenAction("type", "Type the field (several values with ; between them)", keys: ["t"]),
      ScreenAction("clear", "Empty the field", keys: ["delete"]),
      ScreenAction("undo", "Take the last change back", keys: ["u"]),
    ],
    topics: [WSABIScreens.recordsTopic])

  /// The number of changes that can be undone.
  private static let keptChanges = 100

  private let station: ScreenStation
  private let id: Int
  private var form = FormState()
  private var biography: Biography?
  private var message = "reading …"
  private var size = Size(width: 0, height: 0)
  /// The values replaced by each change, most recent last, so that a mistyped key can be undone.
  private var history: [(field: BiographyForm.Field, before: Biography)] = []

  init(_ request: ScreenRequest, _ station: ScreenStation) {
    self.station = station
    id = request.arguments["person"]?.integer ?? 0
  }

  var title: String { biography?.name ?? "Person" }
  var view: any View { FormView("Person", form, action: "edit", emptyText: message) }
  var status: [StyledText.Run] { [.init("every change is kept at once", .secondary)] }

  func start() -> [Effect] { [read()] }

  func handle(_ event: Event) -> [Effect]? {
    if case .resize(let geometry) = event {
      size = geometry.size
      return []
    }
    switch form.handle(event, in: Rect(size)) {
    case .chosen(let id), .disclosed(let id): return edit(id)
    case .changed: return []
    case nil: return nil
    @unknown default: return nil
    }
  }

  func perform(_ invocation: ActionInvocation) -> [Effect] {
    guard let id = invocation.arguments["id"]?.text ?? form.selectedField?.id else { return [] }
    switch invocation.action {
    case "edit": return edit(id)
    case "type": return edit(id, picks: false)
    case "clear":
      guard let field = BiographyForm.Field(rawValue: id) else { return [] }
      return set(field, to: "")
    case "undo":
      guard let (field, before) = history.popLast(), let biography else {
        return [.status(Diagnostic(.note, code: "wsabi.nothing-to-undo", "nothing was changed here"))]
      }
      return keep(BiographyForm.copying(field, from: before, to: biography))
    default: return []
    }
  }

  func receive(_ message: Message) -> [Effect] {
    switch message {
    case .returned("date", let value):
      // A dismissed popover returns null.
      guard let biography, let day = value.text else { return [] }
      return change(.dateOfBirth, to: BiographyForm.setting(firstDayOfBirth: day, in: biography))
    case .returned("notes", let value):
      guard let biography, let text = value.text else { return [] }
      return change(.notes, to: BiographyForm.setting(.notes, to: text, in: biography))
    case .notification(let notification): return WSABIScreens.isOf(id, notification) ? [read()] : []
    default: return []
    }
  }

  private func read() -> Effect {
    load("person", "reading") { [station, id] _ in
      try await station.records().person(id)
    } then: {
      $0.show($1.biography)
    } failed: { controller, failure in
      if case .failed(let report) = failure { controller.message = report.description }
      return []
    }
  }

  private func show(_ biography: Biography) {
    self.biography = biography
    form.sections = BiographyForm.sections(of: biography)
  }

  private func edit(_ id: String, picks: Bool = true) -> [Effect] {
    guard let biography, let field = BiographyForm.Field(rawValue: id) else { return [] }
    if picks, field == .dateOfBirth {
      return [.present(ScreenRequest("date", arguments: ["person": .integer(self.id)]))]
    }
    if picks, field == .notes {
      return [.push(ScreenRequest("notes", arguments: ["person": .integer(self.id)]))]
    }
    let text = BiographyForm.text(field, of: biography)
    if let words = field.choices {
      let choices = words.map { ChoiceRequest.Choice(id: $0, title: $0.isEmpty ? "not said" : $0) }
      return [choose(ChoiceRequest(field.rawValue, choices: choices, selected: text)) { $0.set(field, to: $1) }]
    }
    let hint = field == .dateOfBirth ? " (year-month-day)" : field.isList ? " (several with ; between them)" : ""
    return [ask(PromptRequest(field.rawValue + hint, text: text)) { $0.set(field, to: $1) }]
  }

  private func set(_ field: BiographyForm.Field, to text: String) -> [Effect] {
    guard let old = biography else { return [] }
    guard BiographyForm.accepts(text, in: field) else {
      return [
        .status(
          Diagnostic(
            .warning, code: "wsabi.date-expected", "a date is written as year, month and day",
            advice: "such as 1815-12-10"))
      ]
    }
    return change(field, to: BiographyForm.setting(field, to: text, in: old))
  }

  private func change(_ field: BiographyForm.Field, to new: Biography) -> [Effect] {
    guard let old = biography, new != old else { return [] }
    history = history.suffix(Self.keptChanges - 1) + [(field, old)]
    return keep(new)
  }

  private func keep(_ new: Biography) -> [Effect] {
    show(new)
    let keeping = load("keep", "keeping") { [station, id] _ in
      try await station.records().edit(person: id, new, at: station.now())
    } then: {
      $0.show($1.biography)
    } failed: { controller, failure in
      // The form must not show a value that was not stored.
      if case .failed = failure { [controller.read()] } else { [] }
    }
    return [keeping]
  }
}
