import PluginAPI

/// A picker for a day of birth; returns `yyyy-mm-dd`, or an empty text for none.
///
/// The day is read from the store rather than taken as an argument, because the arguments of screens may be remembered.
@MainActor final class DateController: Controller {
  nonisolated static let description = ScreenDescription(
    "date", title: "Date of birth", summary: "picks a day of birth",
    actions: [
      ScreenAction("done", "Keep the day", keys: ["enter"]), ScreenAction("clear", "Empty the field", keys: ["delete"]),
      ScreenAction("type", "Type the day", keys: ["t"]),
    ],
    topics: [WSABIScreens.recordsTopic])

  /// The age assumed for a person without a known day of birth, in years; the arrow keys reach most days of birth soon
  /// from there.
  private static let likelyAge = 30

  private let station: ScreenStation
  private let person: Int
  private var state: DatePickerState?
  private var message = "reading …"
  private var size = Size(width: 0, height: 0)

  init(_ request: ScreenRequest, _ station: ScreenStation) {
    self.station = station
    person = request.arguments["person"]?.integer ?? 0
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
    let now = CalendarDay(String(station.now().description.prefix(10)))
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
      message = "a day is year-month-day, as in 1815-12-10"
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
    switch invocation.action {
    case "done": return done()
    case "clear": return [.pop(.text(""))]
    case "type":
      let asking = ask(PromptRequest("Year-month-day", text: state?.day.text ?? "")) { controller, text in
        controller.take(text)
        return []
      }
      return [asking]
    default: return []
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
