import PluginAPI

/// The list of people, with a grid of the selected one's items.
///
/// Selecting a person prepares the links of all their items silently; failures are reported once they affect the work.
/// The list follows changes of the store from any source.
@MainActor final class PeopleController: TargetedController {
  static let listing: EffectID = "list"
  static let showing: EffectID = "thumbnails"
  static let adding: EffectID = "add"
  /// Removes a new person that was left empty.
  static let withdrawing: EffectID = "withdraw"
  static let duplicating: EffectID = "duplicate"
  static let choosingTemplate: EffectID = "choose-template"
  static let enrolling: EffectID = "enroll"
  static let placing: EffectID = "place"
  static let lookingBack: EffectID = "look-back"
  static let askingDelete: EffectID = "ask-delete"
  static let askingKey: EffectID = "ask-key"
  static let askingAll: EffectID = "ask-all"
  static let deleting: EffectID = "delete"
  static let askingWords: EffectID = "ask-words"
  static let refusing: EffectID = "refuse"
  static let locking: EffectID = "lock"
  /// Waits until the selection rests.
  static let resting: EffectID = "rest"
  /// Gathers changes of the store that come close together.
  static let refreshing: EffectID = "refresh"

  static let restInSeconds = 0.4
  /// The shortest interval between two reads of a changing list, in seconds; longer if reading is slow.
  static let refreshInSeconds = 0.05
  private static let longestRefreshInSeconds = 1.0

  nonisolated static let actions: [ScreenAction] = [
    ScreenAction("open", "Open", keys: ["enter"]),
    ScreenAction("add-person", "Add a person", keys: ["a"]),
    ScreenAction("add-item", "Add an item", keys: ["i"]),
    ScreenAction("enroll", "Enroll", keys: ["E"]),
    ScreenAction("search", "Search", keys: ["/"]),
    ScreenAction("settings", "Settings", keys: ["s"]),
    ScreenAction("biography", "Edit the person", keys: ["e"]),
    ScreenAction("duplicate", "Duplicate the person, without what was said and captured", keys: ["D"]),
    ScreenAction("capture-all", "Capture all items that have nothing yet", keys: ["C"]),
    ScreenAction("lightbox", "Show the capture over the whole screen", keys: ["v"]),
    ScreenAction("delete-item", "Delete the item", keys: ["x", "delete"]),
    ScreenAction("delete-person", "Delete the person", keys: ["X"]),
    ScreenAction("connect", "Make the links ready again", keys: ["r"]),
    ScreenAction("log", "Who did what: the logs", keys: ["A"]),
    ScreenAction("lock", "Lock the store", keys: ["L"]),
    ScreenAction("item", "Item before", keys: ["left", "h"], arguments: ["step": -1]),
    ScreenAction("item", "Next item", keys: ["right", "l"], arguments: ["step": 1]),
    ScreenAction("find", "Search for words that are asked for"),
    ScreenAction("page", "People before these", arguments: ["step": -1]),
    ScreenAction("page", "People after these", arguments: ["step": 1]),
    ScreenAction("select", "Select a person"),
  ]

  /// The record that is about to be deleted.
  enum Doomed: Sendable, Equatable {
    case person(Int)
    case item(Int)
  }

  let station: ScreenStation
  var state = PeopleState()
  var doomed: Doomed?
  /// The person for whom a template is being chosen.
  var enrollee: Int?
  /// A person just added, who is removed again if left empty.
  var fresh: Int?
  private var isVisible = true
  private var hasStarted = false
  private var isRefreshing = false
  /// The time of the request for the list in progress; nil if none is.
  private var readingSince: Instant?
  /// True if the list changed while it was read.
  private var isOutdated = false
  private var pauseInSeconds = refreshInSeconds
  private var listGeneration = 0
  /// True while thumbnails are being read: one reader for all.
  private var isShowing = false
  /// Captures whose thumbnails are not available before the list is read again.
  private var later: Set<Int> = []
  private var asked = 0..<0
  /// The person to select once the list has them.
  var sought: Int?
  /// The person selected last, also once the list was forgotten.
  private var last: Int?
  /// The item to select once the list has it.
  var soughtItem: Int?
  /// The person whose links were prepared last.
  private var connected: Int?

  init(_ station: ScreenStation) {
    self.station = station
    station.sensors.beginList()
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
  var isLoading: Bool { state.rows.isEmpty && (readingSince != nil || sought != nil) }

  var status: [StyledText.Run] {
    if let words = state.item.flatMap({ state.activities[$0.id]?.trouble }) { return [.init(words, .warning)] }
    if let words = state.item.flatMap(CaptureText.otherPart) { return [.init(words, .warning)] }
    let (name, role) = (station.userName, station.roleName)
    return [.init(name == role ? role : "\(name), \(role)", .secondary)]
  }

  // MARK: Events

  func handle(_ event: Event) -> [Effect]? {
    switch event {
    case .resize(let geometry):
      state.resize(to: geometry)
      if let leaving = station.leaving { return leaving }
      if hasStarted { return state.isCovered ? show() : reload() }
      hasStarted = true
      station.followOthers()
      return seek()
    case .visible(let isVisible):
      self.isVisible = isVisible
      return hasStarted && isVisible ? station.leaving ?? leaveFresh() : []
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
      let effects = hit.place == state.selected ? [] : select(hit.place)
      guard let item = hit.item else { return effects }
      state.select(item: item)
      return clicks >= 2 ? open() : effects
    default: return nil
    }
  }

  /// Selects a row; its links are prepared, and its pictures read, once the selection rests.
  func select(_ place: Int) -> [Effect] {
    let before = state.selected
    state.select(place)
    guard state.selected != before else { return [] }
    last = state.selectedRow?.person.id ?? last
    return (state.isCovered ? [] : reload()) + leaveFresh() + rest
  }

  /// Removes the person added last if another one is selected and they were left empty.
  private func leaveFresh() -> [Effect] {
    guard let person = fresh, isVisible, sought == nil, let row = state.selectedRow, row.person.id != person else {
      return []
    }
    fresh = nil
    let station = station
    return [
      .compute(Self.withdrawing, label: "reading people") { _ in try station.withdrawAndWait(person: person) }
    ]
  }

  private var rest: [Effect] { [.timer(Self.resting, seconds: Self.restInSeconds, repeats: false)] }

  // MARK: Reading

  func reload() -> [Effect] {
    let before = EffectID(Self.listing.name, generation: listGeneration)
    listGeneration += 1
    asked = state.wanted
    (readingSince, isOutdated) = (station.now(), false)
    let (station, range, text) = (station, asked, state.search.text)
    return [
      .cancel(before),
      .compute(EffectID(Self.listing.name, generation: listGeneration), label: "reading people") { _ in
        try station.peopleAndWait(range, matching: text)
      },
    ]
  }

  /// Finds the row of the sought person, then reads the rows around it.
  func seek() -> [Effect] {
    guard let sought else { return reload() }
    let (station, text) = (station, state.search.text)
    return [
      .compute(Self.placing, label: "reading people") { _ in
        try station.placeAndWait(of: sought, matching: text) ?? -1
      }
    ]
  }

  /// Selects a person once the list has them.
  func seek(_ person: Int) -> [Effect] {
    sought = person
    return seek()
  }

  private func took(_ page: PeoplePage) -> [Effect] {
    let again = endReading()
    later = []
    let before = state.selectedRow?.person.id
    state.take(page, asked)
    if let item = soughtItem, state.select(itemNumber: item) { soughtItem = nil }
    if !state.isCovered { return reload() + again }
    let isOther = state.selectedRow?.person.id != before
    last = state.selectedRow?.person.id ?? last
    // An added person is an ordinary one as soon as something is known of them.
    if let row = state.selectedRow, row.person.id == fresh, !row.isUntouched { fresh = nil }
    return (isOther ? rest : []) + leaveFresh() + show() + again
  }

  /// Notes that the list is not being read any more, and reads it again later if it changed meanwhile.
  private func endReading() -> [Effect] {
    guard let since = readingSince else { return [] }
    readingSince = nil
    // While hundreds of captures change the list, three quarters of the time are left to them.
    pauseInSeconds = min(
      Self.longestRefreshInSeconds, max(Self.refreshInSeconds, 3 * station.now().seconds(since: since)))
    return isOutdated ? refreshLater() : []
  }

  private func refreshLater() -> [Effect] {
    guard !isRefreshing else { return [] }
    isRefreshing = true
    return [.timer(Self.refreshing, seconds: pauseInSeconds, repeats: false)]
  }

  /// Reads the list again after a change.
  ///
  /// A read in progress is not restarted, or it would never end.
  private func refresh() -> [Effect] {
    if let leaving = station.leaving { return leaving }
    guard readingSince == nil else {
      isOutdated = true
      return []
    }
    return reload()
  }

  /// The number of thumbnails read at once, and their greatest distance from the selected item.
  private static let shownAtOnce = 32
  private static let shownAround = 250

  /// Reads missing thumbnails of the selected person, visible items first.
  func show() -> [Effect] {
    guard !isShowing else { return [] }
    let (station, size) = (station, state.thumbnailSize)
    let items = state.selectedRow?.items ?? []
    let near = items.indices.filter { abs($0 - state.selectedItem) <= Self.shownAround }
      .sorted { abs($0 - state.selectedItem) < abs($1 - state.selectedItem) }
    let captures = near.compactMap { items[$0].capture }
      .filter { state.lacksThumbnail($0.id) && !later.contains($0.id) && !station.isUnderReview($0) }
      .prefix(Self.shownAtOnce)
    guard !captures.isEmpty else { return [] }
    isShowing = true
    return [
      .compute(Self.showing, label: "reading pictures") { progress in
        try station.thumbnailsAndWait(of: Array(captures), fitting: size) { try progress.checkCancellation() }
      }
    ]
  }

  private func took(_ found: ScreenThumbnails) -> [Effect] {
    isShowing = false
    // Thumbnails made for another cell size are made again.
    if found.size == state.thumbnailSize { state.take(thumbnails: found.pictures, without: found.without) }
    later.formUnion(found.later)
    return show()
  }

  /// Makes the links of the selected person ready.
  private func connect() -> [Effect] {
    guard let row = state.selectedRow else { return [] }
    connected = row.person.id
    let addresses = row.items.compactMap(station.address)
    if !addresses.isEmpty { station.sensors.connect(addresses) }
    return show() + lookBack(row)
  }

  // MARK: Messages

  func receive(_ message: Message) -> [Effect] {
    switch message {
    case .finished(EffectID(Self.listing.name, generation: listGeneration), let page as PeoplePage): return took(page)
    case .finished(Self.showing, let found as ScreenThumbnails): return took(found)
    case .cancelled(Self.showing): isShowing = false
    case .cancelled(EffectID(Self.listing.name, generation: listGeneration)): return endReading()
    case .finished(Self.placing, let place as Int):
      sought = nil
      state.restart()
      if place >= 0 { state.seek(place) }
      return reload() + rest
    case .failed(let id, let report): return failed(id, report)
    case .timer(Self.resting): return state.selectedRow?.person.id == connected ? show() : connect()
    case .timer(Self.refreshing):
      isRefreshing = false
      return refresh()
    case .notification(let notification): return heard(notification)
    default: return receiveAnswer(message)
    }
    return []
  }

  private func failed(_ id: EffectID, _ report: ErrorReport) -> [Effect] {
    if id == Self.showing { isShowing = false }
    let isListing = id == EffectID(Self.listing.name, generation: listGeneration)
    let again = isListing ? endReading() : []
    if let leaving = station.leaving { return leaving }
    if isListing { state.message = report.description }
    return [.status(Diagnostic(report, .error))] + again
  }

  private func heard(_ notification: Notification) -> [Effect] {
    switch notification.topic {
    case WSABIScreens.recordsTopic:
      if let leaving = station.leaving {
        state.forget()
        return leaving
      }
      return notification.payload.isNull ? [] : refreshLater()
    case WSABIScreens.sensorTopic:
      guard let news = SensorNews(notification.payload), let item = news.item else { return [] }
      state.activities[item] = ItemActivity.after(news, before: state.activities[item])
      return []
    case "wsabi.\(WSABIScreens.walkthroughTopic)": return walkthrough(asked: notification.payload)
    default: return []
    }
  }

  /// Handles the card's request to change its sensor: the item's operations end first.
  private func walkthrough(asked payload: Value) -> [Effect] {
    guard let item = payload["item"].integer else { return [] }
    station.sensors.cancelItem(item)
    state.activities[item] = nil
    return [
      .push(
        ScreenRequest(
          "walkthrough", arguments: ["item": .integer(item), "from": .text(payload["from"].text ?? "device")]))
    ]
  }

  // MARK: State

  func saveState() -> [UInt8] { (sought ?? last).map { Array(String($0).utf8) } ?? [] }

  func restore(_ state: [UInt8]) { sought = Int(String(decoding: state, as: UTF8.self)) }
}
