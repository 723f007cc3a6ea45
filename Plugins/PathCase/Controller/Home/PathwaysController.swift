import PluginAPI

/// The popover that lists the pathways over the current one; the chosen pathway replaces it.
@MainActor final class PathwaysController: Controller {
  nonisolated static let actions: [ScreenAction] = [ScreenAction("open", "Show the selected pathway")]

  let title: String
  private let context: any PluginContext
  private let shelf: PathwayShelf
  private var finder = PathwayFinder(hasEntries: false)
  private var size = Size(width: 0, height: 0)

  init(_ request: ScreenRequest, _ context: any PluginContext, _ shelf: PathwayShelf) {
    (self.context, self.shelf) = (context, shelf)
    title = request.arguments["title"]?.text ?? "Pathways"
    finder.wanted = request.arguments["selected"]?.text
    finder.startTyping()
  }

  var wantsText: Bool { true }
  var isLoading: Bool { !finder.isFilled }
  var view: any View { finder.view(title: title, progress: nil, action: "open") }

  func start() -> [Effect] {
    let opening = load("open", "opening the database") { [shelf, context] _ in
      try await FoundPathways.open(shelf, context)
    } then: {
      $0.finder.take($1)
    } failed: { controller, failure in
      controller.finder.fail(failure)
      return []
    }
    return [opening]
  }

  func handle(_ event: Event) -> [Effect]? {
    if case .resize(let geometry) = event {
      size = geometry.size
      finder.resize(to: size.width)
      return []
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

  private func choose(_ id: String) -> [Effect] {
    var record: Record = ["open": .text(id)]
    if let focus = finder.focus(of: id) { record["focus"] = .text(focus.text) }
    return [.pop(.record(record))]
  }
}
