import PluginAPI

/// A picker for a day of birth; returns `yyyy-mm-dd`, or an empty text for none.
///
/// The day is read from the store rather than taken as an argument, because the arguments of screens may be remembered.
@MainActor final class DateController: Controller {
  static let reading: EffectID = "person"
  static let typing: EffectID = "type"

  nonisolated static let actions: [ScreenAction] = [
    ScreenAction("done", "Keep the day", keys: ["enter"]), ScreenAction("clear", "Empty the field", keys: ["delete"]),
    ScreenAction("type", "Type the day", keys: ["t"]),
  ]

  /// The age assumed for a person without a known day of birth, in years; the arrow keys reach most days of birth soon
  /// from there.
  private static let likelyAge = 30

  private let station: ScreenStation
  private let person: Int
  private var state: DatePickerState?
  private var message = "reading …"
  private var size = Size(width: 0, height: 0)
  private var hasStarted = false

  init(_ request: ScreenRequest, _ station: ScreenStation) {
    self.station = station
    person = request.arguments["person"]?.integer ?? 0
  }

  var title: String { "Date of birth" }
  var view: any View { DatePickerView(title: title, state: state, message: message) }

  func handle(_ event: Event) -> [Effect]? {
    switch event {
    case .resize(let geometry):
      size = geometry.size
      if hasStarted { return [] }
      hasStarted = true
      return station.leaving ?? read()
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
    case "type": return [.ask(Self.typing, PromptRequest("Year-month-day", text: state?.day.text ?? ""))]
    default: return []
    }
  }

  func receive(_ message: Message) -> [Effect] {
    switch message {
    case .finished(Self.reading, let person as Person):
      let text = person.biography.datesOfBirth.first ?? ""
      let now = CalendarDay(String(station.now().description.prefix(10)))
      let likely = CalendarDay(year: (now?.year ?? 2000) - Self.likelyAge, month: 1, day: 1)
      state = DatePickerState(CalendarDay(text) ?? likely)
      // A date as another program wrote it is not thrown away unseen.
      self.message = text.isEmpty || CalendarDay(text) != nil ? "" : "was '\(text)'"
    case .answered(Self.typing, let text?): take(text)
    case .failed(Self.reading, let report):
      self.message = report.description
      return station.leaving ?? []
    case .notification: return station.leaving ?? []
    default: break
    }
    return []
  }

  private func done() -> [Effect] {
    guard var state else { return [] }
    state.settle()
    if state.message.isEmpty { return [.pop(.text(state.day.text))] }
    self.state = state
    return []
  }

  private func read() -> [Effect] {
    let (station, person) = (station, person)
    return [.compute(Self.reading, label: "reading") { _ in try station.personAndWait(person) }]
  }
}
