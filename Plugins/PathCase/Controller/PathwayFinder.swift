import PluginAPI
import PluginText

/// A list of pathways with a search line, shared by the first screen and the popover over a pathway.
struct PathwayFinder {
  /// Rows that are not pathways.
  enum Entry: String, CaseIterable {
    case scenarios = ":scenarios"
    case file = ":file"

    var row: ListRow {
      switch self {
      case .scenarios:
        ListRow(id: rawValue, title: "Scenario analysis (SMDA)", detail: "scenarios that fit measured levels")
      case .file: ListRow(id: rawValue, title: "Network in a file", detail: "SBML, SBGN, KGML, GPML, BioPAX, Escher")
      }
    }
  }

  /// A Boolean value indicating whether there are rows that are not pathways, as on the first screen.
  private let hasEntries: Bool
  private var list = ListState()
  private var line = InputLine()
  /// A Boolean value indicating whether typed text goes to the search.
  private var isTyping = false
  private var found: FoundPathways?
  private var hits: [PathwaySearch.Hit] = []
  private var message = "opening the database …"
  /// The row to select once it exists.
  private var wanted: String?

  /// The number of columns with a pathway's contents that fit.
  private var columnCount = 0
  private var width = 0

  /// The row to return to if a search finds nothing.
  private var usual: String?

  init(hasEntries: Bool) { self.hasEntries = hasEntries }

  /// A Boolean value indicating whether the search line is visible.
  var isSearching: Bool { isTyping || !line.text.isEmpty }
  /// A Boolean value indicating whether typed text goes to the search; in the popover it always does.
  var wantsText: Bool { isTyping || !hasEntries }
  /// True once the pathways have been read.
  var isFilled: Bool { found != nil }
  var selectedID: String? { list.selectedID }
  /// The id of the row to select at the next start: the selected one, or the one that does not exist yet.
  var savedID: String? { selectedID ?? wanted }
  private var hasWords: Bool { line.text.contains { $0 != " " } }

  /// The text of the status line.
  var status: [String] {
    guard let found else { return [] }
    return [ShownText.count(found.database.pathways.count, "pathway"), found.origin]
  }

  // MARK: Rows

  /// Updates the width of the rows.
  mutating func resize(to width: Int) {
    self.width = width
    guard let found, found.columns.count(inWidth: width) != columnCount else { return }
    let id = selectedID
    show()
    if let id { list.select(id) }
  }

  /// Selects a row once it exists.
  mutating func select(_ id: String?) { wanted = id }

  mutating func take(_ found: FoundPathways) {
    let isFirst = self.found == nil
    self.found = found
    message = "the database has no pathways"
    show()
    if isFirst, let first = found.database.pathways.first, !hasWords { list.select(first.id.text) }
    if let wanted { list.select(wanted) }
    usual = wanted ?? usual
    wanted = nil
  }

  /// Shows the reason why there are no pathways.
  mutating func fail(_ failure: Load.Failure) {
    message = failure.text(ifCanceled: "opening the database canceled")
  }

  private mutating func show() {
    guard let found else { return }
    columnCount = found.columns.count(inWidth: width)
    hits = found.search.hits(line.text)
    if hasWords {
      list = ListState(rows: hits.map { row($0.pathway, $0, found) } + imported(found).filter(passes))
    } else {
      let entries = hasEntries ? Entry.allCases.map(\.row) : []
      list.rows = entries + found.database.pathways.indices.map { row($0, nil, found) } + imported(found)
    }
  }

  /// Returns the rows of imported networks; those named like a pathway cannot be opened by their ids.
  private func imported(_ found: FoundPathways) -> [ListRow] {
    found.imported.filter { found.database.index.pathways[$0.id] == nil }.map { network in
      ListRow(
        id: network.id.text, title: ShownText.name(network.name, or: network.id),
        detail: hasWords ? SanitizedText.line(network.file) : "",
        badge: "imported  \(SanitizedText.line(network.format))")
    }
  }

  /// Returns whether a row of an imported network contains the typed words.
  private func passes(_ row: ListRow) -> Bool {
    let text = FoldedText.typed("\(row.title) \(row.detail) \(row.badge) \(SanitizedText.line(row.id))")
    return line.text.split(separator: " ").allSatisfy { word in
      ByteSearch.contains(FoldedText.typed(String(word)), in: text)
    }
  }

  private func row(_ index: Int, _ hit: PathwaySearch.Hit?, _ found: FoundPathways) -> ListRow {
    let pathway = found.database.pathways[index]
    return ListRow(
      id: pathway.id.text, title: ShownText.name(pathway.name, or: pathway.id), detail: hit.map(Self.why) ?? "",
      badge: hit == nil ? found.columns.text(of: found.members[index], first: columnCount) : "")
  }

  /// Returns the reason why a pathway was found; "" if its name shows it.
  private static func why(_ hit: PathwaySearch.Hit) -> String {
    switch hit.kind {
    case .pathway: ""
    case .metabolite: "metabolite \(hit.reason)"
    case .pathwaySynonym, .synonym: "synonym \(hit.reason)"
    case .gene: "gene \(hit.reason)"
    case .process: "process \(hit.reason)"
    case .enzyme: "EC \(hit.reason)"
    }
  }

  /// Returns the matching part in the pathway of a row.
  func focus(of id: String) -> Identifier? {
    guard let found, let index = found.database.index.pathways[Identifier(id)] else { return nil }
    return hits.first { $0.pathway == index }?.subject
  }

  // MARK: Events

  mutating func startTyping() { isTyping = true }

  /// Handles an event.
  ///
  /// - Returns: The outcome; nil if the list does not use the event.
  mutating func handle(_ event: Event, in rect: Rect) -> ViewOutcome? {
    guard case .key(let key) = event else {
      if case .paste = event { return isTyping ? type(event) : nil }
      return list.handle(event, in: rect)
    }
    if isTyping { return handleTyping(key, in: rect) }
    switch key {
    case Key(.character("/")):
      startTyping()
      return .changed
    case Key(.escape) where isSearching:
      endSearch()
      return .changed
    default: return list.handle(event, in: rect)
    }
  }

  private mutating func handleTyping(_ key: Key, in rect: Rect) -> ViewOutcome? {
    switch key.code {
    case .escape,
      .backspace where line.text.isEmpty:
      // The host closes the popover.
      if line.text.isEmpty, !hasEntries { return key.code == .escape ? nil : .changed }
      endSearch()
      return .changed
    case .enter:
      if hasEntries { isTyping = false }
      return list.handle(.key(key), in: rect) ?? .changed
    case .up, .down, .pageUp, .pageDown: return list.handle(.key(key), in: rect)
    default: return type(.key(key))
    }
  }

  private mutating func type(_ event: Event) -> ViewOutcome? {
    let before = line.text
    guard line.handle(event) else { return nil }
    if line.text != before { show() }
    return .changed
  }

  private mutating func endSearch() {
    let id = selectedID
    line = InputLine()
    // The popover always accepts a name.
    isTyping = !hasEntries
    show()
    if let id = id ?? usual { list.select(id) }
  }

  // MARK: Display

  /// Returns the rectangle of the rows in a screen of a given size.
  func listRect(of size: Size, hasProgress: Bool = false) -> Rect {
    HomeView.listRect(of: size, isSearching: isSearching, hasProgress: hasProgress)
  }

  func view(title: String, progress: Progress?, action: String) -> HomeView {
    let nothing = hasWords ? "nothing matches '\(line.text)'" : message
    return HomeView(
      list: ListView(title, list, action: action, emptyText: found == nil ? message : nothing),
      line: isSearching ? line : nil, isTyping: isTyping, progress: progress,
      count: hasWords ? list.rows.count : 0)
  }
}

/// The pathways of the active database, prepared for listing and search.
struct FoundPathways: Sendable {
  let database: MetabolicDatabase
  let search: PathwaySearch
  /// The participants of each pathway.
  let members: [MetabolicDatabase.PathwayMembers]
  /// The columns that show these in rows.
  fileprivate let columns: PathwayColumns
  /// The networks that the user imported from files.
  let imported: [ImportedNetwork]
  /// The origin of the database in a few words.
  let origin: String
  /// The problem that prevents the use of another database.
  let trouble: Diagnostic?

  /// Opens the database.
  ///
  /// - Throws: The errors of reading and linking documents.
  static func open(_ shelf: PathwayShelf, _ context: any PluginContext) async throws -> FoundPathways {
    // A damaged store is reported when something is to be stored; the pathways are available all the same.
    let imported = (try? await shelf.imported(context)) ?? []
    let opened = try await shelf.opened(context)
    return try await context.eventLoop.compute("opening the database") { _ in FoundPathways(opened, imported) }
  }

  private init(_ opened: OpenedDatabase, _ imported: [ImportedNetwork]) {
    let database = opened.database
    self.database = database
    self.imported = imported
    search = PathwaySearch(database)
    members = database.pathways.indices.map { database.members(ofPathway: $0) }
    columns = PathwayColumns(members)
    trouble = opened.trouble
    let snapshot = database.snapshot.isEmpty ? "" : " \(SanitizedText.line(database.snapshot))"
    if let found = opened.origin {
      let date = Instant(seconds: Int64(found.fetchedAt)).dateText
      origin = "snapshot\(snapshot), downloaded \(date)"
    } else {
      origin = "bundled database\(snapshot)"
    }
  }
}

/// The sizes of pathways in aligned columns, so that rows can be compared down the page.
private struct PathwayColumns: Sendable {
  private typealias Cell = (number: String, unit: String)

  /// The digits of the largest number and the width of the widest unit, by column.
  private let widths: [(digits: Int, unit: Int)]

  init(_ members: [MetabolicDatabase.PathwayMembers]) {
    var widths: [(digits: Int, unit: Int)] = []
    for row in members {
      for (column, cell) in Self.cells(row).enumerated() {
        if column == widths.count { widths.append((0, 0)) }
        widths[column].digits = max(widths[column].digits, cell.number.utf8.count)
        widths[column].unit = max(widths[column].unit, cell.unit.utf8.count)
      }
    }
    self.widths = widths
  }

  /// The minimum number of columns left for names beside the numbers.
  private static let leastName = 34

  /// Returns the number of leading columns that fit into rows of a width.
  func count(inWidth width: Int) -> Int {
    (0...widths.count).last { $0 == 0 || self.width(ofFirst: $0) + Self.leastName <= width - 6 } ?? 0
  }

  private func width(ofFirst count: Int) -> Int {
    widths.prefix(count).filter { $0.unit > 0 }.reduce(-2) { $0 + $1.digits + 1 + $1.unit + 2 }
  }

  /// Returns the first columns of a pathway's row, as wide as those of all other rows.
  func text(of members: MetabolicDatabase.PathwayMembers, first count: Int) -> String {
    let cells = zip(Self.cells(members), widths).prefix(count).filter { $0.1.unit > 0 }.map { cell, width in
      TextWidth.padded(cell.number, to: width.digits, right: true) + " " + TextWidth.padded(cell.unit, to: width.unit)
    }
    return cells.joined(separator: "  ")
  }

  /// Returns numbers with their units; a single tissue is not worth showing.
  private static func cells(_ members: MetabolicDatabase.PathwayMembers) -> [Cell] {
    let tissues = members.tissues.count
    return [
      cell(members.processes.count, "process", "processes"), cell(members.metabolites.count, "metabolite"),
      cell(members.compartments.count, "compartment"), tissues > 1 ? cell(tissues, "tissue") : ("", ""),
    ]
  }

  private static func cell(_ count: Int, _ one: String, _ many: String? = nil) -> Cell {
    ("\(count)", count == 1 ? one : many ?? one + "s")
  }
}

/// The popover that lists the pathways over the current one; the chosen pathway replaces it.
@MainActor final class PathwaysController: Controller {
  /// The actions of the popover.
  enum Action: String, CaseIterable {
    case open
  }

  nonisolated static let actions: [ScreenAction] = [ScreenAction(Action.open, "Show the selected pathway")]

  let title: String
  private let context: any PluginContext
  private let shelf: PathwayShelf
  private var finder = PathwayFinder(hasEntries: false)
  private var size = Size(width: 0, height: 0)

  init(_ request: ScreenRequest, _ context: any PluginContext, _ shelf: PathwayShelf) {
    (self.context, self.shelf) = (context, shelf)
    title = request.arguments[PathCaseArgument.title] ?? "Pathways"
    finder.select(request.arguments[PathCaseArgument.selected])
    finder.startTyping()
  }

  var wantsText: Bool { finder.wantsText }
  var isLoading: Bool { !finder.isFilled }
  var view: any View { finder.view(title: title, progress: nil, action: Action.open.rawValue) }

  func start() -> [Effect] {
    let opening = load("open", "opening the database") { [shelf, context] _ in
      try await FoundPathways.open(shelf, context)
    } then: {
      $0.finder.take($1)
    } failed: { controller, failure in
      controller.finder.fail(failure)
      return []
    }
    return [opening]
  }

  func handle(_ event: Event) -> [Effect]? {
    if case .resize(let geometry) = event {
      size = geometry.size
      finder.resize(to: size.width)
      return []
    }
    // The key that opened it also closes it.
    if event == .key(Key(.tab)) { return [.pop(.null)] }
    switch finder.handle(event, in: finder.listRect(of: size)) {
    case .changed: return []
    case .chosen(let id): return choose(id)
    case .disclosed, nil: return nil
    @unknown default: return nil
    }
  }

  func perform(_ invocation: ActionInvocation) -> [Effect] {
    guard let action = Action(rawValue: invocation.action) else { return [] }
    switch action {
    case .open: return (invocation.arguments[PathCaseArgument.id] ?? finder.selectedID).map(choose) ?? []
    }
  }

  private func choose(_ id: String) -> [Effect] {
    var record: Record = ["open": .text(id)]
    if let focus = finder.focus(of: id) { record["focus"] = .text(focus.text) }
    return [.pop(.record(record))]
  }
}
