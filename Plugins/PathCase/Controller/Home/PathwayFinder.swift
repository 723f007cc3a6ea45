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
        ListRow(id: rawValue, title: "Scenario analysis (SMDA)", detail: "what measured levels say of a pathway")
      case .file: ListRow(id: rawValue, title: "Network in a file", detail: "SBML, SBGN, KGML, GPML, BioPAX, Escher")
      }
    }
  }

  /// A Boolean value indicating whether there are rows that are not pathways, as on the first screen.
  let hasEntries: Bool
  private(set) var list = ListState()
  private(set) var line = InputLine()
  /// A Boolean value indicating whether typed text goes to the search.
  private(set) var isTyping = false
  private var found: FoundPathways?
  private var hits: [PathwaySearch.Hit] = []
  private var message = "opening the database …"
  /// The row to select once it exists.
  var wanted: String?

  /// The number of columns with a pathway's contents that fit.
  private var columnCount = 0
  private var width = 0

  /// The row to return to if a search finds nothing.
  private var usual: String?

  init(hasEntries: Bool) { self.hasEntries = hasEntries }

  /// A Boolean value indicating whether the search line is visible.
  var isSearching: Bool { isTyping || !line.text.isEmpty }
  /// True once the pathways have been read.
  var isFilled: Bool { found != nil }
  var selectedID: String? { list.selectedID }
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
    message = failure.text(canceled: "opening the database was cancelled")
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
