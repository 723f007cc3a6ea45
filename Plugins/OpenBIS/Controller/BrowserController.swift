import PluginAPI
import PluginText

/// The first screen: lists of entities, one below the other as they are opened, with details beside where there is
/// room.
///
/// Cached rows are shown at once; requests run in the background, and lists follow the changes they make. Nothing is
/// read on the event loop.
@MainActor final class BrowserController: Controller {
  nonisolated static let description = ScreenDescription(
    "browser", title: "openBIS", summary: "Entities of a server, from the cache and online",
    actions: [
      ScreenAction(BrowserAction.open, "Open"),
      ScreenAction(BrowserAction.details, "Show details", keys: ["d"]),
      ScreenAction(BrowserAction.search, "Search", keys: ["s"]),
      ScreenAction(BrowserAction.tree, "Show as a tree", keys: ["t"]),
      FilesController.action(BrowserAction.files),
      ScreenAction(BrowserAction.refresh, "Refresh", keys: ["r"]),
      ScreenAction(BrowserAction.refreshAll, "Refresh everything", keys: ["R"]),
      ScreenAction(BrowserAction.online, "Go online", keys: ["o"]),
      ExportDialog.action(BrowserAction.export),
      ScreenAction(BrowserAction.servers, "Show servers and users", keys: ["S"]),
      ScreenAction(BrowserAction.top, "Go to the first screen", keys: ["^"]),
    ], topics: [OpenBISScreens.cacheTopic])

  private static let opening: EffectID = "open"
  private static let rows: EffectID = "rows"
  private static let filtering: EffectID = "filter"
  private static let pathing: EffectID = "path"
  private static let changing: EffectID = "changed"
  private static let following: EffectID = "follow"

  /// The width from which on details are shown beside the list; the host uses the same value.
  private static let splitWidth = 100
  /// The time for which the selection must rest before the details follow it, in seconds.
  private static let followInSeconds = 0.15
  /// The delay before screens follow changes, in seconds.
  static let changeInSeconds = 0.1
  /// The largest number of rows a filter shows.
  private nonisolated static let mostHits = 500

  /// The account shown.
  private enum Account {
    /// Its cache is being opened.
    case opening
    case open(ServerRequests)
    /// Its cache could not be opened, for a reason.
    case closed(String)
  }

  /// Input that arrived before the rows it refers to.
  private enum TypedAhead {
    case key(Key)
    case action(ActionInvocation)
  }

  private let context: any PluginContext
  private let lab: ScreenLab
  private let wantedAccount: String
  private var account = Account.opening
  private var path = BrowserPath()
  private var size = Size(width: 0, height: 0)
  /// The entities to open as soon as the cache is open.
  private var wantedPath: [String]
  /// A Boolean value indicating whether entities are being looked up in order to open them.
  private var isPathAwaited = false
  /// Keys and actions that wait for the rows they refer to.
  private var typedAhead: [TypedAhead] = []
  /// The entity of the details shown beside; nil if there are none.
  private var detailShown: String?
  private var isChangeAwaited = false
  /// A Boolean value indicating whether the screen is visible.
  ///
  /// Details that follow the selection must not replace a screen above this one.
  private var isVisible = true

  init(_ request: ScreenRequest, _ context: any PluginContext, _ lab: ScreenLab) {
    self.context = context
    self.lab = lab
    wantedAccount = request.arguments[OpenBISArgument.account] ?? ""
    wantedPath = request.arguments[OpenBISArgument.entity].map { [$0] } ?? []
  }

  /// The requests to the server of the account; nil while its cache is not open.
  private var server: ServerRequests? {
    get {
      guard case .open(let server) = account else { return nil }
      return server
    }
    set {
      if let newValue { account = .open(newValue) }
    }
  }

  private var list: EntityListState {
    get { path.current.list }
    set { path.current.list = newValue }
  }

  /// The id of the entity whose children are listed; nil on the first screen.
  private var listID: String? { path.current.entity?.permID }

  // MARK: Display

  var title: String {
    let names = path.entities.map { TextWidth.truncated(EntityTitle.line($0), to: 28) }
    return ([server?.lab.title ?? "openBIS"] + names).joined(separator: " › ")
  }

  var status: [StyledText.Run] {
    let requests = server?.status ?? (context.isOffline ? [ServerRequests.offlineRun] : [])
    return requests + (position.map { [.init($0, .secondary)] } ?? [])
  }

  /// The position of the selected row in the list, without counting the row of the list's own entity.
  private var position: String? {
    guard let total = list.total, total > 0 else { return nil }
    let lead = list.isParent(0) ? 1 : 0
    let (number, count) = (list.cursor.selected + 1 - lead, list.count - lead)
    return number < 1 ? "\(count) listed" : "\(min(number, count)) of \(count)"
  }

  var wantsText: Bool { list.isFiltering }

  var view: any View { EntityListView(title: title, state: list, emptyText: emptyText) }

  private var emptyText: String {
    switch account {
    case .opening: "opening …"
    case .closed(let message): message
    case .open(let server):
      if list.total == nil {
        "reading …"
      } else if listID != nil {
        "the list is empty"
      } else if server.isSyncing {
        "loading from the server …"
      } else if server.isOffline {
        "the cache is empty and the server is offline: press o to go online"
      } else {
        "the cache is empty: press r to fill it"
      }
    }
  }

  // MARK: Events

  func start() -> [Effect] { [openCache(of: wantedAccount)] }

  func handle(_ event: Event) -> [Effect]? {
    switch event {
    case .resize(let geometry):
      size = geometry.size
      return read()
    case .visible(let isVisible):
      self.isVisible = isVisible
      return isVisible ? read() : []
    case .key(let key) where keeps(key):
      typedAhead.append(.key(key))
      return []
    case .key(let key) where !list.showsFilter && Self.leadsBack(key): return back()
    case .key, .mouse, .paste: return move(event)
    default: return nil
    }
  }

  private static func leadsBack(_ key: Key) -> Bool {
    [Key(.escape), Key(.backspace), Key(.left), Key(.character("h"))].contains(key)
  }

  private func move(_ event: Event) -> [Effect]? {
    let before = list.selected?.permID
    guard let outcome = list.handle(event, in: Rect(size)) else { return nil }
    switch outcome {
    case .chosen(let id), .disclosed(let id): return choose(id)
    case .changed: return filter() + read() + (list.selected?.permID == before ? [] : follow())
    @unknown default: return nil
    }
  }

  func perform(_ invocation: ActionInvocation) -> [Effect] {
    guard let action = BrowserAction(rawValue: invocation.action) else { return [] }
    let chosen = invocation.arguments[OpenBISArgument.id]
    if keeps(action, on: chosen) {
      typedAhead.append(.action(invocation))
      return []
    }
    let id = chosen ?? list.selected?.permID
    switch action {
    case .open: return id.map(choose) ?? []
    case .details: return id.map(showDetail) ?? []
    case .search: return [.push(ScreenRequest("search", account: accountID))]
    case .tree: return id.map { [.push(ScreenRequest("tree", of: $0, account: accountID))] } ?? []
    case .files: return id.map(showFiles) ?? []
    case .refresh: return server?.refresh(listID) ?? []
    case .refreshAll: return server?.sync(["full": true]) ?? []
    case .online: return server?.goOnline(listID) ?? []
    case .export: return id.map(askExport) ?? []
    case .servers: return [.push(ScreenRequest("servers", account: accountID))]
    case .top: return path.ascendToSecond() ? back() ?? [] : []
    }
  }

  func receive(_ message: Message) -> [Effect] {
    switch message {
    case .timer(Self.following): return showFollowed()
    case .timer(Self.changing): return readChanges()
    case .returned(let screen, let value): return returned(from: screen, ScreenResult(value))
    case .notification: return changed()
    default: return (server?.receive(message, list: listID) ?? []) + ExportDialog.receive(message)
    }
  }

  // MARK: Typing ahead

  /// The actions that apply to the selected row.
  private static let actionsOnRows: Set<BrowserAction> = [.open, .details, .tree, .files, .export]

  /// A Boolean value indicating whether rows are awaited that keys may refer to.
  private var awaitsRows: Bool {
    if case .opening = account { return true }
    return isPathAwaited || path.awaitsFirstRows
  }

  /// Returns true if a key must be queued; keys that lead away are queued only behind others.
  private func keeps(_ key: Key) -> Bool {
    guard awaitsRows, !list.isFiltering else { return false }
    if key == Key(.escape) {
      typedAhead = []
      return false
    }
    if Self.leadsBack(key) { return !typedAhead.isEmpty }
    var cursor = RowCursor()
    return key == Key(.enter) || key == Key(.right) || cursor.handle(key, count: 2, height: 2)
  }

  /// Returns true if an action must be queued; those on an entity of their own need no rows.
  private func keeps(_ action: BrowserAction, on id: String?) -> Bool {
    guard awaitsRows, id == nil else { return false }
    return !typedAhead.isEmpty || Self.actionsOnRows.contains(action)
  }

  /// Handles the queued input in order, until rows are missing again.
  private func catchUp() -> [Effect] {
    var effects: [Effect] = []
    while !typedAhead.isEmpty, !awaitsRows {
      switch typedAhead.removeFirst() {
      case .key(let key): effects += handle(.key(key)) ?? []
      case .action(let invocation): effects += perform(invocation)
      }
    }
    return effects
  }

  // MARK: The cache

  private func openCache(of account: String) -> Effect {
    load(Self.opening, "opening the cache") { [lab] _ in
      try await lab.open(account)
    } then: {
      $0.take($1)
    } failed: { browser, failure in
      let advice = "press S for servers and users"
      switch failure {
      case .failed(let report): browser.account = .closed(report.description + "\n" + advice)
      case .canceled: browser.account = .closed(advice)
      @unknown default: break
      }
      browser.typedAhead = []
      return []
    }
  }

  private func take(_ opened: OpenLab) -> [Effect] {
    var server = ServerRequests(opened, isStartedOffline: context.isOffline)
    let begun = server.begin()
    account = .open(server)
    showTop()
    let wanted = wantedPath
    wantedPath = []
    return read() + (wanted.isEmpty ? [] : go(to: wanted)) + begun
  }

  private func showTop() {
    path.reset()
    (detailShown, isPathAwaited) = (nil, false)
  }

  /// Opens the account that is current now; discards the data and requests of the former account.
  private func reopen() -> [Effect] {
    account = .opening
    (wantedPath, typedAhead) = ([], [])
    showTop()
    let before = [Self.filtering, Self.pathing, Self.following].map(Effect.cancel)
    return ServerRequests.cancellation + before + [openCache(of: "")]
  }

  /// Delays reading after a change, because a refresh publishes many changes.
  private func changed() -> [Effect] {
    if isChangeAwaited { return [] }
    isChangeAwaited = true
    return [.timer(Self.changing, seconds: Self.changeInSeconds, repeats: false)]
  }

  private func readChanges() -> [Effect] {
    isChangeAwaited = false
    path.expire()
    // Another screen reached the server, from which the changes came.
    let isBack = server?.isReachableAgain ?? false
    return read() + (isBack ? server?.updateReach(listID) ?? [] : [])
  }

  // MARK: Rows

  /// Reads the missing rows of the current list.
  private func read() -> [Effect] {
    guard let cache = server?.lab.cache, let range = path.beginReading(height: max(1, size.height)) else { return [] }
    let (serial, source, ids) = (path.current.serial, path.current.source, path.entities.map(\.permID))
    return [
      load(Self.rows, "reading") { _ in
        BrowserPath.Rows(
          range: range, page: try await cache.page(of: source, range), entities: try await cache.summaries(ids))
      } then: {
        $0.take($1, of: serial)
      } failed: { browser, _ in
        if browser.path.endReading(of: serial) { browser.typedAhead = [] }
        return []
      }
    ]
  }

  private func take(_ rows: BrowserPath.Rows, of serial: Int) -> [Effect] {
    let before = list.selected?.permID
    var effects: [Effect] = []
    if let deleted = path.take(rows, of: serial) {
      let list = path.current.entity.map { "'\(EntityTitle.line($0))'" } ?? "the first screen"
      let text = "'\(EntityTitle.line(deleted))' was deleted on the server; showing \(list)"
      effects.append(.status(Diagnostic(.warning, code: "openbis.entity-deleted", text)))
    }
    let moved = list.selected?.permID == before ? [] : follow()
    return effects + read() + moved + catchUp()
  }

  private func filter() -> [Effect] {
    let (text, source, serial) = (list.filter.text, path.current.source, path.current.serial)
    guard text != path.current.filteredText else { return [] }
    path.current.filteredText = text
    guard let cache = server?.lab.cache, !text.isEmpty else { return [.cancel(Self.filtering)] }
    return [
      load(Self.filtering, "filtering") { _ in
        try await cache.filter(text, in: source, limit: Self.mostHits)
      } then: { browser, found in
        guard serial == browser.path.current.serial else { return [] }
        browser.list.take(found, for: text)
        return browser.follow()
      }
    ]
  }

  // MARK: From list to list

  /// Opens the target of a row: its list of children, or its details if it has none.
  private func choose(_ id: String) -> [Effect] {
    guard let entity = list.selected.flatMap({ $0.permID == id ? $0 : nil }) ?? heldEntity(id) else {
      return go(to: [id])
    }
    if entity.permID == listID { return showDetail(id) + askDetail(entity) }
    if entity.flags.contains(.notLoaded) { return askForMissing(entity) }
    return EntityListView.leadsOn(entity) ? descend(to: entity) : showDetail(id) + askDetail(entity)
  }

  private func heldEntity(_ id: String) -> EntitySummary? {
    let list = list
    return (0..<min(list.count, 2 * EntityListState.pageSize)).lazy.compactMap { list.entity(at: $0) }
      .first { $0.permID == id }
  }

  /// Shows the cached children of an entity at once, and requests its children and details in the background.
  private func descend(to entity: EntitySummary) -> [Effect] {
    path.descend(to: entity)
    // Details shown at once would take the keyboard focus from the list.
    return read() + (server?.drill(entity.permID) ?? []) + askDetail(entity) + follow()
  }

  private func back() -> [Effect]? {
    guard let left = path.ascend() else { return nil }
    let effects = [ServerRequests.drillCancellation] + read()
    guard let search = left.search else { return effects + follow() }
    // A list opened from a search leads back to it.
    return effects + [.push(ScreenRequest("search", arguments: search))]
  }

  /// Opens entities one below the other, wherever they were found.
  ///
  /// - Parameter search: The search to which going back leads; nil for none.
  private func go(to ids: [String], from search: Record? = nil) -> [Effect] {
    guard let cache = server?.lab.cache else { return [] }
    isPathAwaited = true
    return [
      load(Self.pathing, "opening") { _ in
        try await cache.summaries(ids)
      } then: { browser, found in
        browser.isPathAwaited = false
        return browser.follow(ids, found, from: search) + browser.catchUp()
      } failed: { browser, failure in
        browser.isPathAwaited = false
        if case .failed = failure { return browser.catchUp() }
        return []
      }
    ]
  }

  private func follow(_ ids: [String], _ found: [EntitySummary?], from search: Record?) -> [Effect] {
    var effects: [Effect] = []
    if let missing = zip(ids, found).first(where: { $0.1 == nil })?.0 {
      let text = "'\(SanitizedText.line(missing))' is not in the cache"
      effects.append(.status(Diagnostic(.note, code: "openbis.unknown-entity", text)))
    }
    let entities = found.compactMap { $0 }
    for entity in entities.dropLast() where EntityListView.leadsOn(entity) { path.descend(to: entity) }
    guard let last = entities.last else { return effects }
    guard EntityListView.leadsOn(last) else {
      list.want(last.permID)
      return effects + showDetail(last.permID) + askDetail(last)
    }
    effects += descend(to: last)
    path.current.search = search
    return effects
  }

  // MARK: Other screens

  private func returned(from screen: String, _ result: ScreenResult?) -> [Effect] {
    if screen == "detail" { detailShown = nil }
    // The details beside forward the result of a screen above them.
    switch result {
    case .open(let id, let search): return go(to: [id], from: search)
    case .changedAccount: return reopen()
    case nil: return []
    }
  }

  private func askDetail(_ entity: EntitySummary) -> [Effect] { server?.detail(entity) ?? [] }

  /// Requests the children of the current list's entity, because one of them was never loaded.
  private func askForMissing(_ entity: EntitySummary) -> [Effect] {
    guard let parent = path.current.entity, let server, !server.isOffline else {
      let text = "'\(SanitizedText.line(entity.permID))' is not loaded"
      let advice = server?.isOffline == true ? "press o to go online" : nil
      return [.status(Diagnostic(.note, code: "openbis.not-cached", text, advice: advice))]
    }
    let text = "requesting the children of '\(EntityTitle.line(parent))'"
    return [.status(Diagnostic(.note, code: "openbis.not-cached", text))] + server.drill(parent.permID)
      + server.detail(entity)
  }

  private func showFiles(_ id: String) -> [Effect] {
    FilesController.open(id, account: accountID, isNavigation: heldEntity(id)?.flags.contains(.navigation) ?? false)
  }

  /// Asks about an export; details following the selection would dismiss the question.
  private func askExport(_ id: String) -> [Effect] {
    guard let lab = server?.lab else { return [] }
    return [.cancel(Self.following)] + export(id, account: lab.accountID)
  }

  /// A Boolean value indicating whether the size given by the host leaves room for details beside the list.
  private var hasRoomBeside: Bool { detailShown != nil || size.width >= Self.splitWidth }

  private func showDetail(_ id: String) -> [Effect] {
    detailShown = id
    return [.detail(ScreenRequest("detail", of: id, account: accountID))]
  }

  /// Updates the details once the selection rests.
  private func follow() -> [Effect] {
    hasRoomBeside ? [.timer(Self.following, seconds: Self.followInSeconds, repeats: false)] : []
  }

  private func showFollowed() -> [Effect] {
    guard isVisible, hasRoomBeside, let id = list.selected?.permID, id != detailShown else { return [] }
    return showDetail(id)
  }

  /// The id of the account shown; nil while its cache is not open.
  private var accountID: String? { server?.lab.accountID }

  // MARK: State

  func saveState() -> [UInt8] { PackedTexts(path.entities.map(\.permID)).encoded }

  func restore(_ state: [UInt8]) {
    guard wantedPath.isEmpty, let ids = PackedTexts(encoded: state), ids.count <= 1000 else { return }
    wantedPath = Array(ids)
  }
}
