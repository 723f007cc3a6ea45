/// A list of rows with a selection: title, detail in a column of its own, badge and disclosure mark at the right.
public struct ListView: View {
  /// The heading in the outline.
  public var title: String
  /// Rows, selection, scroll position and filter.
  public var state: ListState
  /// The screen action performed when a row is chosen, with the row's id as its argument `id`; nil for none.
  public var action: String?
  /// The text shown if there are no rows.
  public var emptyText: String
  /// A Boolean value indicating whether this list receives keys; false for the unfocused list of a split.
  public var isActive: Bool

  /// Creates a list.
  public init(
    _ title: String, _ state: ListState, action: String? = nil, emptyText: String = "Nothing here",
    isActive: Bool = true
  ) {
    self.title = title
    self.state = state
    self.action = action
    self.emptyText = emptyText
    self.isActive = isActive
  }

  /// Draws the visible rows.
  public func draw(into frame: inout TextFrame) {
    let (head, body) = frame.bounds.split(top: state.showsFilter ? 1 : 0)
    if state.showsFilter { frame.inside(head, drawFilter) }
    frame.inside(body, drawRows)
  }

  /// The title and the numbered rows.
  public var outline: Outline {
    let rows = (0..<state.visibleCount).compactMap { state.visibleRow($0) }
    return Outline(
      title: title, text: rows.isEmpty ? [emptyShown] : [],
      items: rows.map { row in
        Outline.Item(id: row.id, text: row.spoken, action: action.map { ActionInvocation($0, ["id": .text(row.id)]) })
      })
  }

  private var emptyShown: String {
    state.filter.text.isEmpty ? emptyText : "No matches for '\(state.filter.text)'"
  }

  private func drawFilter(_ frame: inout TextFrame) {
    let count = "\(state.visibleCount)/\(state.rows.count)"
    let room = max(0, frame.size.width - 3 - TextWidth.columns(count))
    frame.put("/ ", x: 0, y: 0, .accent)
    if state.isFiltering {
      state.filter.draw(into: &frame, x: 2, y: 0, width: room)
    } else {
      frame.put(TextWidth.truncated(state.filter.text, to: room), x: 2, y: 0)
    }
    if frame.size.width > count.count + 4 { frame.put(count, x: frame.size.width - count.count, y: 0, .secondary) }
  }

  private func drawRows(_ frame: inout TextFrame) {
    let (width, height) = (frame.size.width, frame.size.height)
    guard width > 0, height > 0 else { return }
    if state.visibleCount == 0 {
      frame.put(TextWidth.truncated(emptyShown, to: width - 2), x: 2, y: 0, .secondary)
      return
    }
    let top = state.cursor.visibleTop(count: state.visibleCount, height: height)
    let isLong = state.visibleCount > height
    let rowWidth = isLong ? width - 1 : width
    for line in 0..<min(height, state.visibleCount - top) {
      draw(index: top + line, in: Rect(x: 0, y: line, width: rowWidth, height: 1), into: &frame)
    }
    if isLong { frame.scrollBar(x: width - 1, rows: 0..<height, top: top, count: state.visibleCount) }
  }

  private func draw(index: Int, in rect: Rect, into frame: inout TextFrame) {
    guard let row = state.visibleRow(index) else { return }
    let isSelected = index == state.cursor.selected
    let positions = state.hits?[index].positions ?? []
    let titleLength = row.title.count
    let end = drawEnd(row, rect, into: &frame)
    let room = max(0, end - 2)
    // A title matters more than its detail: the detail column gives way to a longer title.
    let column = max(min(state.titleWidth, room * 3 / 5), 8, TextWidth.columns(row.title))
    let titleRoom = row.detail.isEmpty ? room : min(room, column)
    let titleStyle = isSelected && !isActive ? Style.inactiveSelection : .plain
    frame.put(
      row.title, matching: positions.filter { $0 < titleLength }, x: 2, y: rect.y, width: titleRoom, titleStyle)
    let detailRoom = room - titleRoom - 2
    if detailRoom > 3 {
      frame.put(
        row.detail, matching: positions.filter { $0 > titleLength }.map { $0 - titleLength - 1 },
        x: 4 + titleRoom, y: rect.y, width: detailRoom, .secondary)
    }
    if isSelected { frame.selectRow(rect, isActive: isActive) }
  }

  /// Draws the badge and the disclosure mark; returns the column at which title and detail must end.
  private func drawEnd(_ row: ListRow, _ rect: Rect, into frame: inout TextFrame) -> Int {
    var end = rect.width - 1
    if state.hasDisclosures, rect.width > 8 {
      if row.hasDisclosure { frame.put("›", x: end - 1, y: rect.y, .accent) }
      end -= 3
    }
    let badgeWidth = TextWidth.columns(row.badge)
    // The badge is omitted where it would leave too little room for titles.
    if badgeWidth > 0, end - state.badgeWidth - 4 >= min(state.titleWidth, 24) {
      frame.put(row.badge, x: end - badgeWidth, y: rect.y, .secondary)
      end -= state.badgeWidth + 2
    }
    return end
  }
}

/// A row of a list.
public struct ListRow: Sendable, Hashable {
  /// The id of the row in outcomes and actions; unique in its list.
  public var id: String
  /// The title.
  public var title: String
  /// A second, less prominent text in a column of its own.
  public var detail: String
  /// A short text at the right, such as a count or a state.
  public var badge: String
  /// A Boolean value indicating whether a disclosure mark at the right leads to details.
  public var hasDisclosure: Bool

  /// Creates a row.
  public init(id: String, title: String, detail: String = "", badge: String = "", hasDisclosure: Bool = false) {
    self.id = id
    self.title = title
    self.detail = detail
    self.badge = badge
    self.hasDisclosure = hasDisclosure
  }

  /// The texts of the row on one line, without the spaces that only align badges in a column.
  fileprivate var spoken: String {
    let badge = badge.split(separator: " ").joined(separator: " ")
    return [title, detail, badge.isEmpty ? "" : "[\(badge)]"].filter { !$0.isEmpty }.joined(separator: "  ")
  }
}

/// The state of a list: its rows, selection, scroll position and filter.
///
/// `/` starts the filter; typing then narrows the rows by fuzzy match, best first: rows with the typed words before
/// those with scattered letters. Escape ends it.
public struct ListState: Sendable, Hashable {
  /// A row that passed the filter.
  fileprivate struct Hit: Sendable, Hashable {
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

  /// The size of the screen that shows the list, kept for a ``ListController``.
  var screenSize = Size(width: 0, height: 0)
  /// The id to select once there are rows; nil for none.
  private var restoredID: String?

  fileprivate private(set) var hits: [Hit]?
  fileprivate private(set) var titleWidth = 0
  fileprivate private(set) var badgeWidth = 0
  fileprivate private(set) var hasDisclosures = false

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

  /// The selected row in the form that a controller's `saveState` returns.
  public var savedSelection: [UInt8] { Value.optional(selectedID ?? restoredID).encoded() }

  /// Selects the row of ``savedSelection``, now or once there are rows; ignores bytes that it cannot read.
  ///
  /// A screen restores its state before it reads rows.
  public mutating func restoreSelection(_ state: [UInt8]) {
    guard let id = (try? Value(decoding: state))?.text else { return }
    if rows.isEmpty { restoredID = id } else { select(id) }
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
  fileprivate var showsFilter: Bool { isFiltering || !filter.text.isEmpty }

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
    if let id = restoredID ?? id { select(id) }
    if !rows.isEmpty { restoredID = nil }
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
