import PluginAPI

/// A table of a pathway's participants; a row leads to its details.
@MainActor final class TableController: Controller {
  nonisolated static let actions: [ScreenAction] = [ScreenAction("choose", "Tell about the selected row")]

  private let content: PathwayContent
  private let request: ContentRequest
  private var state = TableState(Table(columns: []))
  /// The subject of each visible row; nil if there are no details.
  private var subjects: [Identifier?] = []
  /// The search; nil before there are rows.
  private var search: TableSearch?
  private var size = Size(width: 0, height: 0)
  private var hasStarted = false
  private var message = "reading …"
  static let making: EffectID = "table"

  init(_ content: PathwayContent, _ request: ContentRequest) {
    self.content = content
    self.request = request
  }

  var title: String { content.title }
  var wantsText: Bool { search?.isTyping ?? false }

  var view: any View {
    let shown = search.flatMap { $0.isOpen ? $0 : nil }
    let empty = shown.map { "nothing matches '\($0.line.text)'" } ?? content.emptyText
    return SearchedTableView(
      table: TableView(title, state, action: "choose", emptyText: search == nil ? message : empty),
      search: shown.map { search in
        let note = SearchLine.note(search.line, count: search.rows.count, hint: "a word of a row")
        return SearchLine(line: search.line, isTyping: search.isTyping, note: note)
      })
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
    if case .key(let key) = event, let effects = handle(key) { return effects }
    if case .paste = event, wantsText { return type(event) }
    return handleRows(event)
  }

  /// Handles a key of the search; returns nil for other keys.
  private func handle(_ key: Key) -> [Effect]? {
    guard let search else { return nil }
    switch key {
    case Key(.character("/")) where !search.isTyping: self.search?.isTyping = true
    case Key(.escape) where search.isOpen, Key(.backspace) where search.isTyping && search.line.text.isEmpty:
      let row = state.selectedRow.map { search.rows[$0] }
      self.search?.end()
      show(selecting: row ?? 0)
    case Key(.enter) where search.isTyping: self.search?.isTyping = false
    case Key(.up), Key(.down), Key(.pageUp), Key(.pageDown): return nil
    default: return search.isTyping ? type(.key(key)) : nil
    }
    return []
  }

  private func type(_ event: Event) -> [Effect]? {
    guard let isOther = search?.type(event) else { return nil }
    if isOther { show(selecting: 0) }
    return []
  }

  private func show(selecting row: Int) {
    guard let found = search?.found else { return }
    state.table = found.table
    state.cursor = RowCursor(selected: row)
    subjects = found.subjects
  }

  private func handleRows(_ event: Event) -> [Effect]? {
    var event = event
    let rect = SearchedTableView.tableRect(of: size, isSearching: search?.isOpen ?? false)
    if case .mouse(var mouse) = event {
      mouse.position.y -= rect.y
      event = .mouse(mouse)
    }
    switch state.handle(event, in: Rect(rect.size)) {
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
    switch message {
    case .finished(Self.making, let made as TableSearch):
      search = made
      show(selecting: state.cursor.selected)
    case .failed(Self.making, let report):
      self.message = report.description
      return [.status(Diagnostic(telling: report, .error))]
    case .cancelled(Self.making): self.message = "reading was cancelled"
    default: break
    }
    return []
  }

  private func make() -> [Effect] {
    let (content, network, shelf, context) = (content, request.network, request.shelf, request.context)
    return [
      .compute(Self.making, label: "reading") { _ in
        TableSearch(try PathwayTable.make(content, network, shelf, context))
      }
    ]
  }

  private func tell(_ row: Int?) -> [Effect] {
    guard let row, subjects.indices.contains(row), let subject = subjects[row] else { return [] }
    request.onDetails(subject)
    return []
  }
}
