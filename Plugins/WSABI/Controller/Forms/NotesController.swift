import PluginAPI

/// An editor for the multi-line notes of an item or a person; passes them to the screen below, which stores them.
///
/// The notes are read from the store rather than taken as an argument, because the arguments of screens may be
/// remembered.
@MainActor final class NotesController: Controller {
  static let reading: EffectID = "notes"
  static let leaving: EffectID = "leave"
  static let addingLine: EffectID = "add"

  nonisolated static let actions: [ScreenAction] = [
    ScreenAction("keep", "Keep the notes", keys: ["ctrl-s"]),
    ScreenAction("add", "Add a line"),
    ScreenAction("empty", "Empty the notes"),
  ]

  /// The subject of the notes, and the notes so far.
  private struct Content: Sendable {
    var title: String
    var notes: String
  }

  private let station: ScreenStation
  private let item: Int?
  private let person: Int?
  private var area: TextArea?
  /// The notes as the store has them.
  private var before = ""
  private var about = ""
  private var message = "reading …"
  private var size = Size(width: 0, height: 0)
  private var hasStarted = false

  init(_ request: ScreenRequest, _ station: ScreenStation) {
    self.station = station
    item = request.arguments["item"]?.integer
    person = request.arguments["person"]?.integer
  }

  var title: String { "Notes" }
  var view: any View {
    NotesView(title: about.isEmpty ? title : "\(title) · \(about)", area: area, message: message)
  }
  var wantsText: Bool { area != nil }
  var status: [StyledText.Run] { isChanged ? [.init("not kept yet", .warning)] : [] }

  private var isChanged: Bool { area.map { !$0.text.utf8.elementsEqual(before.utf8) } ?? false }

  func handle(_ event: Event) -> [Effect]? {
    switch event {
    case .resize(let geometry):
      size = geometry.size
      if hasStarted { return [] }
      hasStarted = true
      return station.leaving ?? read()
    case .key(Key(.character("s"), .control)): return keep()
    case .key(Key(.escape)): return leave()
    case .key, .paste:
      let room = NotesView.area(in: size).size
      return area?.handle(event, in: room) == true ? [] : nil
    case .mouse(let mouse): return handle(mouse)
    default: return nil
    }
  }

  private func handle(_ mouse: Mouse) -> [Effect]? {
    let rect = NotesView.area(in: size)
    guard case .press = mouse.action, mouse.button == .left, rect.contains(mouse.position) else { return nil }
    area?.point(at: Point(x: mouse.position.x - rect.x, y: mouse.position.y - rect.y), in: rect.size)
    return []
  }

  func perform(_ invocation: ActionInvocation) -> [Effect] {
    switch invocation.action {
    case "keep": return keep()
    case "add" where area != nil: return [.ask(Self.addingLine, PromptRequest("Another line of the notes"))]
    case "empty" where area != nil: area = TextArea()
    default: break
    }
    return []
  }

  /// Passes the text to the screen below.
  private func keep() -> [Effect] {
    guard let area else { return [] }
    return [.pop(isChanged ? .text(area.text) : .null)]
  }

  private func leave() -> [Effect] {
    guard isChanged else { return [.pop(.null)] }
    let choices = [
      ChoiceRequest.Choice(id: "keep", title: "Keep what was written"),
      ChoiceRequest.Choice(id: "discard", title: "Leave the notes as they were"),
      ChoiceRequest.Choice(id: "stay", title: "Go on writing"),
    ]
    return [.choose(Self.leaving, ChoiceRequest("The notes were changed", choices: choices))]
  }

  func receive(_ message: Message) -> [Effect] {
    switch message {
    case .finished(Self.reading, let content as Content):
      (about, before) = (content.title, content.notes)
      area = TextArea(content.notes)
    case .answered(Self.leaving, "keep"?): return keep()
    case .answered(Self.leaving, "discard"?): return [.pop(.null)]
    case .answered(Self.addingLine, let line?):
      guard let text = area?.text else { return [] }
      area = TextArea(text.isEmpty ? line : "\(text)\n\(line)")
    case .failed(Self.reading, let report):
      self.message = report.description
      return station.leaving ?? []
    case .notification: return station.leaving ?? []
    default: break
    }
    return []
  }

  private func read() -> [Effect] {
    let (station, item, person) = (station, item, person)
    return [
      .compute(Self.reading, label: "reading") { _ in
        guard let item else {
          let found = try station.personAndWait(person ?? 0)
          return Content(title: PersonText.name(found), notes: found.biography.notes)
        }
        let found = try station.itemAndWait(item)
        return Content(title: found.submodality.title, notes: found.annotation.notes)
      }
    ]
  }
}
