import PluginAPI

/// The list of people, with a grid of the selected one's items.
///
/// Selecting a person prepares the links of all their items silently; failures are reported once they affect the work.
/// The list follows changes of the store from any source.
@MainActor final class PeopleController: TargetedController {
  nonisolated static let description = ScreenDescription(
    "people", title: "People", summary: "People with their items and captures",
    actions: [
      ScreenAction(PeopleAction.open, "Open", keys: ["enter"]),
      ScreenAction(PeopleAction.addPerson, "Add a person", keys: ["a"]),
      ScreenAction(PeopleAction.addItem, "Add an item", keys: ["i"]),
      ScreenAction(PeopleAction.enroll, "Enroll", keys: ["E"]),
      ScreenAction(PeopleAction.search, "Search", keys: ["/"]),
      ScreenAction(PeopleAction.settings, "Settings", keys: ["s"]),
      ScreenAction(PeopleAction.biography, "Edit the person", keys: ["e"]),
      ScreenAction(PeopleAction.duplicate, "Duplicate the person, without biography and captures", keys: ["D"]),
      ScreenAction(PeopleAction.captureAll, "Capture all items without a capture", keys: ["C"]),
      ScreenAction(PeopleAction.lightbox, "Show the capture full screen", keys: ["v"]),
      ScreenAction(PeopleAction.deleteItem, "Delete the item", keys: ["x", "delete"]),
      ScreenAction(PeopleAction.deletePerson, "Delete the person", keys: ["X"]),
      ScreenAction(PeopleAction.connect, "Reconnect the sensors", keys: ["r"]),
      ScreenAction(PeopleAction.log, "Show the logs", keys: ["A"]),
      ScreenAction(PeopleAction.lock, "Lock the store", keys: ["L"]),
      ScreenAction(PeopleAction.item, "Previous item", keys: ["left", "h"]).with(WSABIArgument.step, -1),
      ScreenAction(PeopleAction.item, "Next item", keys: ["right", "l"]).with(WSABIArgument.step, 1),
      ScreenAction(PeopleAction.find, "Search for words"),
      ScreenAction(PeopleAction.page, "Previous people").with(WSABIArgument.step, -1),
      ScreenAction(PeopleAction.page, "Next people").with(WSABIArgument.step, 1),
      ScreenAction(PeopleAction.select, "Select a person"),
    ],
    topics: [WSABIScreens.recordsTopic, WSABIScreens.sensorTopic, "wsabi.\(WSABIScreens.walkthroughTopic)"])

  /// The time that the selection rests before links are prepared, in seconds.
  private static let restInSeconds = 0.4
  /// The number of thumbnails read at once, and their greatest distance from the selected item.
  private static let shownAtOnce = 32
  private static let shownAround = 250

  private let station: ScreenStation
  private var state = PeopleState()
  private var refresh = ListRefresh()
  private var isVisible = true
  /// A person just added, who is removed again if left empty.
  private var fresh: Int?
  /// The person to select once the list has them.
  private var sought: Int?
  /// The item to select once the list has it.
  private var soughtItem: Int?
  /// The person selected last.
  private var last: Int?
  /// The person whose links were prepared last.
  private var connected: Int?
  /// True while thumbnails are being read: one reader for all.
  private var isShowing = false
  /// Captures whose thumbnails are not available before the list is read again.
  private var later: Set<Int> = []

  init(_ station: ScreenStation) {
    self.station = station
    station.sensors.beginList()
  }

  func start() -> [Effect] {
    station.followOthers()
    return [seek()]
  }

  /// Handles the end of the list, the last screen: afterwards the program ends, or the store was locked.
  func end() {
    guard station.sensors.endList() else { return }
    let isLocked = station.isLocked
    // Captures continue while the store is locked; the last one releases the sensors.
    if isLocked, station.sensors.operations().contains(where: { $0.item != nil }) { return }
    station.leaveSensors(withdrawing: isLocked ? nil : fresh)
  }

  var title: String { "People" }
  var view: any View { PeopleView(state: state) }
  var wantsText: Bool { state.isSearching }
  var isLoading: Bool { state.isEmpty && (refresh.isReading || sought != nil) }

  var status: [StyledText.Run] {
    if let words = state.item.flatMap({ state.activities[$0.id]?.trouble }) { return [.init(words, .warning)] }
    if let words = state.item.flatMap(CaptureText.otherPart) { return [.init(words, .warning)] }
    let (name, role) = (station.userName, station.roleName)
    return [.init(name == role ? role : "\(name), \(role)", .secondary)]
  }

  func saveState() -> [UInt8] { (sought ?? last).map { Array(String($0).utf8) } ?? [] }

  func restore(_ state: [UInt8]) { sought = Int(String(decoding: state, as: UTF8.self)) }

  // MARK: Events

  func handle(_ event: Event) -> [Effect]? {
    switch event {
    case .resize(let geometry):
      state.resize(to: geometry)
      return state.isCovered ? readThumbnails() : [reload()]
    case .visible(let isVisible):
      self.isVisible = isVisible
      return isVisible ? leaveFresh() : []
    case .key(let key): return state.isSearching ? search(event, key) : move(key)
    case .paste where state.isSearching: return search(event, nil)
    case .mouse(let mouse): return handle(mouse)
    default: return nil
    }
  }

  private func move(_ key: Key) -> [Effect]? {
    guard key.modifiers.isEmpty else { return nil }
    let page = max(1, state.size.height - 2)
    switch key.code {
    case .up, .character("k"): return select(state.selected - 1)
    case .down, .character("j"): return select(state.selected + 1)
    case .pageUp: return select(state.selected - page)
    case .pageDown: return select(state.selected + page)
    case .home, .character("g"): return select(0)
    case .end, .character("G"): return select(state.total - 1)
    case .escape where state.showsSearch: return endSearch()
    default: return nil
    }
  }

  private func handle(_ mouse: Mouse) -> [Effect]? {
    switch mouse.action {
    case .scroll(let rows): return select(state.selected + rows)
    case .press(let clicks) where mouse.button == .left:
      guard let hit = PeopleLayout(state).hit(mouse.position) else { return [] }
      let effects = hit.index == state.selected ? [] : select(hit.index)
      guard let item = hit.item else { return effects }
      state.select(item: item)
      return clicks >= 2 ? open() : effects
    default: return nil
    }
  }

  /// Selects a row; its links are prepared, and its pictures read, once the selection rests.
  private func select(_ index: Int) -> [Effect] {
    let before = state.selected
    state.select(index)
    guard state.selected != before else { return [] }
    last = state.selectedRow?.person.id ?? last
    return (state.isCovered ? [] : [reload()]) + leaveFresh() + [rest]
  }

  private var rest: Effect { .timer("rest", seconds: Self.restInSeconds, repeats: false) }

  /// Removes the person added last if another one is selected and they were left empty.
  private func leaveFresh() -> [Effect] {
    guard let person = fresh, isVisible, sought == nil, let row = state.selectedRow, row.person.id != person else {
      return []
    }
    fresh = nil
    let withdrawing = load("withdraw", "loading people") { [station] _ in
      try await station.records().withdrawPerson(person)
    } then: { _, _ in
    }
    return [withdrawing]
  }

  func receive(_ message: Message) -> [Effect] {
    switch message {
    case .timer("rest"): return state.selectedRow?.person.id == connected ? readThumbnails() : connect()
    case .timer("refresh"): return refresh.timerFired() ? [reload()] : []
    case .returned("walkthrough", let value):
      // The item that was just set up is selected next.
      soughtItem = value.record?[WSABIArgument.item]
      return soughtItem == nil ? [] : [reload()]
    case .returned("settings", let value): return value.record?[WSABIArgument.person].map { [seek($0)] } ?? []
    case .notification(let notification): return receive(notification)
    default: return []
    }
  }

  private func receive(_ notification: Notification) -> [Effect] {
    switch notification.topic {
    case WSABIScreens.recordsTopic: return notification.payload.isNull ? [] : refreshTimer(refresh.changed())
    case WSABIScreens.sensorTopic:
      guard let news = SensorNews(notification.payload) else { return [] }
      if case .lockKept(let address) = news {
        return isVisible ? [.status(LeftLocks.keptLock(address, isInUse: true))] : []
      }
      guard let item = news.item else { return [] }
      state.activities[item] = ItemActivity.after(news, before: state.activities[item])
      return []
    case "wsabi.\(WSABIScreens.walkthroughTopic)":
      // The card asks to change its sensor: the item's operations end first.
      guard let payload = notification.payload.record, let item = payload[WSABIArgument.item] else { return [] }
      station.sensors.cancelItem(item)
      state.activities[item] = nil
      let step = payload[WSABIArgument.from] ?? .device
      return [
        .push(ScreenRequest("walkthrough").with(WSABIArgument.item, item).with(WSABIArgument.from, step))
      ]
    default: return []
    }
  }

  // MARK: Reading

  private func reload() -> Effect {
    refresh.began(at: station.now())
    let (range, text) = (state.wanted, state.search.text)
    return load("list", "loading people") { [station] _ in
      try await station.records().people(range, matching: text)
    } then: {
      $0.show($1, range)
    } failed: { controller, failure in
      if case .failed(let report) = failure { controller.state.message = report.description }
      return controller.endReading()
    }
  }

  /// Notes that the list is not being read any more, and reads it again later if it changed meanwhile.
  private func endReading() -> [Effect] { refreshTimer(refresh.ended(at: station.now())) }

  private func refreshTimer(_ seconds: Double?) -> [Effect] {
    seconds.map { [.timer("refresh", seconds: $0, repeats: false)] } ?? []
  }

  /// Finds the row of the sought person, then reads the rows around it.
  private func seek() -> Effect {
    guard let sought else { return reload() }
    let text = state.search.text
    return load("place", "loading people") { [station] _ in
      try await station.records().index(of: sought, matching: text)
    } then: { controller, index -> [Effect] in
      controller.sought = nil
      controller.state.restart()
      if let index { controller.state.seek(index) }
      return [controller.reload(), controller.rest]
    }
  }

  /// Selects a person once the list has them.
  private func seek(_ person: Int) -> Effect {
    sought = person
    return seek()
  }

  private func show(_ page: PeoplePage, _ range: Range<Int>) -> [Effect] {
    let again = endReading()
    later = []
    let before = state.selectedRow?.person.id
    state.take(page, range)
    if let item = soughtItem, state.select(itemNumber: item) { soughtItem = nil }
    if !state.isCovered { return [reload()] + again }
    let isOther = state.selectedRow?.person.id != before
    last = state.selectedRow?.person.id ?? last
    // An added person is an ordinary one as soon as something is known of them.
    if let row = state.selectedRow, row.person.id == fresh, !row.isUntouched { fresh = nil }
    return (isOther ? [rest] : []) + leaveFresh() + readThumbnails() + again
  }

  /// Reads missing thumbnails of the selected person, visible items first.
  private func readThumbnails() -> [Effect] {
    guard !isShowing else { return [] }
    let items = state.selectedRow?.items ?? []
    let near = items.indices.filter { abs($0 - state.selectedItem) <= Self.shownAround }
      .sorted { abs($0 - state.selectedItem) < abs($1 - state.selectedItem) }
    let captures = near.compactMap { items[$0].capture }
      .filter { state.lacksThumbnail($0.id) && !later.contains($0.id) && !station.isUnderReview($0) }
      .prefix(Self.shownAtOnce)
    guard !captures.isEmpty else { return [] }
    isShowing = true
    let reading = load("thumbnails", "loading pictures") { [station, size = state.thumbnailSize] _ in
      try await station.thumbnails(of: Array(captures), fitting: size)
    } then: {
      $0.show($1)
    } failed: { controller, _ in
      controller.isShowing = false
      return []
    }
    return [reading]
  }

  private func show(_ found: ScreenThumbnails) -> [Effect] {
    isShowing = false
    // Thumbnails made for another cell size are made again.
    if found.size == state.thumbnailSize { state.take(thumbnails: found.pictures, without: found.without) }
    later.formUnion(found.later)
    return readThumbnails()
  }

  /// Makes the links of the selected person ready.
  private func connect() -> [Effect] {
    guard let row = state.selectedRow else { return [] }
    connected = row.person.id
    connectSensors(of: row)
    return readThumbnails() + lookBack(row)
  }

  private func connectSensors(of row: PeoplePage.Row) {
    let addresses = row.items.compactMap(station.address)
    if !addresses.isEmpty { station.sensors.connect(addresses) }
  }

  /// Finds the open decisions about earlier captures of a person.
  private func lookBack(_ row: PeoplePage.Row) -> [Effect] {
    let items = row.items.filter { $0.capture == nil }.map(\.id)
    guard !items.isEmpty else { return [] }
    let looking = load("look-back", "reading") { [station] _ in
      try await station.questions(items)
    } then: { controller, found -> Void in
      let underWay = Set(controller.station.sensors.operations().compactMap(\.item))
      for (item, question) in found where controller.state.activities[item] == nil && !underWay.contains(item) {
        controller.state.activities[item] = .undecided(question.text)
      }
    }
    return [looking]
  }

  // MARK: Searching

  private func search(_ event: Event, _ key: Key?) -> [Effect]? {
    switch key {
    case Key(.escape): return endSearch()
    case Key(.enter):
      state.isSearching = false
      return []
    case Key(.up): return select(state.selected - 1)
    case Key(.down): return select(state.selected + 1)
    case Key(.backspace) where state.search.text.isEmpty: return endSearch()
    default: break
    }
    let before = state.search.text
    guard state.search.handle(event) else { return nil }
    if state.search.text == before { return [] }
    state.restart()
    return [reload()]
  }

  private func endSearch() -> [Effect] {
    state.isSearching = false
    let wasEmpty = state.search.text.isEmpty
    sought = state.selectedRow?.person.id
    state.search = InputLine()
    return wasEmpty ? [] : [seek()]
  }

  /// Asks for words, and searches for them as if they were typed.
  private func askWords() -> Effect {
    ask(PromptRequest("Search people", text: state.search.text)) { controller, words in
      controller.state.search = InputLine(words)
      controller.state.restart()
      return [controller.reload()]
    }
  }

  // MARK: Actions

  func target(of invocation: ActionInvocation) -> String {
    guard let action = PeopleAction(rawValue: invocation.action) else { return "" }
    let person = state.selectedRow.map { "person \($0.person.id)" } ?? ""
    let item = state.item.map { "item \($0.id)" }
    return switch action {
    case .open: invocation.arguments[WSABIArgument.item].map { "item \($0)" } ?? item ?? person
    case .select: invocation.arguments[WSABIArgument.person].map { "person \($0)" } ?? ""
    case .item, .deleteItem, .lightbox: item ?? person
    case .addItem, .enroll, .biography, .duplicate, .captureAll, .connect, .deletePerson: person
    case .addPerson, .search, .settings, .log, .lock, .find, .page: ""
    }
  }

  func perform(_ invocation: ActionInvocation) -> [Effect] {
    // An unknown name is refused as an action on a person.
    guard let action = PeopleAction(rawValue: invocation.action) else { return withPerson { _ in [] } }
    switch action {
    case .open: return open(invocation.arguments[WSABIArgument.item])
    case .addPerson: return [addPerson()]
    case .search:
      state.isSearching = true
      return []
    case .page: return turn(isAfter: invocation.arguments[WSABIArgument.step] != -1)
    case .find: return [askWords()]
    case .settings: return [.push(ScreenRequest("settings"))]
    case .log: return [.push(ScreenRequest("log"))]
    case .lock: return [lock()]
    case .item:
      state.select(item: state.selectedItem + (invocation.arguments[WSABIArgument.step] ?? 0))
      return readThumbnails()
    case .select: return invocation.arguments[WSABIArgument.person].map { [seek($0)] } ?? []
    case .addItem:
      return withPerson { [.push(ScreenRequest("walkthrough").with(WSABIArgument.person, $0.person.id))] }
    case .enroll: return withPerson { [askTemplate($0)] }
    case .biography:
      return withPerson { [.push(ScreenRequest("biography").with(WSABIArgument.person, $0.person.id))] }
    case .duplicate: return withPerson { [duplicate($0.person.id)] }
    case .captureAll:
      return withPerson { [station.sensors.isAllowed() ? captureAll($0) : refuse(.useSensors, station)] }
    case .connect: return withPerson(reconnect)
    case .deletePerson: return withPerson { [confirmDelete($0)] }
    case .deleteItem: return withPerson { _ in [state.item.map(confirmDelete) ?? needsSelection("an item")] }
    case .lightbox: return withPerson { _ in [showPicture()] }
    }
  }

  /// Returns the effects of an action on the selected person, or a note that there is none.
  private func withPerson(_ effects: (PeoplePage.Row) -> [Effect]) -> [Effect] {
    state.selectedRow.map(effects) ?? [needsSelection("a person")]
  }

  /// Selects a person before or after those that are visible.
  private func turn(isAfter: Bool) -> [Effect] {
    let seen = PeopleLayout(state).rows.map(\.index)
    return select(isAfter ? (seen.last ?? 0) + 1 : (seen.first ?? 0) - max(1, seen.count - 1))
  }

  private func reconnect(_ row: PeoplePage.Row) -> [Effect] {
    guard station.sensors.isAllowed() else { return [refuse(.useSensors, station)] }
    connectSensors(of: row)
    return []
  }

  private func showPicture() -> Effect {
    guard let item = state.item, item.capture != nil else { return needsSelection("a capture") }
    return .push(ScreenRequest("lightbox").with(WSABIArgument.item, item.id))
  }

  /// Opens the card of an item, the selected one by default; a person without items gets a first one.
  private func open(_ number: Int? = nil) -> [Effect] {
    guard let row = state.selectedRow else { return [needsSelection("a person")] }
    if let number { state.select(itemNumber: number) }
    guard let item = number ?? state.item?.id else {
      return [.push(ScreenRequest("walkthrough").with(WSABIArgument.person, row.person.id))]
    }
    return [.push(ScreenRequest("card").with(WSABIArgument.item, item))]
  }

  private func needsSelection(_ what: String) -> Effect {
    .status(Diagnostic(.note, code: "wsabi.nothing-selected", "select \(what) first"))
  }

  private func addPerson() -> Effect {
    // The added person is not among those that are searched for.
    (state.isSearching, state.search) = (false, InputLine())
    return load("add", "adding a person") { [station, fresh] _ in
      if let fresh { _ = try await station.records().withdrawPerson(fresh) }
      return try await station.records().addPerson(Biography(), at: station.now()).id
    } then: { controller, person -> [Effect] in
      controller.fresh = person
      return [
        controller.seek(person), .push(ScreenRequest("walkthrough").with(WSABIArgument.person, person)),
      ]
    }
  }

  private func duplicate(_ person: Int) -> Effect {
    load("duplicate", "adding a person") { [station] _ in
      try await station.records().duplicatePerson(person, at: station.now()).id
    } then: {
      [$0.seek($1)]
    }
  }

  private func lock() -> Effect {
    if station.records().capturesUnderWay > 0 {
      let words = "a capture is under way: stop it first, or wait"
      return .status(Diagnostic(.note, code: "wsabi.capturing-now", words))
    }
    defer { fresh = nil }
    return load("lock", "locking") { [station, fresh] _ in
      if let fresh { _ = try? await station.records().withdrawPerson(fresh) }
      await station.lock()
    } then: { _, _ in
    }
  }

  // MARK: Items of a template

  /// Asks for a template, and adds its items to this person, even if another one is selected by then.
  private func askTemplate(_ row: PeoplePage.Row) -> Effect {
    let choices = EnrollmentTemplate.allCases.map { template in
      let count = template.missing(besides: row.items).count
      return ChoiceRequest.Choice(
        id: template.rawValue, title: template.title, detail: count == 0 ? "complete" : "adds \(count)")
    }
    return choose(ChoiceRequest("Which items?", choices: choices)) { controller, word in
      EnrollmentTemplate(rawValue: word).map { [controller.enroll($0, row.person.id)] } ?? []
    }
  }

  private func enroll(_ template: EnrollmentTemplate, _ person: Int) -> Effect {
    load("enroll", "adding items") { [station] _ in
      try await Enrollment(records: station.records(), time: station.now()).add(template, to: person)
    } then: { controller, outcome -> [Effect] in
      controller.soughtItem = outcome.added.first?.id
      let missing = Enrollment.message(outcome.leftOut).map { message in
        Effect.status(
          Diagnostic(
            .warning, code: "wsabi.no-sensor-known", message, advice: "add the first item of each kind with 'i'")
        )
      }
      return [controller.reload()] + [missing].compactMap { $0 }
    }
  }

  // MARK: Deleting

  private func confirmDelete(_ row: PeoplePage.Row) -> Effect {
    let count = row.items.count == 1 ? "1 item" : "\(row.items.count) items"
    let words = "\(row.person.biography.name ?? "the person without a name") with \(count)"
    return confirmDelete(words, .deletePeople) { [station] in try await station.delete(person: row.person.id, $0) }
  }

  private func confirmDelete(_ item: BiometricItem) -> Effect {
    confirmDelete(item.submodality.title, .deleteItems) { [station] in try await station.delete(item: item.id, $0) }
  }

  private func confirmDelete(
    _ words: String, _ permission: Permission, _ delete: @escaping @Sendable (ScreenKey) async throws -> Void
  ) -> Effect {
    guard station.may(permission) else { return refuse(permission, station) }
    let choice = ChoiceRequest.Choice(id: "delete", title: "Delete permanently", detail: "this cannot be undone")
    return confirm("Delete \(words)?", choice, key: "Passphrase or key file again, to delete") { controller, key in
      let deleting = controller.load("delete", "deleting") { _ in
        try await delete(key)
      } then: { controller, _ in
        [.status(Diagnostic(.note, code: "wsabi.deleted", "deleted")), controller.reload()]
      }
      return [deleting]
    }
  }

  // MARK: All items at once

  /// Captures the open items of a person; those that need a decision first are left to their card.
  private func captureAll(_ row: PeoplePage.Row) -> Effect {
    let underWay = underWay
    let open = row.items.filter { $0.isOpen && !underWay.contains($0.id) && station.order($0) != nil }
    if open.isEmpty {
      let words =
        row.items.isEmpty
        ? "no items yet: press i for an item, E for a template" : "all items are captured or under way"
      return .status(Diagnostic(.note, code: "wsabi.nothing-to-capture", words))
    }
    let decided = open.filter { state.activities[$0.id]?.isDecided ?? true }
    // The journal knows the undecided captures of earlier runs, even if the list has not read them yet.
    return load("ask-all", "reading") { [station] _ in
      try await station.questions(decided.map(\.id))
    } then: {
      $0.capture(decided, except: $1, isAnyUndecided: decided.count < open.count)
    }
  }

  /// The items that are being captured or downloaded.
  private var underWay: Set<Int> {
    Set(state.activities.filter { $0.value == .busy }.map(\.key))
      .union(station.sensors.operations().filter(\.isCapture).compactMap(\.item))
  }

  /// - Parameters:
  ///   - found: The open decisions about items.
  ///   - isAnyUndecided: True if items were left out already.
  private func capture(
    _ items: [BiometricItem], except found: [Int: CaptureQuestion], isAnyUndecided: Bool
  ) -> [Effect] {
    for (item, question) in found { state.activities[item] = .undecided(question.text) }
    let underWay = underWay
    let decided = items.filter { found[$0.id] == nil && !underWay.contains($0.id) }
    if !decided.isEmpty { station.sensors.capture(decided) }
    if !isAnyUndecided, found.isEmpty { return [] }
    let words = "items marked ▲ need a decision: open their cards to capture them"
    return [.status(Diagnostic(.note, code: "wsabi.decision-needed", words))]
  }
}
