import PluginAPI

/// The screen of a web page as readable text with links to follow.
@MainActor final class PageController: Controller {
  private static let reading: EffectID = "read-page"
  private static let browsing: EffectID = "browse"

  nonisolated static let actions: [ScreenAction] = [
    ScreenAction(PageAction.follow, "Follow the selected link", keys: ["enter"]),
    ScreenAction(PageAction.link, "Next link", keys: ["tab"]).with(MoleculeArgument.step, 1),
    ScreenAction(PageAction.link, "Previous link", keys: ["shift-tab"]).with(MoleculeArgument.step, -1),
    ScreenAction(PageAction.number, "Follow a link by its number", keys: ["F"]),
    ScreenAction(PageAction.browse, "Open in a browser", keys: ["B"]),
    ScreenAction(PageAction.back, "Previous page", keys: ["left"]),
    ScreenAction(PageAction.again, "Reload the page", keys: ["R"]),
  ]

  /// A request and its page once it is loaded.
  private struct Visit {
    var arguments: Record
    var page: WebPageState?
  }

  /// The visited pages, the current one last.
  private var visits: [Visit]
  private var message = ""
  private var size = Size(width: 0, height: 0)
  private var isReading = false
  /// The number of requests canceled by going back whose end has not been reported yet.
  private var canceledCount = 0
  private let isOffline: Bool

  init(_ request: ScreenRequest, _ context: any PluginContext) {
    visits = [Visit(arguments: request.arguments)]
    isOffline = context.isOffline
  }

  private var page: WebPageState? {
    get { visits.last?.page }
    set { if !visits.isEmpty { visits[visits.count - 1].page = newValue } }
  }

  var title: String {
    page.map { $0.title.isEmpty ? $0.address : $0.title } ?? visits.last?.arguments[MoleculeArgument.code] ?? "Web page"
  }

  var isLoading: Bool { page == nil }

  var status: [StyledText.Run] {
    guard let page, let selected = page.selected, let address = page.address(of: selected) else { return [] }
    return [.init(address, .secondary)]
  }

  var view: any View { WebPageView(page: page, message: message) }

  func start() -> [Effect] { read() }

  func handle(_ event: Event) -> [Effect]? {
    switch event {
    case .resize(let geometry):
      size = geometry.size
      page?.layOut(width: size.width - 3)
      page?.scroll(by: 0, height: size.height)
      return []
    case .key(let key): return handle(key)
    case .mouse(let mouse): return handle(mouse)
    default: return nil
    }
  }

  private func handle(_ key: Key) -> [Effect]? {
    let screenful = max(1, size.height - 1)
    let step: Int
    switch (key.code, key.modifiers) {
    case (.up, []), (.character("k"), []): step = -1
    case (.down, []), (.character("j"), []): step = 1
    case (.pageUp, []), (.character("b"), []): step = -screenful
    case (.pageDown, []), (.character(" "), []): step = screenful
    case (.home, []), (.character("g"), []): step = -(page?.lines.count ?? 0)
    case (.end, []), (.character("G"), []): step = page?.lines.count ?? 0
    case (.backspace, []) where visits.count > 1: return back()
    default: return nil
    }
    page?.scroll(by: step, height: size.height)
    return []
  }

  private func handle(_ mouse: Mouse) -> [Effect]? {
    switch mouse.action {
    case .scroll(let rows): page?.scroll(by: 3 * rows, height: size.height)
    case .press where mouse.button == .left:
      if let link = page?.link(x: mouse.position.x - 1, y: mouse.position.y) { return follow(link) }
    default: return nil
    }
    return []
  }

  func perform(_ invocation: ActionInvocation) -> [Effect] {
    guard let action = PageAction(rawValue: invocation.action) else { return [] }
    switch action {
    case .follow: return (invocation.arguments[MoleculeArgument.link] ?? page?.selected).map(follow) ?? []
    case .link: page?.selectLink(step: invocation.arguments[MoleculeArgument.step] ?? 1, height: size.height)
    case .number: if page != nil { return [ask(PromptRequest("Number of the link")) { $0.answer($1) }] }
    case .browse: return browse()
    case .back: return visits.count > 1 ? back() : []
    case .again: return read()
    }
    return []
  }

  func receive(_ message: Message) -> [Effect] {
    switch message {
    case .emitted(Self.reading, let value): take(value)
    case .finished(Self.reading): isReading = false
    case .failed(Self.reading, let report): readingEnded(report.description + "\nPress R to try again")
    case .cancelled(Self.reading) where canceledCount > 0: canceledCount -= 1
    case .cancelled(Self.reading): readingEnded("Reading canceled; press R to try again")
    case .finished(Self.browsing):
      return [.status(Diagnostic(.note, code: "molecules.page-shown", "opened the page in the browser"))]
    default: break
    }
    return []
  }

  private func readingEnded(_ text: String) {
    (isReading, message) = (false, text)
  }

  private func take(_ value: Value) {
    var page = WebPageState(value)
    page.layOut(width: size.width - 3)
    self.page = page
    message = ""
  }

  // MARK: Reading and following

  private func read() -> [Effect] {
    if isOffline {
      message = "The network is off; start without --offline to read web pages"
      return []
    }
    guard var arguments = visits.last?.arguments else { return [] }
    (isReading, message) = (true, "Reading the page …")
    arguments["read"] = true
    return [.run(Self.reading, command: "page", arguments: arguments)]
  }

  private func follow(_ link: Int) -> [Effect] {
    guard let address = page?.address(of: link) else { return [] }
    page?.select(link)
    visits.append(Visit(arguments: ["url": .text(address)]))
    return read()
  }

  private func answer(_ text: String) -> [Effect] {
    let number = text.split(separator: " ").first.flatMap { Int($0) }
    if let number, page?.address(of: number) != nil { return follow(number) }
    return [
      .status(
        Diagnostic(
          .warning, code: "molecules.no-such-link", "the page has no link '\(text)'",
          advice: "enter a number in brackets, from 1 to \(page?.links.count ?? 0)"))
    ]
  }

  /// Shows the previous page and cancels the current request.
  private func back() -> [Effect] {
    visits.removeLast()
    message = ""
    page?.layOut(width: size.width - 3)
    if page == nil { return read() }
    guard isReading else { return [] }
    isReading = false
    canceledCount += 1
    return [.cancel(Self.reading)]
  }

  /// Opens the current page in the browser; a page requested by code is looked up by code.
  private func browse() -> [Effect] {
    var arguments = visits.last?.arguments ?? Record()
    if visits.count > 1, let page, !page.address.isEmpty { arguments = ["url": .text(page.address)] }
    arguments["open"] = true
    return [.run(Self.browsing, command: "page", arguments: arguments)]
  }
}
