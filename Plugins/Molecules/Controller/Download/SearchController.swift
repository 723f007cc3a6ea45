import PluginAPI

/// The screen that searches for new molecules, with results as you type.
///
/// Typing edits the search words; arrow and page keys move in the results; Enter opens one.
@MainActor final class SearchController: Controller {
  static let searchingName = "search"
  static let typing: EffectID = "typing"
  static let askingWords: EffectID = "words"
  /// The pause in typing before a search starts, in seconds.
  static let pauseInSeconds = 0.35
  /// The least number of letters; fewer find too much.
  static let fewestLetters = 2

  nonisolated static let actions: [ScreenAction] = [
    ScreenAction("open", "Show what was found"),
    ScreenAction("words", "Search for words"),
    ScreenAction("service", "Ask another service"),
  ]

  private(set) var page = SearchPage()
  private var source: MoleculeService
  private var size = Size(width: 0, height: 0)
  private var hits: [Value] = []
  /// The number of searches so far, for recognizing stale responses.
  private var generation = 0
  private var isRunning = false
  private let isOffline: Bool

  init(_ request: ScreenRequest, _ context: any PluginContext) {
    isOffline = context.isOffline
    source = MoleculeService(request.arguments["service"], context)
    if let words = request.arguments["words"]?.text { page.input = InputLine(words) }
    page.source = source.title
    if isOffline { page.phase = .offline }
  }

  var title: String { "Download new molecule" }
  var wantsText: Bool { true }

  var status: [StyledText.Run] {
    let enter = page.phase == .found ? "enter opens" : "enter searches"
    return [enter, "tab other service"].map { .init($0, .secondary) }
  }

  var view: any View { SearchView(page: page) }

  func handle(_ event: Event) -> [Effect]? {
    switch event {
    case .resize(let geometry):
      let isFirst = size == Size(width: 0, height: 0)
      size = geometry.size
      return isFirst && !page.input.text.isEmpty ? search() : []
    case .key(let key): return handle(key)
    case .paste: return type(event)
    case .mouse: return move(event)
    default: return nil
    }
  }

  private func handle(_ key: Key) -> [Effect]? {
    switch key {
    case Key(.enter): return enter()
    case Key(.tab), Key(.tab, .shift): return nextSource()
    case Key(.escape) where !page.input.text.isEmpty:
      page.input = InputLine()
      return typed()
    case Key(.up), Key(.down), Key(.pageUp), Key(.pageDown): return move(.key(key))
    default: return type(.key(key))
    }
  }

  private func move(_ event: Event) -> [Effect]? {
    switch page.list.handle(event, in: SearchView.listRect(of: size)) {
    case .chosen(let id), .disclosed(let id): return open(id)
    case .changed: return []
    case nil: return nil
    @unknown default: return nil
    }
  }

  func perform(_ invocation: ActionInvocation) -> [Effect] {
    switch invocation.action {
    case "open": return (invocation.arguments["id"]?.text ?? page.list.selectedID).map(open) ?? []
    case "words": return [.ask(Self.askingWords, PromptRequest("Words to search for", text: page.input.text))]
    case "service": return nextSource()
    default: return []
    }
  }

  func receive(_ message: Message) -> [Effect] {
    switch message {
    case .timer(Self.typing): return search()
    case .emitted(let id, let value): if isCurrent(id) { take(value) }
    case .finished(let id, _): if isCurrent(id) { ended(page.list.rows.isEmpty ? .nothing : .found) }
    case .failed(let id, let report): if isCurrent(id) { failed(report) }
    case .cancelled(let id): if isCurrent(id), isRunning { ended(.cancelled) }
    case .answered(Self.askingWords, let words?):
      page.input = InputLine(words)
      return search()
    case .returned("download", let value): return value.integer == nil ? [] : [.pop(value)]
    default: break
    }
    return []
  }

  // MARK: Typing

  private func type(_ event: Event) -> [Effect]? {
    let before = page.input.text
    guard page.input.handle(event) else { return nil }
    return page.input.text == before ? [] : typed()
  }

  /// Waits for a pause in typing, then searches.
  private func typed() -> [Effect] {
    if isOffline { return [] }
    let end = cancelRunning()
    let words = self.words
    if words == page.query, !page.list.rows.isEmpty {
      page.phase = .found
      return end + [.cancel(Self.typing)]
    }
    if words.count < Self.fewestLetters {
      forgetResults()
      page.phase = words.isEmpty ? .empty : .short
      return end + [.cancel(Self.typing)]
    }
    page.phase = .searching
    return end + [.timer(Self.typing, seconds: Self.pauseInSeconds, repeats: false)]
  }

  private var words: String { page.input.text.split(separator: " ").joined(separator: " ") }

  private func enter() -> [Effect] {
    if page.phase == .found, words == page.query { return page.list.selectedID.map(open) ?? [] }
    return search()
  }

  private func nextSource() -> [Effect] {
    source = source.next
    page.source = source.title
    forgetResults()
    return isOffline ? [] : typed()
  }

  private func forgetResults() {
    (page.list, page.query, hits) = (ListState(), "", [])
  }

  // MARK: Searching

  private func search() -> [Effect] {
    if isOffline || words.isEmpty { return [] }
    let end = cancelRunning()
    generation += 1
    isRunning = true
    page.phase = .searching
    let arguments: Record = ["text": .text(words), "service": .text(source.rawValue)]
    return end + [
      .cancel(Self.typing),
      .run(EffectID(Self.searchingName, generation: generation), command: "search", arguments: arguments),
    ]
  }

  private func cancelRunning() -> [Effect] {
    guard isRunning else { return [] }
    isRunning = false
    return [.cancel(EffectID(Self.searchingName, generation: generation))]
  }

  private func isCurrent(_ id: EffectID) -> Bool { id.name == Self.searchingName && id.generation == generation }

  private func take(_ value: Value) {
    hits = value.table.map { table in (0..<table.rowCount).map { .record(table.row($0)) } } ?? value.list ?? []
    page.query = words
    page.list = ListState(rows: hits.enumerated().map { Self.row("\($0.offset)", $0.element) })
  }

  private static func row(_ id: String, _ hit: Value) -> ListRow {
    let (code, title) = (hit["code"].text ?? "", hit["title"].text ?? "")
    return ListRow(
      id: id, title: title.isEmpty ? code : title, detail: title.isEmpty ? "" : code, badge: FoundMolecule(hit).quality,
      hasDisclosure: true)
  }

  private func ended(_ phase: SearchPage.Phase) {
    isRunning = false
    page.phase = phase
  }

  private func failed(_ report: ErrorReport) {
    forgetResults()
    ended(.failed(report.description))
  }

  private func open(_ row: String) -> [Effect] {
    guard let index = Int(row), hits.indices.contains(index), case .record(var arguments) = hits[index].content else {
      return []
    }
    arguments["service"] = .text(source.rawValue)
    return [.push(ScreenRequest("download", arguments: arguments))]
  }
}
