import PluginAPI

/// The popover that lists the pathways over the current one; the chosen pathway replaces it.
@MainActor final class PathwaysController: Controller {
  static let opening: EffectID = "open"
  nonisolated static let actions: [ScreenAction] = [ScreenAction("open", "Show the selected pathway")]

  let title: String
  private let context: any PluginContext
  private let shelf: PathwayShelf
  private var finder = PathwayFinder(hasEntries: false)
  private var size = Size(width: 0, height: 0)
  private var hasStarted = false

  init(_ request: ScreenRequest, _ context: any PluginContext, _ shelf: PathwayShelf) {
    (self.context, self.shelf) = (context, shelf)
    title = request.arguments["title"]?.text ?? "Pathways"
    finder.wanted = request.arguments["selected"]?.text
    finder.startTyping()
  }

  var wantsText: Bool { true }
  var isLoading: Bool { !finder.isFilled }
  var view: any View { finder.view(title: title, progress: nil, action: "open") }

  func handle(_ event: Event) -> [Effect]? {
    if case .resize(let geometry) = event {
      size = geometry.size
      finder.resize(to: size.width)
      if hasStarted { return [] }
      hasStarted = true
      let (shelf, context) = (shelf, context)
      return [.compute(Self.opening, label: "opening the database") { _ in try FoundPathways(shelf, context) }]
    }
    // The key that opened it also closes it.
    if event == .key(Key(.tab)) { return [.pop(.null)] }
    switch finder.handle(event, in: finder.listRect(of: size)) {
    case .changed: return []
    case .chosen(let id): return choose(id)
    case .disclosed, nil: return nil
    @unknown default: return nil
    }
  }

  func perform(_ invocation: ActionInvocation) -> [Effect] {
    (invocation.arguments["id"]?.text ?? finder.selectedID).map(choose) ?? []
  }

  func receive(_ message: Message) -> [Effect] {
    switch message {
    case .finished(Self.opening, let found as FoundPathways): finder.take(found)
    case .failed(Self.opening, let report): finder.message = report.description
    case .cancelled(Self.opening): finder.message = "opening the database was cancelled"
    default: break
    }
    return []
  }

  private func choose(_ id: String) -> [Effect] {
    var record: Record = ["open": .text(id)]
    if let focus = finder.focus(of: id) { record["focus"] = .text(focus.text) }
    return [.pop(.record(record))]
  }
}
