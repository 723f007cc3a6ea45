import PluginAPI
import PluginText

/// The browser's navigation from list to list, and the details shown beside.
extension BrowserController {
  /// Opens the target of a row: its list of children, or its details if it has none.
  func choose(_ id: String) -> [Effect] {
    guard let entity = level.list.selected.flatMap({ $0.permID == id ? $0 : nil }) ?? heldEntity(id) else {
      return go(to: [id])
    }
    if entity.permID == level.entity?.permID { return showDetail(id) + askDetail(entity) }
    if entity.flags.contains(.notLoaded) { return askForMissing(entity) }
    return EntityListView.leadsOn(entity) ? descend(to: entity) : showDetail(id) + askDetail(entity)
  }

  func heldEntity(_ id: String) -> EntitySummary? {
    let list = level.list
    return (0..<min(list.count, 2 * EntityListState.pageSize)).lazy.compactMap { list.entity(at: $0) }
      .first { $0.permID == id }
  }

  /// Shows the cached children of an entity at once, and requests its children and details in the background.
  func descend(to entity: EntitySummary) -> [Effect] {
    serial += 1
    filteredText = ""
    levels.append(BrowserLevel(serial, of: entity))
    // Details shown at once would take the keyboard focus from the list.
    return read() + askDrill(entity.permID) + askDetail(entity) + follow()
  }

  func back() -> [Effect]? {
    guard levels.count > 1 else { return nil }
    let left = levels.removeLast()
    filteredText = level.list.filter.text
    if let entity = left.entity { level.list.want(entity.permID) }
    level.list.expire()
    let effects = [.cancel(Self.drilling)] + read()
    guard let search = left.search else { return effects + follow() }
    // A list opened from a search leads back to it.
    return effects + [.push(ScreenRequest("search", arguments: search))]
  }

  func backToTop() -> [Effect] {
    guard levels.count > 1 else { return [] }
    levels.removeLast(levels.count - 2)
    levels[1].search = nil
    return back() ?? []
  }

  /// Opens entities one below the other, wherever they were found.
  func go(to ids: [String]) -> [Effect] {
    guard let reading = open?.reading else { return [] }
    isPathAwaited = true
    return [
      .compute(Self.pathing, label: "opening") { _ in
        let found = try reading.summariesAndWait(ids)
        let missing = zip(ids, found).first { $0.1 == nil }?.0
        return FoundPath(entities: found.compactMap { $0 }, missing: missing)
      }
    ]
  }

  func follow(_ found: FoundPath) -> [Effect] {
    var effects: [Effect] = []
    if let missing = found.missing {
      effects.append(
        .status(
          Diagnostic(.note, code: "openbis.unknown-entity", "nothing is kept under '\(SanitizedText.line(missing))'")))
    }
    for entity in found.entities.dropLast() where EntityListView.leadsOn(entity) {
      serial += 1
      levels.append(BrowserLevel(serial, of: entity))
    }
    let search = leftSearch
    leftSearch = nil
    guard let last = found.entities.last else { return effects }
    guard EntityListView.leadsOn(last) else {
      level.list.want(last.permID)
      return effects + showDetail(last.permID) + askDetail(last)
    }
    effects += descend(to: last)
    level.search = search
    return effects
  }

  func returned(from screen: String, _ value: Value) -> [Effect] {
    if screen == "detail" { detailShown = nil }
    // The details beside forward the result of a screen above them.
    if value["changed"].bool == true { return reopen() }
    guard let id = value["open"].text else { return [] }
    leftSearch = value["search"].record
    return go(to: [id])
  }

  func showFiles(_ id: String) -> [Effect] {
    FilesController.open(arguments(id), isNavigation: heldEntity(id)?.flags.contains(.navigation) ?? false)
  }

  /// Asks about an export; details following the selection would dismiss the question.
  func askExport(_ id: String) -> [Effect] {
    guard let open else { return [] }
    return [.cancel(Self.following)] + export.ask(id, account: open.accountID)
  }

  // MARK: Details beside

  /// A Boolean value indicating whether the size given by the host leaves room for details beside the list.
  private var hasRoomBeside: Bool { detailShown != nil || size.width >= Self.splitWidth }

  func showDetail(_ id: String) -> [Effect] {
    detailShown = id
    return [.detail(ScreenRequest("detail", arguments: arguments(id)))]
  }

  /// Updates the details once the selection rests.
  func follow() -> [Effect] {
    hasRoomBeside ? [.timer(Self.following, seconds: Self.followInSeconds, repeats: false)] : []
  }

  func showFollowed() -> [Effect] {
    guard isVisible, hasRoomBeside, let id = level.list.selected?.permID, id != detailShown else { return [] }
    return showDetail(id)
  }

  /// Returns the arguments of a screen about an entity of this account.
  func arguments(_ id: String? = nil) -> Record {
    var record = Record()
    if let id { record["perm-id"] = .text(id) }
    if let open { record["account"] = .text(open.accountID) }
    return record
  }
}
