import PluginAPI

/// The form with a person's details; every change is stored at once.
@MainActor final class BiographyController: Controller {
  nonisolated static let description = ScreenDescription(
    "biography", title: "Person", summary: "Biography of a person",
    actions: [
      ScreenAction(BiographyAction.edit, "Edit the field", keys: ["enter", "e"]),
      ScreenAction(BiographyAction.type, "Type the field (several values separated by ;)", keys: ["t"]),
      ScreenAction(BiographyAction.clear, "Clear the field", keys: ["delete"]),
      ScreenAction(BiographyAction.undo, "Undo the last change", keys: ["u"]),
    ],
    topics: [WSABIScreens.recordsTopic])

  /// The number of changes that can be undone.
  private static let keptChanges = 100

  private let station: ScreenStation
  private let id: Int
  private var form = FormState()
  private var biography: Biography?
  private var message = "loading …"
  private var size = Size(width: 0, height: 0)
  /// The values replaced by each change, most recent last, so that a mistyped key can be undone.
  private var history: [(field: BiographyField, before: Biography)] = []

  init(_ request: ScreenRequest, _ station: ScreenStation) {
    self.station = station
    id = request.arguments[WSABIArgument.person] ?? 0
  }

  var title: String { biography?.name ?? "Person" }
  var view: any View { FormView("Person", form, action: BiographyAction.edit.rawValue, emptyText: message) }
  var status: [StyledText.Run] { [.init("changes are saved immediately", .secondary)] }

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
    guard let action = BiographyAction(rawValue: invocation.action),
      let id = invocation.arguments[WSABIArgument.id] ?? form.selectedField?.id
    else { return [] }
    switch action {
    case .edit: return edit(id)
    case .type: return edit(id, picks: false)
    case .clear:
      guard let field = BiographyForm.field(id) else { return [] }
      return set(field, to: "")
    case .undo:
      guard let (field, before) = history.popLast(), let biography else {
        return [.status(Diagnostic(.note, code: "wsabi.nothing-to-undo", "nothing to undo"))]
      }
      return keep(BiographyForm.copying(field, from: before, to: biography))
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
    guard let biography, let field = BiographyForm.field(id) else { return [] }
    if picks, field == .dateOfBirth {
      return [.present(ScreenRequest("date").with(WSABIArgument.person, self.id))]
    }
    if picks, field == .notes {
      return [.push(ScreenRequest("notes").with(WSABIArgument.person, self.id))]
    }
    let text = BiographyForm.text(field, of: biography)
    if let words = field.choices {
      let choices = words.map { ChoiceRequest.Choice(id: $0, title: $0.isEmpty ? "not given" : $0) }
      return [choose(ChoiceRequest(field.label, choices: choices, selected: text)) { $0.set(field, to: $1) }]
    }
    let hint = field == .dateOfBirth ? " (year-month-day)" : field.isList ? " (several separated by ;)" : ""
    return [ask(PromptRequest(field.label + hint, text: text)) { $0.set(field, to: $1) }]
  }

  private func set(_ field: BiographyField, to text: String) -> [Effect] {
    guard let old = biography else { return [] }
    guard BiographyForm.accepts(text, in: field) else {
      return [
        .status(
          Diagnostic(
            .warning, code: "wsabi.date-expected", "the date is not in the form year-month-day",
            advice: "write it like 1815-12-10"))
      ]
    }
    return change(field, to: BiographyForm.setting(field, to: text, in: old))
  }

  private func change(_ field: BiographyField, to new: Biography) -> [Effect] {
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

/// A picker for a day of birth; returns `yyyy-mm-dd`, or an empty text for none.
///
/// The day is read from the store rather than taken as an argument, because the arguments of screens may be remembered.
@MainActor final class DateController: Controller {
  nonisolated static let description = ScreenDescription(
    "date", title: "Date of birth", summary: "Date picker for the date of birth",
    actions: [
      ScreenAction(DateAction.done, "Save the day", keys: ["enter"]),
      ScreenAction(DateAction.clear, "Clear the field", keys: ["delete"]),
      ScreenAction(DateAction.type, "Type the day", keys: ["t"]),
    ],
    topics: [WSABIScreens.recordsTopic])

  /// The age assumed for a person without a known day of birth, in years; the arrow keys reach most days of birth soon
  /// from there.
  private static let likelyAge = 30

  private let station: ScreenStation
  private let person: Int
  private var state: DatePickerState?
  private var message = "loading …"
  private var size = Size(width: 0, height: 0)

  init(_ request: ScreenRequest, _ station: ScreenStation) {
    self.station = station
    person = request.arguments[WSABIArgument.person] ?? 0
  }

  var title: String { "Date of birth" }
  var view: any View { DatePickerView(title: title, state: state, message: message) }

  func start() -> [Effect] {
    let reading = load("person", "reading") { [station, person] _ in
      try await station.records().person(person)
    } then: { controller, person -> Void in
      controller.show(person.biography.datesOfBirth.first ?? "")
    } failed: { controller, failure in
      if case .failed(let report) = failure { controller.message = report.description }
      return []
    }
    return [reading]
  }

  private func show(_ text: String) {
    let now = CalendarDay(station.now().dateText)
    let likely = CalendarDay(year: (now?.year ?? 2000) - Self.likelyAge, month: 1, day: 1)
    state = DatePickerState(CalendarDay(text) ?? likely)
    // A date as another program wrote it is not thrown away unseen.
    message = text.isEmpty || CalendarDay(text) != nil ? "" : "was '\(text)'"
  }

  func handle(_ event: Event) -> [Effect]? {
    switch event {
    case .resize(let geometry):
      size = geometry.size
      return []
    case .key(let key): return state?.handle(key) == true ? [] : nil
    case .paste(let text):
      take(text)
      return []
    case .mouse(let mouse): return handle(mouse)
    default: return nil
    }
  }

  private func take(_ text: String) {
    guard let day = CalendarDay(String(text.filter { !$0.isWhitespace })) else {
      message = "write the day as year-month-day, such as 1815-12-10"
      return
    }
    message = ""
    state?.pick(day)
  }

  private func handle(_ mouse: Mouse) -> [Effect]? {
    switch mouse.action {
    case .scroll(let rows): state?.turn(months: rows.signum())
    case .press(let clicks) where mouse.button == .left:
      guard let day = state.flatMap({ DatePickerView.hit(mouse.position, $0, in: size) }) else { return [] }
      state?.pick(day)
      if clicks >= 2 { return done() }
    default: return nil
    }
    return []
  }

  func perform(_ invocation: ActionInvocation) -> [Effect] {
    guard let action = DateAction(rawValue: invocation.action) else { return [] }
    switch action {
    case .done: return done()
    case .clear: return [.pop(.text(""))]
    case .type:
      let asking = ask(PromptRequest("Year-month-day", text: state?.day.text ?? "")) { controller, text in
        controller.take(text)
        return []
      }
      return [asking]
    }
  }

  private func done() -> [Effect] {
    guard var state else { return [] }
    state.settle()
    if state.message.isEmpty { return [.pop(.text(state.day.text))] }
    self.state = state
    return []
  }
}
