import PluginAPI

/// The screen that searches for new molecules, with results as you type.
///
/// Typing edits the search words; arrow and page keys move in the results; Enter opens one.
@MainActor final class SearchController: Controller {
  private static let searching: EffectID = "search"
  private static let typing: EffectID = "typing"
  /// The pause in typing before a search starts, in seconds.
  private static let pauseInSeconds = 0.35
  /// The minimum number of letters; fewer match too many molecules.
  private static let fewestLetters = 2

  nonisolated static let actions: [ScreenAction] = [
    ScreenAction(SearchAction.open, "Open the selected result"),
    ScreenAction(SearchAction.words, "Search for words"),
    ScreenAction(SearchAction.service, "Switch to the next service"),
  ]

  private var page = SearchPage()
  private var source: MoleculeService
  private var size = Size(width: 0, height: 0)
  private var hits: [Value] = []
  private var isRunning = false
  /// The number of searches canceled by typing whose cancellation is not yet confirmed.
  private var canceledCount = 0
  private let isOffline: Bool

  init(_ request: ScreenRequest, _ context: any PluginContext) {
    isOffline = context.isOffline
    source = MoleculeService(request, context)
    if let words = request.arguments[MoleculeArgument.words] { page.input = InputLine(words) }
    page.source = source.title
    if isOffline { page.phase = .offline }
  }

  var title: String { "Download new molecule" }
  var wantsText: Bool { true }

  var status: [StyledText.Run] {
    let enter = page.phase == .found ? "enter opens" : "enter searches"
    return [enter, "tab switches the service"].map { .init($0, .secondary) }
  }

  var view: any View { SearchView(page: page) }

  func start() -> [Effect] { page.input.text.isEmpty ? [] : search() }

  func handle(_ event: Event) -> [Effect]? {
    switch event {
    case .resize(let geometry):
      size = geometry.size
      return []
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
    guard let action = SearchAction(rawValue: invocation.action) else { return [] }
    switch action {
    case .open: return (invocation.arguments[MoleculeArgument.id] ?? page.list.selectedID).map(open) ?? []
    case .words: return [askWords]
    case .service: return nextSource()
    }
  }

  func receive(_ message: Message) -> [Effect] {
    switch message {
    case .timer(Self.typing): return search()
    case .emitted(Self.searching, let value): take(value)
    case .finished(Self.searching): ended(page.list.rows.isEmpty ? .nothing : .found)
    case .failed(Self.searching, let report): failed(report)
    case .cancelled(Self.searching) where canceledCount > 0: canceledCount -= 1
    case .cancelled(Self.searching): ended(.cancelled)
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

  private var askWords: Effect {
    ask(PromptRequest("Words to search for", text: page.input.text)) {
      $0.page.input = InputLine($1)
      return $0.search()
    }
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
    isRunning = true
    page.phase = .searching
    let arguments: Record = ["text": .text(words), "service": .text(source.rawValue)]
    return [.cancel(Self.typing), .run(Self.searching, command: "search", arguments: arguments)]
  }

  private func cancelRunning() -> [Effect] {
    guard isRunning else { return [] }
    isRunning = false
    canceledCount += 1
    return [.cancel(Self.searching)]
  }

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
    arguments[MoleculeArgument.service] = source
    return [.push(ScreenRequest("download", arguments: arguments))]
  }
}

extension MoleculeService {
  /// Creates the service named by the arguments of a screen, or else by the setting.
  init(_ request: ScreenRequest, _ context: any PluginContext) {
    self = request.arguments[MoleculeArgument.service] ?? context[ServiceAccess.standard]
  }

  /// The display name.
  var title: String {
    switch self {
    case .rcsb: "Protein Data Bank"
    case .pubchem: "PubChem"
    case .alphafold: "AlphaFold"
    case .soap: "Protein Data Bank of 2008"
    case .text: "Protein Data Bank of 2009"
    }
  }

  /// The next service, cyclically; the old protocols are last.
  var next: MoleculeService {
    switch self {
    case .rcsb: .pubchem
    case .pubchem: .alphafold
    case .alphafold: .soap
    case .soap: .text
    case .text: .rcsb
    }
  }
}
