/// The state of a list: its rows, selection, scroll position and filter.
///
/// `/` starts the filter; typing then narrows the rows by fuzzy match, best first: rows with the typed words before
/// those with scattered letters. Escape ends it.
public struct ListState: Sendable, Hashable {
  /// A row that passed the filter.
  struct Hit: Sendable, Hashable {
    var row: Int
    /// The 0-based positions of matched characters in title, space, detail.
    var positions: [Int]
  }

  /// The rows; setting them keeps the selected id if it is still present.
  public var rows: [ListRow] {
    didSet { rowsChanged(selected: oldValue) }
  }

  /// The ids of rows that pass the filter regardless of their texts, in order.
  ///
  /// They come after the rows whose texts contain the typed words and before those with scattered letters.
  ///
  /// For owners that search more than the rows show. Ending the filter empties it.
  public var alsoPassing: [String] = [] {
    didSet { if alsoPassing != oldValue { rowsChanged(selected: rows) } }
  }

  /// The selected row and the scroll position, among the rows that pass the filter.
  public private(set) var cursor = RowCursor()
  /// The text of the filter; empty if there is none.
  public private(set) var filter = InputLine()
  /// A Boolean value indicating whether typing goes to the filter; controllers return it as their `wantsText`.
  public private(set) var isFiltering = false

  private(set) var hits: [Hit]?
  private(set) var titleWidth = 0
  private(set) var badgeWidth = 0
  private(set) var hasDisclosures = false

  /// Creates the state of a list.
  ///
  /// - Parameters:
  ///   - rows: The rows.
  ///   - selected: The id of the row selected at first; nil or an unknown id selects the first row.
  public init(rows: [ListRow] = [], selected: String? = nil) {
    self.rows = rows
    measure()
    if let selected { select(selected) }
  }

  /// The number of rows that pass the filter.
  public var visibleCount: Int { hits?.count ?? rows.count }

  /// Returns the row at an index among those that pass the filter.
  public func visibleRow(_ index: Int) -> ListRow? {
    guard index >= 0, index < visibleCount else { return nil }
    return rows[hits.map { $0[index].row } ?? index]
  }

  /// The selected row; nil if there is none.
  public var selectedRow: ListRow? { visibleRow(cursor.selected) }

  /// The id of the selected row; nil if there is none.
  public var selectedID: String? { selectedRow?.id }

  /// Selects the row with an id, if it passes the filter.
  public mutating func select(_ id: String) {
    let found = (0..<visibleCount).first { visibleRow($0)?.id.utf8.elementsEqual(id.utf8) ?? false }
    if let found { cursor.selected = found }
  }

  /// Ends the filter.
  public mutating func clearFilter() {
    let id = selectedID
    (filter, isFiltering, hits) = (InputLine(), false, nil)
    alsoPassing = []
    cursor = RowCursor()
    if let id { select(id) }
  }

  /// Starts the filter.
  public mutating func startFilter() { isFiltering = true }

  /// A Boolean value indicating whether a row at the top shows the filter.
  var showsFilter: Bool { isFiltering || !filter.text.isEmpty }

  /// Handles an event.
  ///
  /// - Parameters:
  ///   - event: The event; mouse positions in cells of the screen's frame.
  ///   - rect: The list's rectangle in the screen's frame.
  /// - Returns: The outcome; nil if a list does not handle the event.
  public mutating func handle(_ event: Event, in rect: Rect) -> ViewOutcome? {
    let height = max(1, rect.height - (showsFilter ? 1 : 0))
    switch event {
    case .key(let key): return handle(key, height: height)
    case .paste where isFiltering: return type(event, height: height)
    case .mouse(let mouse): return handle(mouse, in: rect, height: height)
    default: return nil
    }
  }

  private mutating func handle(_ key: Key, height: Int) -> ViewOutcome? {
    if key == Key(.escape), showsFilter {
      clearFilter()
      return .changed
    }
    if key == Key(.enter) {
      isFiltering = false
      return selectedID.map { .chosen($0) }
    }
    if isFiltering { return handleWhileFiltering(key, height: height) }
    if key == Key(.character("/")) {
      startFilter()
      return .changed
    }
    if key == Key(.right), let row = selectedRow, row.hasDisclosure { return .disclosed(row.id) }
    return cursor.handle(key, count: visibleCount, height: height) ? .changed : nil
  }

  private mutating func handleWhileFiltering(_ key: Key, height: Int) -> ViewOutcome? {
    if key == Key(.backspace), filter.text.isEmpty {
      clearFilter()
      return .changed
    }
    let moves: [Key.Code] = [.up, .down, .pageUp, .pageDown]
    if moves.contains(key.code) { return cursor.handle(key, count: visibleCount, height: height) ? .changed : nil }
    return type(.key(key), height: height)
  }

  private mutating func type(_ event: Event, height: Int) -> ViewOutcome? {
    let before = filter.text
    guard filter.handle(event) else { return nil }
    if filter.text != before {
      refilter()
      cursor = RowCursor()
    }
    return .changed
  }

  private mutating func handle(_ mouse: Mouse, in rect: Rect, height: Int) -> ViewOutcome? {
    guard rect.contains(mouse.position) else { return nil }
    switch mouse.action {
    case .scroll(let rows):
      cursor.scroll(by: 3 * rows, count: visibleCount, height: height)
      return .changed
    case .press(let clicks) where mouse.button == .left:
      let line = mouse.position.y - rect.y - (showsFilter ? 1 : 0)
      guard line >= 0 else { return .changed }
      let index = cursor.visibleTop(count: visibleCount, height: height) + line
      guard let row = visibleRow(index) else { return .changed }
      cursor.selected = index
      if row.hasDisclosure, mouse.position.x >= rect.x + rect.width - 4 { return .disclosed(row.id) }
      return clicks >= 2 ? .chosen(row.id) : .changed
    default: return nil
    }
  }

  private mutating func rowsChanged(selected oldRows: [ListRow]) {
    let index = hits.map { cursor.selected < $0.count ? $0[cursor.selected].row : 0 } ?? cursor.selected
    let id = oldRows.indices.contains(index) ? oldRows[index].id : nil
    measure()
    refilter()
    cursor.selected = min(cursor.selected, max(0, visibleCount - 1))
    if let id { select(id) }
  }

  private mutating func measure() {
    titleWidth = rows.reduce(0) { max($0, TextWidth.columns($1.title)) }
    badgeWidth = rows.reduce(0) { max($0, TextWidth.columns($1.badge)) }
    hasDisclosures = rows.contains(where: \.hasDisclosure)
  }

  private mutating func refilter() {
    let pattern = filter.text
    guard pattern.contains(where: { $0 != " " }) else {
      hits = nil
      return
    }
    let matches = rows.enumerated().compactMap { index, row -> (row: Int, match: FuzzyMatch)? in
      let text = row.detail.isEmpty ? row.title : row.title + " " + row.detail
      return FuzzyMatch(pattern, in: text).map { (index, $0) }
    }
    let ordered = matches.sorted { $0.match.score > $1.match.score }
    let found = ordered.map { (hit: Hit(row: $0.row, positions: $0.match.positions), kind: $0.match.kind) }
    let words = found.prefix { $0.kind > .scattered }.map(\.hit)
    let shown = Set(words.map(\.row))
    let others = otherRows.filter { !shown.contains($0) }
    let also = Set(others)
    let scattered = found.dropFirst(words.count).map(\.hit).filter { !also.contains($0.row) }
    hits = words + others.map { Hit(row: $0, positions: []) } + scattered
  }

  /// The rows that pass by their ids.
  private var otherRows: [Int] {
    if alsoPassing.isEmpty { return [] }
    let indices = Dictionary(rows.indices.map { (rows[$0].id, $0) }, uniquingKeysWith: { first, _ in first })
    return alsoPassing.compactMap { indices[$0] }
  }
}
