import PluginAPI

/// The screen that finds entities while words are typed: those kept at once, those of the server after a moment.
///
/// The server is asked for three letters at least, once nothing was typed for a second; its answers stand first, in its
/// order. A single one is opened.
@MainActor final class EntitySearchController: Controller {
  static let opening: EffectID = "open"
  static let searching = "local"
  static let typing: EffectID = "typing"
  static let asking = "remote"
  static let resolving: EffectID = "resolve"
  /// How long nothing is typed before the server is asked, in seconds.
  static let pauseInSeconds = 1.0
  /// Servers search nothing shorter.
  static let fewestLetters = 3
  nonisolated static let mostHits = 200

  nonisolated static let actions: [ScreenAction] = [ScreenAction("open", "Open what was found")]

  private(set) var page = SearchPage()
  private let lab: ScreenLab
  private let account: String
  private let isOffline: Bool
  private var opened: OpenLab?
  private var size = Size(width: 0, height: 0)
  private var hasStarted = false
  /// Counts what was typed, so that late answers are told from the newest.
  private var round = 0
  private var isAsking = false

  init(_ request: ScreenRequest, _ context: any PluginContext, _ lab: ScreenLab) {
    self.lab = lab
    account = request.arguments["account"]?.text ?? ""
    isOffline = request.arguments["offline"]?.bool ?? context.isOffline
    if let text = request.arguments["text"]?.text { page.input = InputLine(text) }
  }

  var title: String { "Search" }
  var wantsText: Bool { true }
  var view: any View { SearchView(page: page) }
  var status: [StyledText.Run] { [.init("enter opens", .secondary)] }

  // MARK: Events

  func handle(_ event: Event) -> [Effect]? {
    switch event {
    case .resize(let geometry):
      size = geometry.size
      if hasStarted { return [] }
      hasStarted = true
      let (lab, account) = (lab, account)
      return [.compute(Self.opening, label: "opening the cache") { _ in try lab.open(account) }]
    case .key(let key): return handle(key)
    case .paste: return type(event)
    case .mouse(let mouse): return handle(mouse)
    default: return nil
    }
  }

  private func handle(_ key: Key) -> [Effect]? {
    switch key.code {
    case .enter: return page.selected.map { open($0.permID) } ?? []
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
      return clicks >= 2 ? open(page.rows[index].permID) : []
    default: return nil
    }
  }

  private func type(_ event: Event) -> [Effect]? {
    let before = page.input.text
    guard page.input.handle(event) else { return nil }
    return page.input.text == before ? [] : typed()
  }

  func perform(_ invocation: ActionInvocation) -> [Effect] {
    guard invocation.action == "open" else { return [] }
    return (invocation.arguments["id"]?.text ?? page.selected?.permID).map(open) ?? []
  }

  func receive(_ message: Message) -> [Effect] {
    switch message {
    case .finished(Self.opening, let lab as OpenLab):
      opened = lab
      return page.input.text.isEmpty ? [] : typed()
    case .failed(Self.opening, let report): page.remote = .failed(report.description)
    case .finished(let id, let found as FoundEntities) where id == localID:
      page.local = found
      page.cursor.reveal(count: page.rows.count, height: max(1, size.height - 2))
    case .timer(Self.typing): return ask()
    case .emitted(let id, let value) where id == remoteID: return take(value)
    case .finished(let id, _) where id == remoteID:
      isAsking = false
      if page.remote == .asking { page.remote = .found(0) }
    case .failed(let id, let report) where id == remoteID:
      isAsking = false
      page.remote = opened?.isReachable() == false ? .offline : .failed(report.description)
    default: break
    }
    return []
  }

  // MARK: Searching

  private var words: String { page.input.text.split(separator: " ").joined(separator: " ") }
  private var localID: EffectID { EffectID(Self.searching, generation: round) }
  private var remoteID: EffectID { EffectID(Self.asking, generation: round) }

  /// Finds what is kept, and waits until no more is typed before the server is asked.
  private func typed() -> [Effect] {
    var effects: [Effect] = [.cancel(localID), .cancel(Self.typing)]
    if isAsking { effects.append(.cancel(remoteID)) }
    isAsking = false
    round += 1
    page.found = []
    page.cursor = RowCursor()
    let words = self.words
    guard !words.isEmpty, let reading = opened?.reading else {
      page.local = FoundEntities()
      page.remote = .none
      return effects
    }
    effects.append(
      .compute(localID, label: "searching") { _ in
        let found = try reading.searchAndWait(words, limit: Self.mostHits)
        // Nothing begins like the words: perhaps they stand within others.
        return found.rows.isEmpty ? try reading.filterAndWait(words, under: nil, limit: Self.mostHits) : found
      })
    if isOffline {
      page.remote = .offline
    } else if words.count >= Self.fewestLetters {
      page.remote = .waiting
      effects.append(.timer(Self.typing, seconds: Self.pauseInSeconds, repeats: false))
    } else {
      page.remote = .none
    }
    return effects
  }

  private func ask() -> [Effect] {
    guard page.remote == .waiting, words.count >= Self.fewestLetters else { return [] }
    page.remote = .asking
    isAsking = true
    let arguments: Record = [
      "text": .text(words), "remote": true, "limit": .integer(Self.mostHits), "account": .text(account),
    ]
    return [.run(remoteID, command: "search", arguments: arguments)]
  }

  private func take(_ value: Value) -> [Effect] {
    let selected = page.selected?.permID
    page.found = (value.list ?? []).compactMap(EntitySummary.init)
    page.remote = .found(page.found.count)
    if let selected, let index = page.rows.firstIndex(where: { $0.permID == selected }), page.cursor.selected > 0 {
      page.cursor.selected = index
    }
    return page.found.count == 1 ? open(page.found[0].permID) : []
  }

  private func open(_ id: String) -> [Effect] { [.pop(["open": .text(id)])] }
}

extension EntitySummary {
  /// What lists show of an entity that a command gave; nil if it is none.
  fileprivate init?(_ value: Value) {
    guard let permID = value["permId"].text, !permID.isEmpty else { return nil }
    self.init(
      permID: permID, category: value["category"].text ?? "", summaryHeader: value["summaryHeader"].text ?? "",
      summary: value["summary"].text ?? "", childCount: value["children"].list?.count, flags: [])
  }
}
