import PluginAPI
import PluginText

/// The state of a list of entities of any length: only the rows around the visible ones are held.
///
/// The owner of the list reads rows in pages; ``missing(height:)`` returns the rows to read. The entity whose children
/// are listed comes first, as a row of its own. `/` starts a filter, whose matches the owner finds.
struct EntityListState: Sendable, Equatable {
  /// The number of rows per page.
  static let pageSize = 128

  /// The entity whose children are listed; nil for none.
  var parent: EntitySummary?
  /// The selected row and the scroll position.
  private(set) var cursor = RowCursor()
  /// The input line of the filter; empty if there is no filter.
  private(set) var filter = InputLine()
  /// A Boolean value indicating whether typed text goes to the filter.
  private(set) var isFiltering = false
  /// The matches of the filter; nil while there is no filter.
  private(set) var found: FoundEntities?

  private var rows = PagedRows<EntitySummary>(pageSize: Self.pageSize)
  /// The entity to select once its row is read.
  private var wanted: String?

  /// Creates the state of a list of which nothing was read yet.
  init(parent: EntitySummary? = nil) {
    self.parent = parent
  }

  // MARK: Rows

  /// The number of entities in the list, without its parent; nil before the first page was read.
  var total: Int? { rows.total }

  /// The number of rows before the list's first entity: that of its parent.
  private var lead: Int { parent == nil ? 0 : 1 }

  /// The number of rows, including the parent's own.
  var count: Int { found?.rows.count ?? (total ?? 0) + lead }

  /// Returns true if a row represents the list's parent.
  func isParent(_ index: Int) -> Bool { found == nil && parent != nil && index == 0 }

  /// Returns the entity of a row; nil if it was not read yet.
  func entity(at index: Int) -> EntitySummary? {
    if let found { return found.rows.indices.contains(index) ? found.rows[index] : nil }
    return isParent(index) ? parent : rows[index - lead]
  }

  /// The selected entity.
  var selected: EntitySummary? { entity(at: cursor.selected) }

  /// Returns the category above a row if it begins there; nil if it continues, or if the row or the previous one was
  /// not read.
  func heading(at index: Int) -> String? {
    guard let category = category(at: index) else { return nil }
    if index == 0 || isParent(index - 1) { return category }
    guard let before = entity(at: index - 1) else { return nil }
    return before.category.utf8.elementsEqual(category.utf8) ? nil : category
  }

  /// Returns the category of a row; nil if there is none.
  fileprivate func category(at index: Int) -> String? {
    guard !isParent(index), let category = entity(at: index)?.category, !category.isEmpty else { return nil }
    return category
  }

  // MARK: Reading

  /// Returns the rows to read next, counted without the parent: those near the visible ones that were not read or may
  /// have changed.
  func missing(height: Int) -> Range<Int>? {
    if found != nil { return nil }
    let first = max(0, cursor.visibleTop(count: count, height: height) - lead)
    return rows.missing(first..<first + max(1, height) + 1)
  }

  /// Stores rows that were read.
  ///
  /// - Parameters:
  ///   - page: The rows and the length of the list.
  ///   - range: The requested rows, in whole pages.
  mutating func take(_ page: EntityPage, for range: Range<Int>) {
    let selectedID = wanted ?? selected?.permID
    rows.take(page.rows, total: page.total, for: range)
    if let selectedID, found == nil { keep(selectedID) }
    cursor.selected = min(cursor.selected, max(0, count - 1))
  }

  /// Marks all pages as stale after a change of the store; they stay visible until they are read again.
  mutating func expire() { rows.expire() }

  /// Selects an entity as soon as its row is read.
  mutating func want(_ permID: String) {
    wanted = permID
    keep(permID)
  }

  /// Moves the selection to the current position of an entity, if that is among the rows held.
  private mutating func keep(_ permID: String) {
    func isIt(_ entity: EntitySummary) -> Bool { entity.permID.utf8.elementsEqual(permID.utf8) }
    if let selected, isIt(selected) {
      wanted = nil
    } else if let index = rows.firstIndex(where: isIt) {
      cursor.top += index + lead - cursor.selected
      cursor.selected = index + lead
      wanted = nil
    }
  }

  // MARK: Filter

  /// A Boolean value indicating whether a row at the top shows the filter.
  var showsFilter: Bool { isFiltering || !filter.text.isEmpty }

  /// Shows the matches of the filter, if its text is still the same.
  mutating func take(_ hits: FoundEntities, for text: String) {
    guard text == filter.text, !text.isEmpty else { return }
    found = hits
    cursor = RowCursor()
  }

  /// Ends the filter; the selected entity stays selected if its row is held.
  private mutating func endFilter() {
    let id = selected?.permID
    (filter, isFiltering, found, cursor) = (InputLine(), false, nil, RowCursor())
    if let id { want(id) }
  }

  // MARK: Moving

  /// Handles an event.
  ///
  /// - Returns: The outcome, with an entity by its id; nil if lists ignore the event.
  mutating func handle(_ event: Event, in rect: Rect) -> ViewOutcome? {
    let height = max(1, rect.height - (showsFilter ? 1 : 0))
    defer { settle(height: height) }
    switch event {
    case .key(let key): return handle(key, height: height)
    case .paste where isFiltering: return type(event)
    case .mouse(let mouse) where rect.contains(mouse.position): return handle(mouse, in: rect, height: height)
    default: return nil
    }
  }

  private mutating func handle(_ key: Key, height: Int) -> ViewOutcome? {
    if key == Key(.escape), showsFilter {
      endFilter()
      return .changed
    }
    if key == Key(.enter) {
      isFiltering = false
      return selected.map { .chosen($0.permID) }
    }
    let moves: [Key.Code] = [.up, .down, .pageUp, .pageDown]
    if isFiltering, !moves.contains(key.code) {
      if key == Key(.backspace), filter.text.isEmpty {
        endFilter()
        return .changed
      }
      return type(.key(key))
    }
    if key == Key(.character("/")) {
      isFiltering = true
      return .changed
    }
    if key == Key(.right) { return selected.map { .disclosed($0.permID) } }
    guard cursor.handle(key, count: count, height: height) else { return nil }
    wanted = nil
    return .changed
  }

  private mutating func type(_ event: Event) -> ViewOutcome? {
    guard filter.handle(event) else { return nil }
    if filter.text.isEmpty { found = nil }
    return .changed
  }

  private mutating func handle(_ mouse: Mouse, in rect: Rect, height: Int) -> ViewOutcome? {
    switch mouse.action {
    case .scroll(let rows):
      cursor.scroll(by: 3 * rows, count: count, height: height)
      return .changed
    case .press(let clicks) where mouse.button == .left:
      let line = mouse.position.y - rect.y - (showsFilter ? 1 : 0)
      let lines = EntityListLayout(self, height: height).lines
      guard lines.indices.contains(line), case .row(let index) = lines[line] else { return .changed }
      cursor.selected = index
      wanted = nil
      guard clicks >= 2, let selected else { return .changed }
      return .chosen(selected.permID)
    default: return nil
    }
  }

  /// Scrolls so that the selected row is visible below the headings above it.
  private mutating func settle(height: Int) {
    cursor.selected = min(max(0, cursor.selected), max(0, count - 1))
    cursor.top = EntityListLayout(self, height: height).top
  }
}

/// The layout of a list's rows and headings in a number of lines.
private struct EntityListLayout {
  /// A line of a list.
  enum Line: Equatable {
    /// The heading of a category.
    case heading(String)
    /// A row by its index.
    case row(Int)
  }

  /// The first visible row.
  let top: Int
  /// The visible lines, from top to bottom.
  let lines: [Line]

  /// Lays out a list from its scroll position, adjusted so that the selected row is visible.
  ///
  /// - Complexity: O(*height*), independent of the length of the list.
  init(_ state: EntityListState, height: Int) {
    let height = max(1, height)
    var top = state.cursor.visibleTop(count: state.count, height: height)
    var lines = Self.lines(state, from: top, height: height)
    while top < state.cursor.selected, !lines.contains(.row(state.cursor.selected)) {
      top += 1
      lines = Self.lines(state, from: top, height: height)
    }
    self.top = top
    self.lines = lines
  }

  private static func lines(_ state: EntityListState, from top: Int, height: Int) -> [Line] {
    var lines: [Line] = []
    var index = top
    while lines.count < height, index < state.count {
      // The first line is preceded by its category, wherever that began.
      let category = index == top ? state.category(at: index) : state.heading(at: index)
      if let category, height > 2 { lines.append(.heading(category)) }
      if lines.count < height { lines.append(.row(index)) }
      index += 1
    }
    return lines
  }
}

/// A list of entities in sections by category: header, summary, number of children, and `›` if there are entities
/// below.
struct EntityListView: View {
  /// The heading in the outline.
  var title: String
  var state: EntityListState
  /// The text shown if there are no rows, with the possible actions.
  var emptyText: String

  func draw(into frame: inout TextFrame) {
    let (head, body) = frame.bounds.split(top: state.showsFilter ? 1 : 0)
    if state.showsFilter { frame.inside(head, drawFilter) }
    frame.inside(body, drawRows)
  }

  /// The title and the rows held; other rows are only counted.
  var outline: Outline {
    let rows = (0..<min(state.count, Self.mostSpoken)).compactMap { index -> Outline.Item? in
      guard let entity = state.entity(at: index) else { return nil }
      let section = state.heading(at: index).map { SanitizedText.line($0) + ": " } ?? ""
      return Outline.Item(
        id: entity.permID, text: section + Self.spoken(entity, isParent: state.isParent(index)),
        action: ActionInvocation(BrowserAction.open.rawValue, [OpenBISArgument.id.name: .text(entity.permID)]))
    }
    var text = rows.isEmpty ? [emptyShown] : []
    if state.count > rows.count { text.append("\(rows.count) of \(state.count) rows are listed") }
    return Outline(title: SanitizedText.line(title), text: text, items: rows)
  }

  /// The largest number of rows in linear reading.
  private static let mostSpoken = 1000

  private static func spoken(_ entity: EntitySummary, isParent: Bool) -> String {
    let parts = [
      EntityTitle.line(entity), SanitizedText.line(entity.summary),
      isParent ? "the entity of this list" : badge(entity),
    ]
    return parts.filter { !$0.isEmpty }.joined(separator: "  ")
  }

  /// Returns the text at the right of a row.
  static func badge(_ entity: EntitySummary) -> String {
    let count = entity.childCount.map { $0 > 0 ? "\($0)" : "" } ?? ""
    return [EntityTitle.mark(entity.flags), count].filter { !$0.isEmpty }.joined(separator: "  ")
  }

  private var emptyShown: String {
    state.filter.text.isEmpty ? emptyText : "no entity matches '\(SanitizedText.line(state.filter.text, limit: 60))'"
  }

  private func drawFilter(_ frame: inout TextFrame) {
    var note = ""
    if let found = state.found {
      note = "\(found.rows.count)" + (found.hasMore ? " and more" : "")
      if found.notIndexed > 0 { note += ", \(found.notIndexed) not indexed yet" }
    }
    let width = frame.size.width
    let room = max(0, width - 3 - TextWidth.columns(note))
    frame.put("/ ", x: 0, y: 0, .accent)
    if state.isFiltering {
      state.filter.draw(into: &frame, x: 2, y: 0, width: room)
    } else {
      frame.put(TextWidth.truncated(state.filter.text, to: room), x: 2, y: 0)
    }
    if width > note.count + 4 { frame.put(note, x: width - TextWidth.columns(note), y: 0, .secondary) }
  }

  private func drawRows(_ frame: inout TextFrame) {
    let (width, height) = (frame.size.width, frame.size.height)
    guard width > 0, height > 0 else { return }
    if state.count == 0 {
      frame.putMessage(emptyShown)
      return
    }
    let layout = EntityListLayout(state, height: height)
    let isLong = state.count > height
    let rowWidth = isLong ? width - 1 : width
    let columns = Columns(
      layout.lines.compactMap { line in
        // The list's own entity may have any title: its row is not aligned with the others.
        if case .row(let index) = line, !state.isParent(index) { state.entity(at: index) } else { nil }
      })
    for (y, line) in layout.lines.enumerated() {
      switch line {
      case .heading(let category):
        let text = TextWidth.truncated(SanitizedText.line(category), to: rowWidth - 2)
        frame.put(text, x: 1, y: y, Style.accent.adding(.bold))
      case .row(let index):
        draw(index, columns, in: Rect(x: 0, y: y, width: rowWidth, height: 1), into: &frame)
      }
    }
    if isLong { frame.scrollBar(x: width - 1, rows: 0..<height, top: layout.top, count: state.count) }
  }

  /// The widths of the visible columns.
  private struct Columns {
    var title = 0
    var badge = 0
    var hasMarks = false

    init(_ rows: [EntitySummary]) {
      for row in rows {
        title = max(title, TextWidth.columns(EntityTitle.line(row)))
        badge = max(badge, TextWidth.columns(EntityListView.badge(row)))
        hasMarks = hasMarks || EntityListView.leadsOn(row)
      }
    }
  }

  /// Returns true if there are, or may be, entities below an entity.
  static func leadsOn(_ entity: EntitySummary) -> Bool {
    (entity.childCount ?? 0) > 0 || entity.flags.contains(.navigation)
  }

  private func draw(_ index: Int, _ columns: Columns, in rect: Rect, into frame: inout TextFrame) {
    guard let entity = state.entity(at: index) else {
      frame.put("…", x: 2, y: rect.y, .secondary)
      if index == state.cursor.selected { frame.markSelected(rect) }
      return
    }
    var end = rect.width - 1
    if columns.hasMarks, rect.width > 8 {
      if Self.leadsOn(entity), !state.isParent(index) { frame.put("›", x: end - 1, y: rect.y, .accent) }
      end -= 3
    }
    let badge = Self.badge(entity)
    if !badge.isEmpty, end - columns.badge - 4 >= min(columns.title, 16) {
      let style = EntityTitle.mark(entity.flags).isEmpty ? Style.secondary : .warning
      frame.put(badge, x: end - TextWidth.columns(badge), y: rect.y, style)
      end -= columns.badge + 2
    }
    drawTexts(entity, index, columns, end: end, y: rect.y, into: &frame)
    if index == state.cursor.selected { frame.markSelected(rect) }
  }

  private func drawTexts(
    _ entity: EntitySummary, _ index: Int, _ columns: Columns, end: Int, y: Int, into frame: inout TextFrame
  ) {
    let room = max(0, end - 2)
    let title = EntityTitle.line(entity)
    let column = max(min(columns.title, room * 3 / 5), 8, min(room, TextWidth.columns(title)))
    let style: Style = state.isParent(index) ? .heading : entity.flags.contains(.notLoaded) ? .secondary : .plain
    let summary = SanitizedText.line(entity.summary)
    frame.put(TextWidth.truncated(title, to: summary.isEmpty ? room : column), x: 2, y: y, style)
    let left = room - column - 2
    if left > 3 { frame.put(TextWidth.truncated(summary, to: left), x: 4 + column, y: y, .secondary) }
  }
}

extension TextFrame {
  /// Draws the mark of a selected row in its first column, and the selection behind the row.
  mutating func markSelected(_ rect: Rect) {
    restyle(rect) { Style(attributes: $0.attributes.union(.reverse).subtracting(.dim)) }
    put("▌", x: rect.x, y: rect.y, .accent)
  }
}
