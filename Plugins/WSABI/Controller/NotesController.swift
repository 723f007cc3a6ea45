import PluginAPI

/// An editor for the multi-line notes of an item or a person; passes them to the screen below, which stores them.
///
/// The notes are read from the store rather than taken as an argument, because the arguments of screens may be
/// remembered.
@MainActor final class NotesController: Controller {
  nonisolated static let description = ScreenDescription(
    "notes", title: "Notes", summary: "Editor for notes",
    actions: [
      ScreenAction(NotesAction.keep, "Save the notes", keys: ["ctrl-s"]),
      ScreenAction(NotesAction.add, "Add a line"),
      ScreenAction(NotesAction.empty, "Clear the notes"),
    ],
    topics: [WSABIScreens.recordsTopic])

  private let station: ScreenStation
  private let item: Int?
  private let person: Int?
  private var area: TextArea?
  /// The notes as the store has them.
  private var before = ""
  private var about = ""
  private var message = "loading …"
  private var size = Size(width: 0, height: 0)

  init(_ request: ScreenRequest, _ station: ScreenStation) {
    self.station = station
    item = request.arguments[WSABIArgument.item]
    person = request.arguments[WSABIArgument.person]
  }

  var title: String { "Notes" }
  var view: any View {
    NotesView(title: about.isEmpty ? title : "\(title) · \(about)", area: area, message: message)
  }
  var wantsText: Bool { area != nil }
  var status: [StyledText.Run] { isChanged ? [.init("not saved", .warning)] : [] }

  private var isChanged: Bool { area.map { !$0.text.utf8.elementsEqual(before.utf8) } ?? false }

  func start() -> [Effect] {
    let reading = load("notes", "reading") { [station, item, person] _ in
      guard let item else {
        let found = try await station.records().person(person ?? 0)
        return (about: PersonText.name(found), notes: found.biography.notes)
      }
      let found = try await station.records().item(item)
      return (about: found.submodality.title, notes: found.annotation.notes)
    } then: { controller, content -> Void in
      (controller.about, controller.before) = content
      controller.area = TextArea(content.notes)
    } failed: { controller, failure in
      if case .failed(let report) = failure { controller.message = report.description }
      return []
    }
    return [reading]
  }

  func handle(_ event: Event) -> [Effect]? {
    switch event {
    case .resize(let geometry):
      size = geometry.size
      return []
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
    guard let action = NotesAction(rawValue: invocation.action), area != nil else { return [] }
    switch action {
    case .keep: return keep()
    case .add:
      let asking = ask(PromptRequest("New line of the notes")) { controller, line in
        guard let text = controller.area?.text else { return [] }
        controller.area = TextArea(text.isEmpty ? line : "\(text)\n\(line)")
        return []
      }
      return [asking]
    case .empty:
      area = TextArea()
      return []
    }
  }

  /// Passes the text to the screen below.
  private func keep() -> [Effect] {
    guard let area else { return [] }
    return [.pop(isChanged ? .text(area.text) : .null)]
  }

  private func leave() -> [Effect] {
    guard isChanged else { return [.pop(.null)] }
    let choices = [
      ChoiceRequest.Choice(id: "keep", title: "Save the notes"),
      ChoiceRequest.Choice(id: "discard", title: "Discard the changes"),
      ChoiceRequest.Choice(id: "stay", title: "Continue editing"),
    ]
    let asking = choose(ChoiceRequest("Save the changed notes?", choices: choices)) { controller, choice in
      switch choice {
      case "keep": controller.keep()
      case "discard": [.pop(.null)]
      default: []
      }
    }
    return [asking]
  }
}
