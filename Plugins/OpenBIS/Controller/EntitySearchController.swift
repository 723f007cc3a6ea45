import PluginAPI
import PluginText

/// The screen that finds entities while the user types: cached ones at once, those of the server after a pause.
///
/// The server is searched for texts of three characters or more, a second after the last key. Its results come first,
/// in the server's order. A single result is opened.
@MainActor final class EntitySearchController: Controller {
  nonisolated static let description = ScreenDescription(
    "search", title: "Search", summary: "Search in the cache and on the server",
    actions: [
      ScreenAction(SearchAction.open, "Open the selected result"),
      ScreenAction(SearchAction.kind, "Choose the search domain", keys: ["ctrl-t"]),
    ])

  private static let localSearch: EffectID = "local"
  private static let typing: EffectID = "typing"
  private static let remoteSearch: EffectID = "remote"
  /// The pause in typing before the server is searched, in seconds.
  private static let pauseInSeconds = 1.0
  private nonisolated static let mostHits = 200

  private let lab: ScreenLab
  private let account: String
  private let context: any PluginContext
  private var opened: OpenLab?
  private var page = SearchPage()
  private var size = Size(width: 0, height: 0)
  /// A Boolean value indicating whether something was opened since the last input; nothing opens automatically then.
  private var hasOpened = false
  /// The search domains of the server, the default one first.
  private var kinds: [ClientPreferences.SearchDomain] = []
  /// The server's results as received, so that the search can be resumed later.
  private var serverResults: [Value] = []
  /// The id of the entity to select once it is listed: the one opened before the user came back.
  private var wanted: String?

  init(_ request: ScreenRequest, _ context: any PluginContext, _ lab: ScreenLab) {
    self.lab = lab
    account = request.arguments[OpenBISArgument.account] ?? ""
    self.context = context
    if let text = request.arguments[OpenBISArgument.text] { page.input = InputLine(text) }
    wanted = request.arguments[OpenBISArgument.selected]
    if let found = request.arguments[OpenBISArgument.found] { take(found) }
  }

  var title: String { "Search" }
  var wantsText: Bool { true }
  var view: any View { SearchView(page: page) }
  var status: [StyledText.Run] {
    let kind = kinds.count > 1 ? " · ctrl-t to choose the search domain" : ""
    return [.init("enter to open" + kind, .secondary)]
  }

  private var isOffline: Bool { context.isOffline || opened?.isReachable == false }

  // MARK: Events

  func start() -> [Effect] {
    [
      load("open", "opening the cache") { [lab, account] _ in
        let opened = try await lab.open(account)
        return (opened, try await opened.searchKinds())
      } then: { controller, found in
        controller.take(found.0, kinds: found.1)
      } failed: { controller, failure in
        if case .failed(let report) = failure { controller.page.remote = .failed(report.description) }
        return []
      }
    ]
  }

  private func take(_ opened: OpenLab, kinds: [ClientPreferences.SearchDomain]) -> [Effect] {
    (self.opened, self.kinds) = (opened, kinds)
    nameKind()
    if page.input.text.isEmpty { return [] }
    // The server's earlier results are here: they are not requested again.
    if case .found = page.remote { return searchCache() }
    return typed()
  }

  func handle(_ event: Event) -> [Effect]? {
    switch event {
    case .resize(let geometry):
      size = geometry.size
      return []
    case .key(let key): return handle(key)
    case .paste: return type(event)
    case .mouse(let mouse): return handle(mouse)
    default: return nil
    }
  }

  private func handle(_ key: Key) -> [Effect]? {
    // While the user types, the host passes every key to this screen, including those of actions.
    if key == Key(.character("t"), .control) { return askKind() }
    switch key.code {
    case .enter: return page.selected.map(open) ?? []
    case .up, .down, .pageUp, .pageDown:
      let height = SearchView.listRect(of: size).height
      return page.cursor.handle(key, count: page.rows.count, height: max(1, height)) ? [] : nil
    case .escape where !page.input.text.isEmpty:
      page.input = InputLine()
      return typed()
    default: return type(.key(key))
    }
  }

  private func handle(_ mouse: Mouse) -> [Effect]? {
    let rect = SearchView.listRect(of: size)
    guard rect.contains(mouse.position) else { return nil }
    switch mouse.action {
    case .scroll(let rows):
      page.cursor.scroll(by: 3 * rows, count: page.rows.count, height: rect.height)
      return []
    case .press(let clicks) where mouse.button == .left:
      let index = page.cursor.visibleTop(count: page.rows.count, height: rect.height) + mouse.position.y - rect.y
      guard page.rows.indices.contains(index) else { return [] }
      page.cursor.selected = index
      return clicks >= 2 ? open(page.rows[index]) : []
    default: return nil
    }
  }

  private func type(_ event: Event) -> [Effect]? {
    let before = page.input.text
    guard page.input.handle(event) else { return nil }
    if page.input.text == before { return [] }
    wanted = nil
    return typed()
  }

  func perform(_ invocation: ActionInvocation) -> [Effect] {
    guard let action = SearchAction(rawValue: invocation.action) else { return [] }
    switch action {
    case .kind: return askKind()
    case .open:
      guard let id = invocation.arguments[OpenBISArgument.id] else { return page.selected.map(open) ?? [] }
      return page.rows.first { $0.permID == id }.map(open) ?? []
    }
  }

  func receive(_ message: Message) -> [Effect] {
    switch message {
    case .returned(_, let value):
      guard case .open(let id, _)? = ScreenResult(value) else { return [] }
      return [result(opening: id).pop]
    case .timer(Self.typing): return searchServer()
    case .emitted(Self.remoteSearch, let value):
      take(value.list ?? [])
      return page.found.count == 1 && !hasOpened ? open(page.found[0]) : []
    case .finished(Self.remoteSearch):
      if page.remote == .asking { page.remote = .found(0) }
    case .failed(Self.remoteSearch, let report):
      page.remote = opened?.isReachable == false ? .offline : .failed(report.description)
    default: break
    }
    return []
  }

  // MARK: Searching

  private var words: String { page.input.text.split(separator: " ").joined(separator: " ") }

  /// Searches the cache, and the server after a pause in typing.
  private func typed() -> [Effect] {
    var effects: [Effect] = [.cancel(Self.localSearch), .cancel(Self.typing), .cancel(Self.remoteSearch)]
    hasOpened = false
    page.found = []
    page.cursor = RowCursor()
    if words.isEmpty || opened == nil {
      page.local = FoundEntities()
      page.remote = .none
      return effects
    }
    effects += searchCache()
    if isOffline {
      page.remote = .offline
    } else if !SearchCommand.isTooShort(words) {
      page.remote = .waiting
      effects.append(.timer(Self.typing, seconds: Self.pauseInSeconds, repeats: false))
    } else {
      page.remote = .none
    }
    return effects
  }

  /// Searches the cache.
  private func searchCache() -> [Effect] {
    guard let cache = opened?.cache else { return [] }
    return [
      load(Self.localSearch, "searching") { [words] _ in
        let found = try await cache.search(words, limit: Self.mostHits)
        // No word begins with the text: it may occur within words.
        return found.rows.isEmpty ? try await cache.filter(words, limit: Self.mostHits) : found
      } then: {
        $0.show($1)
      }
    ]
  }

  private func show(_ found: FoundEntities) {
    page.local = found
    if let wanted, let index = page.rows.firstIndex(where: { $0.permID == wanted }) {
      page.cursor.selected = index
      self.wanted = nil
    }
    page.cursor.reveal(count: page.rows.count, height: max(1, size.height - 2))
  }

  private func searchServer() -> [Effect] {
    guard page.remote == .waiting, !SearchCommand.isTooShort(words) else { return [] }
    page.remote = .asking
    var arguments: Record = [
      "text": .text(words), "remote": true, "limit": .integer(Self.mostHits), "account": .text(account),
    ]
    if let kind = opened?.searchKind { arguments["domain"] = .text(kind) }
    return [.run(Self.remoteSearch, command: "search", arguments: arguments)]
  }

  /// Shows the server's results.
  private func take(_ values: [Value]) {
    let selected = page.selected?.permID
    serverResults = values
    page.found = values.compactMap { EntitySummary(ModelRecord($0)) }
    page.remote = .found(page.found.count)
    if let selected, let index = page.rows.firstIndex(where: { $0.permID == selected }), page.cursor.selected > 0 {
      page.cursor.selected = index
    }
  }

  // MARK: Search domain

  private func askKind() -> [Effect] {
    guard !kinds.isEmpty else {
      let text = "there is no choice of search domains; press R in the browser to request them from the server"
      return [.status(Diagnostic(.note, code: "openbis.no-search-kinds", text))]
    }
    let choices = kinds.map { ChoiceRequest.Choice(id: $0.key, title: SanitizedText.line($0.label, limit: 80)) }
    let chosen = opened?.searchKind ?? kinds.first?.key
    return [
      choose(ChoiceRequest("Search domain", choices: choices, selected: chosen)) { controller, key in
        controller.opened?.useSearchKind(key)
        controller.nameKind()
        return controller.page.input.text.isEmpty ? [] : controller.typed()
      }
    ]
  }

  /// Shows the search domain unless it is the default one.
  private func nameKind() {
    let chosen = opened?.searchKind
    let kind = kinds.first { $0.key == chosen }
    page.kind = kind == kinds.first ? "" : SanitizedText.line(kind?.label ?? "", limit: 40)
  }

  // MARK: Opening

  /// Opens the list below an entity; an entity without one opens its details beside the results.
  private func open(_ entity: EntitySummary) -> [Effect] {
    hasOpened = true
    if EntityListView.leadsOn(entity) { return [result(opening: entity.permID).pop] }
    return [.detail(ScreenRequest("detail", of: entity.permID, account: account))]
  }

  /// Returns the result for the screen below: the entity to open, and the search to come back to.
  private func result(opening id: String) -> ScreenResult {
    var search = Record()
    search[OpenBISArgument.text] = page.input.text
    search[OpenBISArgument.account] = account
    search[OpenBISArgument.selected] = page.selected?.permID
    if case .found = page.remote { search[OpenBISArgument.found] = serverResults }
    return .open(id, search: search)
  }
}

extension EntitySummary {
  /// Creates a summary from command output; nil if the record is not an entity.
  fileprivate init?(_ record: ModelRecord<EntityFamily>) {
    let permID = record[\.entity.permID]
    if permID.isEmpty { return nil }
    self.init(
      permID: permID, category: record[\.entity.category], summaryHeader: record[\.entity.summaryHeader],
      summary: record[\.entity.summary],
      // Counted without a copy of their ids, which may be a million.
      childCount: record.value["children"].list?.count, flags: [])
  }
}
