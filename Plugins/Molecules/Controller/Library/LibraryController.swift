import PluginAPI
import PluginText

/// The molecules that match the words of a text, the best first.
struct LibraryMatches: Equatable, Sendable {
  var text: String
  var ids: [Int]
}

/// The screen that lists the molecules.
///
/// The first row leads to new molecules; it is not a molecule and cannot be deleted.
@MainActor final class LibraryController: Controller {
  static let downloadRow = "download"
  static let listing: EffectID = "list"
  static let importing: EffectID = "import"
  static let askingPath: EffectID = "ask-path"
  static let matching: EffectID = "match"

  nonisolated static let actions: [ScreenAction] = [
    ScreenAction("show", "Show in the viewer"),
    ScreenAction("details", "What is known of it", keys: ["d"]),
    ScreenAction("add", "Show together with what is in the viewer", keys: ["w"]),
    ScreenAction("delete", "Delete it and its original", keys: ["x", "delete"]),
    ScreenAction("undo", "Bring back what was deleted last", keys: ["u"]),
    ScreenAction("import", "Import a file", keys: ["I"]),
    ScreenAction("download", "Download new molecule"),
    ScreenAction("about", "About Molecules"),
  ]

  var list: ListState
  private var size = Size(width: 0, height: 0)
  private var hasStarted = false
  private var isListing = false
  /// True after the molecules were listed for the first time.
  private var isListed = false
  /// A Boolean value indicating whether something changed since the running listing started.
  private var needsListing = false
  private var molecules = 0
  /// A Boolean value indicating whether the screen below receives the chosen molecule; else a viewer opens on top of
  /// this one.
  private let returns: Bool
  let context: any PluginContext
  /// The state of deletions.
  var deletion = LibraryDeletion()
  /// The text of the filter whose matches were last requested.
  private var matchedText = ""
  /// The row to select when the list arrives.
  var wanted: String?

  let shelf: DeletedShelf
  private var flip = Flip()
  private let flips: Bool

  init(_ request: ScreenRequest, _ context: any PluginContext, _ shelf: DeletedShelf) {
    self.context = context
    self.shelf = shelf
    returns = request.arguments["returns"]?.bool ?? false
    flips = request.arguments["flips"]?.bool ?? false
    wanted = request.arguments["selected"]?.integer.map(String.init)
    list = ListState(rows: [Self.download])
  }

  var title: String { "Library" }

  var status: [StyledText.Run] {
    hasStarted ? [.init("\(molecules) \(molecules == 1 ? "molecule" : "molecules")")] : []
  }

  var wantsText: Bool { list.isFiltering }

  var isLoading: Bool { !isListed }

  var view: any View { flip.turned(ListView("Library", list, action: "show")) }

  func handle(_ event: Event) -> [Effect]? {
    if case .resize(let geometry) = event {
      size = geometry.size
      if hasStarted { return [] }
      hasStarted = true
      return reload() + tidy + (flips ? flip.begin(context) : [])
    }
    switch list.handle(event, in: Rect(size)) {
    case .changed:
      // A user who moves before the list arrives does not want the selection changed.
      wanted = nil
      return findMatches()
    case .chosen(let id): return show(id)
    case .disclosed(let id): return details(id)
    case nil: return nil
    @unknown default: return nil
    }
  }

  func perform(_ invocation: ActionInvocation) -> [Effect] {
    let row = invocation.arguments["id"]?.text ?? list.selectedID
    switch invocation.action {
    case "show": return row.map(show) ?? []
    case "details": return row.map(details) ?? []
    case "add": return row.map(add) ?? []
    case "delete": return row.map(askDeletion) ?? []
    case "undo": return undoDeletion()
    case "import": return [askPath]
    case "download": return [search]
    case "about": return [MoleculesAbout.screen]
    default: return []
    }
  }

  func receive(_ message: Message) -> [Effect] {
    if let effects = flip.receive(message, at: context.now()) { return effects }
    switch message {
    case .emitted(Self.listing, let value):
      take(value.table)
      return []
    case .finished(Self.matching, let found as LibraryMatches):
      if found.text == list.filter.text { list.alsoPassing = found.ids.map(String.init) }
      return []
    case .emitted(Self.importing, let value):
      wanted = value.list?.last?["id"].integer.map(String.init)
      return []
    case .finished(Self.listing, _), .failed(Self.listing, _), .cancelled(Self.listing): return listed()
    case .finished(Self.importing, _), .failed(Self.importing, _): return reload()
    case .notification: return reload()
    case .answered(Self.askingPath, let path): return importFile(path)
    case .returned("search", let value): return value.integer.map { show("\($0)") } ?? []
    default: return receiveDeletion(message)
    }
  }

  /// Reloads the list, after a running listing.
  ///
  /// The first listing fills the library and reports each change: canceling it at each report would never let it end.
  func reload() -> [Effect] {
    needsListing = isListing
    if isListing { return [] }
    isListing = true
    return [.run(Self.listing, command: "list", arguments: Record())]
  }

  private func listed() -> [Effect] {
    (isListing, isListed) = (false, true)
    return needsListing ? reload() : []
  }

  // MARK: Rows

  private static let download = ListRow(
    id: downloadRow, title: "Download new molecule", detail: "by words or code; I imports a file")

  private func take(_ table: Table?) {
    guard let table else { return }
    molecules = table.rowCount
    let counts = CountColumns(of: table)
    list.rows =
      [Self.download] + (0..<table.rowCount).map { Self.row(Value.record(table.row($0)), counts) }
    if let wanted { list.select(wanted) }
    wanted = nil
  }

  private static func row(_ molecule: Value, _ counts: CountColumns) -> ListRow {
    let (code, title) = (molecule["code"].text ?? "", molecule["title"].text ?? "")
    let id = "\(molecule["id"].integer ?? 0)"
    // The code comes first: long titles are truncated, and entries are known by their codes.
    let name = [code, title].filter { !$0.isEmpty }.joined(separator: "  ")
    return ListRow(
      id: id, title: name.isEmpty ? "molecule \(id)" : name, badge: counts.badge(of: molecule), hasDisclosure: true)
  }

  // MARK: Words of the filter

  /// Searches the library's index for the filter text: compounds, authors and keywords are not shown in rows.
  private func findMatches() -> [Effect] {
    let text = list.filter.text
    guard text != matchedText else { return [] }
    matchedText = text
    // Matches of a different text are stale.
    list.alsoPassing = []
    guard !text.allSatisfy({ $0 == " " }), let library = try? MoleculeLibrary(context) else {
      return [.cancel(Self.matching)]
    }
    let search: Effect = .compute(Self.matching, label: "searching") { _ in
      LibraryMatches(text: text, ids: try library.store.matchesAndWait(text) ?? [])
    }
    return [.cancel(Self.matching), search]
  }

  // MARK: What rows do

  private func show(_ row: String) -> [Effect] {
    guard let id = Int(row) else { return [search] }
    if returns { return [.pop(.integer(id))] }
    return [.push(ScreenRequest("viewer", arguments: ["molecule": .integer(id)]))]
  }

  /// Shows a molecule together with the one in the viewer, or alone if there is no viewer.
  private func add(_ row: String) -> [Effect] {
    guard let id = Int(row) else { return [search] }
    return returns ? [.pop(["add": .integer(id)])] : show(row)
  }

  private func details(_ row: String) -> [Effect] {
    guard let id = Int(row) else { return [search] }
    return [.detail(ScreenRequest("detail", arguments: ["molecule": .integer(id)]))]
  }

  // MARK: New molecules

  private var search: Effect { .push(ScreenRequest("search")) }

  private var askPath: Effect { .ask(Self.askingPath, PromptRequest("Path of a structure file")) }

  private func importFile(_ path: String?) -> [Effect] {
    let trimmed = (path ?? "").trimmed()
    if trimmed.isEmpty { return [] }
    return [.run(Self.importing, command: "import", arguments: ["file": .list([.text(trimmed)])])]
  }
}
