import PluginAPI

/// The first screen: lists of entities, one below the other as they are opened, with details beside where there is
/// room.
///
/// Cached rows are shown at once; requests run in the background, and lists follow the changes they make. Nothing is
/// read on the event loop.
@MainActor final class BrowserController: Controller {
  static let opening: EffectID = "open"
  static let rows = "rows"
  static let changing: EffectID = "changed"
  static let filtering: EffectID = "filter"
  static let pathing: EffectID = "path"
  static let following: EffectID = "follow"
  static let drilling: EffectID = "drill"
  static let detailing: EffectID = "detail"
  static let syncing: EffectID = "sync"
  static let refreshing: EffectID = "refresh"
  static let retrying: EffectID = "retry"

  /// The width from which on details are shown beside the list; the host uses the same value.
  static let splitWidth = 100
  /// The time for which the selection must rest before the details follow it, in seconds.
  static let followInSeconds = 0.15
  /// The interval between checks whether a refresh is due, in seconds.
  static let refreshInSeconds = 60.0
  /// The delays before each retry of an unreachable server, in seconds; the last one repeats.
  static let retryInSeconds = [15.0, 30, 60, 120, 300]
  /// The delay before lists follow changes, in seconds.
  static let changeInSeconds = 0.1
  /// The largest number of rows a filter shows.
  nonisolated static let mostHits = 500

  nonisolated static let actions: [ScreenAction] = [
    ScreenAction("open", "Open"),
    ScreenAction("details", "Show details", keys: ["d"]),
    ScreenAction("search", "Search", keys: ["s"]),
    ScreenAction("tree", "Show as a tree", keys: ["t"]),
    FilesController.action,
    ScreenAction("refresh", "Refresh", keys: ["r"]),
    ScreenAction("refresh-all", "Refresh everything", keys: ["R"]),
    ScreenAction("online", "Go online", keys: ["o"]),
    ExportDialogue.action,
    ScreenAction("servers", "Servers and users", keys: ["S"]),
    ScreenAction("top", "To the first screen", keys: ["^"]),
  ]

  let context: any PluginContext
  private let lab: ScreenLab
  /// The account shown; nil until its cache is open.
  var open: OpenLab?
  private let wantedAccount: String
  var levels: [BrowserLevel]
  var serial = 0
  private(set) var size = Size(width: 0, height: 0)
  /// The text shown where there is nothing to list.
  private var message = "opening …"
  var filteredText = ""
  /// The entity of the details shown beside; nil if there are none.
  var detailShown: String?
  private var hasStarted = false
  private var isChangeAwaited = false
  var server = ServerState()
  var export = ExportDialogue()
  /// The entities to open as soon as the cache is open.
  private var path: [String]
  /// Keys and actions that wait for the rows they refer to.
  var typedAhead: [TypedAhead] = []
  /// True while the cache is being opened.
  private var isOpening = false
  var isPathAwaited = false
  /// The search from which an entity is being opened.
  var leftSearch: Record?
  /// A Boolean value indicating whether the screen is visible.
  ///
  /// Details that follow the selection must not replace a screen above this one.
  private(set) var isVisible = true

  init(_ request: ScreenRequest, _ context: any PluginContext, _ lab: ScreenLab) {
    self.context = context
    self.lab = lab
    wantedAccount = request.arguments["account"]?.text ?? ""
    path = (request.arguments["perm-id"]?.text).map { [$0] } ?? []
    levels = [BrowserLevel(top: 0)]
    server.isOffline = context.isOffline
  }

  // MARK: Display

  var level: BrowserLevel {
    get { levels[levels.count - 1] }
    set { levels[levels.count - 1] = newValue }
  }

  var title: String {
    let names = levels.compactMap(\.entity).map { TextWidth.truncated(EntityTitle.line($0), to: 28) }
    return ([open?.title ?? "openBIS"] + names).joined(separator: " › ")
  }

  var status: [StyledText.Run] {
    var shown = server
    // Other screens send requests too, and may have found the server unreachable.
    if open?.isReachable() == false { shown.isOffline = true }
    return shown.runs + (place.map { [.init($0, .secondary)] } ?? [])
  }

  /// The position of the selected row in the list, without counting the row of the list's own entity.
  private var place: String? {
    let list = level.list
    guard let total = list.total, total > 0 else { return nil }
    let lead = list.isParent(0) ? 1 : 0
    let (number, count) = (list.cursor.selected + 1 - lead, list.count - lead)
    return number < 1 ? "\(count) listed" : "\(min(number, count)) of \(count)"
  }

  var wantsText: Bool { level.list.isFiltering }

  var view: any View {
    EntityListView(title: title, state: level.list, emptyText: emptyText)
  }

  private var emptyText: String {
    if open == nil { return message }
    if level.list.total == nil { return "reading …" }
    if level.entity != nil { return "nothing is listed here" }
    if server.isSyncing { return "asking the server …" }
    return server.isOffline
      ? "nothing is kept of this server yet, and it cannot be asked: o goes online"
      : "nothing is kept of this server yet: r asks it"
  }

  // MARK: Events

  func handle(_ event: Event) -> [Effect]? {
    switch event {
    case .resize(let geometry):
      size = geometry.size
      if hasStarted { return read() }
      hasStarted = true
      return openCache()
    case .visible(let isVisible):
      self.isVisible = isVisible
      return isVisible ? read() : []
    case .key(let key) where keeps(key):
      typedAhead.append(.key(key))
      return []
    case .key(let key) where !level.list.showsFilter && Self.leadsBack(key): return back()
    case .key, .mouse, .paste: return move(event)
    default: return nil
    }
  }

  /// A Boolean value indicating whether rows are awaited that keys may refer to.
  var awaitsRows: Bool { isOpening || isPathAwaited || (level.list.total == nil && level.isReading) }

  static func leadsBack(_ key: Key) -> Bool {
    [Key(.escape), Key(.backspace), Key(.left), Key(.character("h"))].contains(key)
  }

  private func move(_ event: Event) -> [Effect]? {
    let before = level.list.selected?.permID
    guard let outcome = level.list.handle(event, in: Rect(size)) else { return nil }
    switch outcome {
    case .chosen(let id): return choose(id)
    case .disclosed(let id): return choose(id)
    case .changed: return filter() + read() + (level.list.selected?.permID == before ? [] : follow())
    @unknown default: return nil
    }
  }

  func perform(_ invocation: ActionInvocation) -> [Effect] {
    if keeps(invocation) {
      typedAhead.append(.action(invocation))
      return []
    }
    let id = invocation.arguments["id"]?.text ?? level.list.selected?.permID
    switch invocation.action {
    case "open": return id.map(choose) ?? []
    case "details": return id.map { showDetail($0) } ?? []
    case "search": return [.push(ScreenRequest("search", arguments: arguments()))]
    case "tree": return id.map { [.push(ScreenRequest("tree", arguments: arguments($0)))] } ?? []
    case "files": return id.map(showFiles) ?? []
    case "refresh": return refresh()
    case "refresh-all": return sync(["full": true])
    case "online": return goOnline()
    case "export": return id.map(askExport) ?? []
    case "servers": return [.push(ScreenRequest("servers", arguments: arguments()))]
    case "top": return backToTop()
    default: return []
    }
  }

  func receive(_ message: Message) -> [Effect] {
    switch message {
    case .finished(Self.opening, let opened as OpenLab): return take(opened)
    case .failed(Self.opening, let report):
      self.message = report.description + "\nS shows servers and users"
      (isOpening, typedAhead) = (false, [])
    case .finished(let id, let rows as LevelRows) where id.name == Self.rows: return take(rows)
    case .failed(let id, let report) where id.name == Self.rows: return readingFailed(id, report)
    case .cancelled(let id): return cancelled(id)
    case .finished(Self.filtering, let hits as LevelHits): return take(hits)
    case .finished(Self.pathing, let found as FoundPath):
      isPathAwaited = false
      return follow(found) + catchUp()
    case .failed(Self.pathing, let report):
      (isPathAwaited, leftSearch) = (false, nil)
      return [.status(Diagnostic(report, .error))] + catchUp()
    case .timer(Self.following): return showFollowed()
    case .returned(let screen, let value): return returned(from: screen, value)
    case .notification: return changed()
    case .timer(Self.changing): return readChanges()
    default: return receiveFromServer(message)
    }
    return []
  }

  // MARK: The cache

  private func openCache() -> [Effect] {
    isOpening = true
    let (lab, account) = (lab, wantedAccount)
    return [.compute(Self.opening, label: "opening the cache") { _ in try lab.open(account) }]
  }

  private func take(_ opened: OpenLab) -> [Effect] {
    open = opened
    isOpening = false
    showTop()
    let wanted = path
    path = []
    return read() + (wanted.isEmpty ? [] : go(to: wanted)) + begin()
  }

  /// Resets to the first screen, of which nothing was read yet.
  private func showTop() {
    serial += 1
    levels = [BrowserLevel(top: serial)]
    (filteredText, detailShown, leftSearch, isPathAwaited) = ("", nil, nil, false)
  }

  /// Opens the account that is current now; discards the data and requests of the former account.
  func reopen() -> [Effect] {
    open = nil
    message = "opening …"
    server = ServerState(isOffline: context.isOffline)
    (path, typedAhead, isOpening) = ([], [], true)
    showTop()
    let lab = lab
    let before = [
      Self.syncing, Self.retrying, Self.drilling, Self.detailing, Self.filtering, Self.pathing, Self.following,
    ]
    return before.map(Effect.cancel) + [.compute(Self.opening, label: "opening the cache") { _ in try lab.open("") }]
  }

  /// Delays reading after a change, because a refresh publishes many changes.
  private func changed() -> [Effect] {
    if isChangeAwaited { return [] }
    isChangeAwaited = true
    return [.timer(Self.changing, seconds: Self.changeInSeconds, repeats: false)]
  }

  private func readChanges() -> [Effect] {
    isChangeAwaited = false
    for index in levels.indices {
      levels[index].list.expire()
      levels[index].needsReading = levels[index].isReading
    }
    // Another screen reached the server, from which the changes came.
    let isBack = server.isOffline && open?.isReachable() == true
    return read() + (isBack ? lookWhetherReachable() : [])
  }

  // MARK: Cancellation

  /// Stops waiting for an effect that the user canceled.
  private func cancelled(_ id: EffectID) -> [Effect] {
    switch id.name {
    case Self.opening.name:
      (isOpening, typedAhead) = (false, [])
      message = "S shows servers and users"
    case Self.pathing.name: (isPathAwaited, leftSearch) = (false, nil)
    case Self.rows:
      for index in levels.indices where levels[index].serial == id.generation { levels[index].isReading = false }
      typedAhead = []
    default: return receiveFromServer(.cancelled(id))
    }
    return []
  }

  // MARK: State

  func saveState() -> [UInt8] { PackedTexts(levels.compactMap { $0.entity?.permID }).encoded }

  func restore(_ state: [UInt8]) {
    guard path.isEmpty, let ids = PackedTexts(encoded: state), ids.count <= 1000 else { return }
    path = Array(ids)
  }
}
