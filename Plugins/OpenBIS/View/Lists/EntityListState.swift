import PluginAPI

/// The state of a list of entities of any length: only the rows around those seen are held.
///
/// Rows come in pages, read by whoever owns the list: ``missing(height:)`` tells which are wanted. The entity whose
/// children are listed stands first, as a row of its own. `/` starts a filter whose hits the owner finds.
struct EntityListState: Sendable, Equatable {
  /// The rows of a page.
  static let pageSize = 128
  /// So many pages are held around the one seen.
  static let mostPages = 8

  /// The entity whose children are listed; nil for none.
  var parent: EntitySummary?
  /// The selected row and the scroll position.
  private(set) var cursor = RowCursor()
  /// How many entities the list has, without its parent; nil before the first page came.
  private(set) var total: Int?
  /// The filter's line; empty if there is none.
  private(set) var filter = InputLine()
  /// Whether what is typed goes to the filter.
  private(set) var isFiltering = false
  /// What the filter found; nil while nothing is filtered.
  private(set) var found: FoundEntities?

  private var pages: [Int: [EntitySummary]] = [:]
  /// Pages that are held but may have changed in the store.
  private var stale: Set<Int> = []
  /// The entity to select when its row comes.
  private var wanted: String?

  /// Creates the state of a list of which nothing was read yet.
  init(parent: EntitySummary? = nil) {
    self.parent = parent
  }

  // MARK: Rows

  /// The number of rows, the parent's own included.
  var count: Int { found?.rows.count ?? (total ?? 0) + (parent == nil ? 0 : 1) }

  /// Whether a row stands for the list's parent.
  func isParent(_ index: Int) -> Bool { found == nil && parent != nil && index == 0 }

  /// The entity of a row; nil if it was not read yet.
  func entity(at index: Int) -> EntitySummary? {
    if let found { return found.rows.indices.contains(index) ? found.rows[index] : nil }
    if isParent(index) { return parent }
    let place = index - (parent == nil ? 0 : 1)
    guard place >= 0, let page = pages[place / Self.pageSize] else { return nil }
    let offset = place % Self.pageSize
    return page.indices.contains(offset) ? page[offset] : nil
  }

  /// The selected entity.
  var selected: EntitySummary? { entity(at: cursor.selected) }

  /// The category above a row, if it begins there; nil if it goes on, or if the row or the one before is not there.
  func heading(at index: Int) -> String? {
    guard !isParent(index), let category = entity(at: index)?.category, !category.isEmpty else { return nil }
    if index == 0 || isParent(index - 1) { return category }
    guard let before = entity(at: index - 1) else { return nil }
    return before.category.utf8.elementsEqual(category.utf8) ? nil : category
  }

  // MARK: Reading

  /// The rows to read next, counted without the parent: those near what is seen that are not there or may have changed.
  func missing(height: Int) -> Range<Int>? {
    if found != nil { return nil }
    guard let total else { return 0..<Self.pageSize }
    let first = max(0, cursor.visibleTop(count: count, height: height) - (parent == nil ? 0 : 1))
    let last = min(max(0, total - 1), first + max(1, height))
    let wanted = (first / Self.pageSize)...(last / Self.pageSize)
    let lacking = wanted.filter { (pages[$0] == nil && total > 0) || stale.contains($0) }
    guard let low = lacking.first, let high = lacking.last else { return nil }
    return low * Self.pageSize..<(high + 1) * Self.pageSize
  }

  /// Takes rows that were read.
  ///
  /// - Parameters:
  ///   - page: The rows and the length of the list.
  ///   - range: What was asked for: whole pages.
  mutating func take(_ page: EntityPage, for range: Range<Int>) {
    let selectedID = wanted ?? selected?.permID
    if total != page.total {
      // Rows moved: what else is held stands at other places now.
      stale.formUnion(pages.keys)
      total = page.total
      pages = pages.filter { $0.key * Self.pageSize < page.total }
    }
    for number in range.lowerBound / Self.pageSize..<(range.upperBound + Self.pageSize - 1) / Self.pageSize {
      let start = number * Self.pageSize - range.lowerBound
      // A page without rows is kept too: what could not be read is not asked for again and again.
      let first = min(start, page.rows.count)
      pages[number] = Array(page.rows[first..<min(page.rows.count, start + Self.pageSize)])
      stale.remove(number)
    }
    if let selectedID, found == nil { keep(selectedID) }
    cursor.selected = min(cursor.selected, max(0, count - 1))
    forgetFarPages()
  }

  /// Says that the store changed: what is seen will be read again, and stays to be seen until then.
  mutating func expire() { stale.formUnion(pages.keys) }

  /// Selects an entity as soon as its row is there.
  mutating func want(_ permID: String) {
    wanted = permID
    keep(permID)
  }

  /// Moves the selection to where an entity stands now, if that is among the rows held.
  private mutating func keep(_ permID: String) {
    func isIt(_ entity: EntitySummary) -> Bool { entity.permID.utf8.elementsEqual(permID.utf8) }
    let lead = parent == nil ? 0 : 1
    if let selected, isIt(selected) {
      wanted = nil
      return
    }
    for (number, page) in pages where !stale.contains(number) {
      guard let offset = page.firstIndex(where: isIt) else { continue }
      let place = number * Self.pageSize + offset + lead
      cursor.top += place - cursor.selected
      cursor.selected = place
      wanted = nil
      return
    }
  }

  private mutating func forgetFarPages() {
    guard pages.count > Self.mostPages else { return }
    let here = cursor.selected / Self.pageSize
    let near = pages.keys.sorted { abs($0 - here) < abs($1 - here) }.prefix(Self.mostPages)
    pages = pages.filter { near.contains($0.key) }
    stale.formIntersection(near)
  }

  // MARK: Filter

  /// Whether a row at the top shows the filter.
  var showsFilter: Bool { isFiltering || !filter.text.isEmpty }

  /// Starts the filter.
  mutating func startFilter() { isFiltering = true }

  /// Shows what the filter found, if that is still what is asked.
  mutating func take(_ hits: FoundEntities, for text: String) {
    guard text == filter.text, !text.isEmpty else { return }
    found = hits
    cursor = RowCursor()
  }

  /// Ends the filter; what was selected stays so where it is held.
  mutating func endFilter() {
    let id = selected?.permID
    (filter, isFiltering, found, cursor) = (InputLine(), false, nil, RowCursor())
    if let id { want(id) }
  }

  // MARK: Moving

  /// Takes an event.
  ///
  /// - Returns: What it did, an entity by its id; nil if it means nothing to a list.
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
      startFilter()
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

  /// Scrolls so that the selected row is seen below the headings above it.
  private mutating func settle(height: Int) {
    cursor.selected = min(max(0, cursor.selected), max(0, count - 1))
    cursor.top = EntityListLayout(self, height: height).top
  }
}
