import PluginAPI

/// A table of what takes part in a pathway; a row leads to its details.
@MainActor final class TableController: Controller {
  nonisolated static let actions: [ScreenAction] = [ScreenAction("choose", "Tell about the selected row")]

  private let content: PathwayContent
  private let request: ContentRequest
  private var state = TableState(Table(columns: []))
  /// What each row is about; nil where there are no details.
  private var subjects: [Identifier?] = []
  private var size = Size(width: 0, height: 0)
  private var hasStarted = false
  static let making: EffectID = "table"

  init(_ content: PathwayContent, _ request: ContentRequest) {
    self.content = content
    self.request = request
  }

  var title: String { content.title }
  var view: any View {
    TableView(title, state, action: "choose", emptyText: hasStarted ? "there are none" : "reading …")
  }

  var status: [StyledText.Run] {
    subjects.isEmpty ? [] : [.init(ShownText.count(subjects.count, "row"))]
  }

  func handle(_ event: Event) -> [Effect]? {
    if case .resize(let geometry) = event {
      size = geometry.size
      if hasStarted { return [] }
      hasStarted = true
      return make()
    }
    switch state.handle(event, in: Rect(size)) {
    case .changed: return []
    case .chosen(let row): return tell(Int(row))
    case .disclosed, nil: return nil
    @unknown default: return nil
    }
  }

  func perform(_ invocation: ActionInvocation) -> [Effect] {
    invocation.action == "choose" ? tell(invocation.arguments["row"]?.integer ?? state.selectedRow) : []
  }

  func receive(_ message: Message) -> [Effect] {
    if case .finished(Self.making, let made as PathwayTable) = message {
      state.table = made.table
      subjects = made.subjects
    }
    if case .failed(Self.making, let report) = message { return [.status(Diagnostic(telling: report, .error))] }
    return []
  }

  private func make() -> [Effect] {
    let (content, network, shelf, context) = (content, request.network, request.shelf, request.context)
    return [
      .compute(Self.making, label: "reading") { _ in try PathwayTable.make(content, network, shelf, context) }
    ]
  }

  private func tell(_ row: Int?) -> [Effect] {
    guard let row, subjects.indices.contains(row), let subject = subjects[row] else { return [] }
    request.onDetails(subject)
    return []
  }
}
