import PluginAPI
import PluginText

/// The details of an entity as a column of blocks of a given width: texts, pictures, and the item that each of them
/// selects.
struct DetailLayout {
  /// A block over the whole width.
  struct Block {
    enum Content {
      case runs([StyledText.Run])
      /// Images by their indices, side by side.
      case images([Int])
    }

    var content: Content
    var height = 1
    /// The item it belongs to; nil if it cannot be selected.
    var item: EntityDetails.Item?
  }

  /// The size of a tile in cells.
  static let tile = Size(width: 20, height: 7)
  /// The largest number of lines of a value; the whole value is shown on a page of its own.
  static let mostLines = 12

  private(set) var blocks: [Block] = []
  /// The number of lines.
  private(set) var height = 0
  /// The range of lines of each item.
  private(set) var lines: [EntityDetails.Item: Range<Int>] = [:]
  private let width: Int
  private let details: EntityDetails

  /// Lays out details for a size.
  init(_ details: EntityDetails, in size: Size) {
    self.details = details
    width = max(1, size.width - 3)
    addHead()
    addMarquee(height: min(max(3, size.height * 2 / 5), 24))
    addProperties()
    addTiles()
    addNeighbors()
    number()
  }

  private mutating func number() {
    for block in blocks {
      for item in block.items {
        lines[item] = (lines[item]?.lowerBound ?? height)..<height + block.height
      }
      height += block.height
    }
  }

  /// The number of tiles side by side in a row.
  var tilesAcross: Int { max(1, width / Self.tile.width) }

  private mutating func add(_ runs: StyledText.Run..., item: EntityDetails.Item? = nil) {
    blocks.append(Block(content: .runs(runs), item: item))
  }

  private mutating func gap() {
    if case .runs(let runs)? = blocks.last?.content, runs.isEmpty { return }
    if !blocks.isEmpty { blocks.append(Block(content: .runs([]))) }
  }

  private mutating func addHead() {
    let entity = details.entity
    for line in TextWidth.wrapped(EntityTitle.heading(entity), to: width).prefix(3) { add(.init(line, .heading)) }
    let category = SanitizedText.line(entity.category)
    if !category.isEmpty { add(.init(TextWidth.truncated(category, to: width), .accent)) }
    if entity.flags.contains(.missingOnServer), !entity.flags.contains(.navigation) {
      add(.init(TextWidth.truncated("the server sent no details; it may have been deleted", to: width), .warning))
    }
    if entity.flags.contains(.childrenUnreadable) {
      add(
        .init(
          TextWidth.truncated("its list of children could not be read; the former list is shown", to: width), .warning))
    }
    if !entity.summary.isEmpty {
      gap()
      for line in TextWidth.wrapped(ShownValue(entity.summary).noted, to: width).prefix(Self.mostLines) {
        add(.init(line))
      }
    }
    let names = [entity.identifier ?? "", entity.permID].filter { !$0.isEmpty }.map { SanitizedText.line($0) }
    var distinct: [String] = []
    for name in names where !distinct.contains(name) { distinct.append(name) }
    for line in TextWidth.wrapped(distinct.joined(separator: " · "), to: width).prefix(3) {
      add(.init(line, .secondary))
    }
    if entity.properties == nil, entity.flags.isDisjoint(with: [.detailed, .navigation]) {
      gap()
      add(.init(TextWidth.truncated("no details yet: press r to request them", to: width), .secondary))
    }
  }

  private mutating func addMarquee(height: Int) {
    guard let index = details.images.firstIndex(where: { $0.role == .marquee }) else { return }
    gap()
    let isThere = details.images[index].picture != nil
    blocks.append(Block(content: .images([index]), height: isThere ? height : 1, item: .image(index)))
  }

  private mutating func addProperties() {
    if details.rows.isEmpty { return }
    gap()
    let widest = details.rows.reduce(0) { max($0, TextWidth.columns($1.label)) }
    let labelWidth = min(widest, max(8, width * 2 / 5))
    for (index, row) in details.rows.enumerated() {
      let value = row.value
      let mark = row.link == nil ? "" : "  ›"
      let room = max(1, width - labelWidth - 2 - TextWidth.columns(mark))
      let isBelow = value.hasSeveralLines
      let label = TextWidth.padded(row.label, to: labelWidth)
      if !isBelow {
        // Wrapping hidden text would be wasted.
        let start =
          value.text.utf8.count > Self.mostLines * room
          ? String(value.text.prefix(Self.mostLines * room + 1)) : value.text
        let lines = TextWidth.columns(start) <= room ? [start] : TextWidth.wrapped(start, to: room)
        for (number, line) in lines.prefix(Self.mostLines).enumerated() {
          add(
            .init(number == 0 ? label : String(repeating: " ", count: labelWidth), .secondary), .init("  " + line),
            .init(number == 0 ? mark : "", .accent), item: .property(index))
        }
        more(than: start.utf8.count < value.text.utf8.count ? Self.mostLines + 1 : lines.count, index)
        continue
      }
      // Several lines are often a table: they keep their columns and get the whole width.
      add(.init(TextWidth.truncated(row.label, to: width), .secondary), item: .property(index))
      let lines = value.text.split(separator: "\n", maxSplits: Self.mostLines, omittingEmptySubsequences: false)
      for line in lines.prefix(Self.mostLines) {
        add(.init("  " + TextWidth.truncated(String(line.prefix(width + 1)), to: width - 2)), item: .property(index))
      }
      more(than: value.wholeSizeInBytes == nil ? lines.count : Self.mostLines + 1, index)
    }
  }

  /// Adds a note that a value continues, if it has more lines than are shown.
  private mutating func more(than lines: Int, _ index: Int) {
    guard lines > Self.mostLines else { return }
    let size = details.rows[index].value.wholeSizeInBytes.map { " (\(ShownValue.readableSize($0)))" } ?? ""
    add(.init(TextWidth.truncated("  … press enter to show all" + size, to: width), .accent), item: .property(index))
  }

  private mutating func addTiles() {
    let tiles = details.images.indices.filter { details.images[$0].role == .tiled }
    if tiles.isEmpty { return }
    gap()
    var start = 0
    while start < tiles.count {
      let row = Array(tiles[start..<min(tiles.count, start + tilesAcross)])
      blocks.append(Block(content: .images(row), height: Self.tile.height, item: .image(row[0])))
      start += tilesAcross
    }
    let rest = (details.entity.images?.count ?? 0) - details.images.count
    if rest > 0 { add(.init("\(rest) more images", .secondary)) }
  }

  private mutating func addNeighbors() {
    if let count = details.entity.childCount, count > 0 {
      gap()
      add(.init("\(count) \(count == 1 ? "child" : "children")"), .init("  ›", .accent), item: .children)
    }
    if details.parents.isEmpty { return }
    gap()
    add(.init(details.parents.count == 1 ? "parent" : "parents", .secondary))
    for (index, parent) in details.parents.enumerated() {
      add(
        .init(TextWidth.truncated("  " + EntityTitle.line(parent), to: width - 3)), .init("  ›", .accent),
        item: .parent(index))
    }
  }
}

/// The state of a page of details: the selection and the scroll position.
struct DetailState: Sendable, Equatable {
  /// The details shown; nil before they were read.
  var details: EntityDetails? {
    didSet { selected = min(selected, max(0, (details?.items.count ?? 0) - 1)) }
  }

  /// The index of the selected item.
  private(set) var selected = 0
  /// The first visible line.
  private(set) var top = 0

  /// The selected item; nil if nothing can be selected.
  var item: EntityDetails.Item? { item(selected) }

  private func item(_ index: Int) -> EntityDetails.Item? {
    guard let items = details?.items, items.indices.contains(index) else { return nil }
    return items[index]
  }

  /// Selects an item.
  mutating func select(_ item: EntityDetails.Item) {
    if let index = details?.items.firstIndex(of: item) { selected = index }
  }

  /// Handles an event: arrows move from item to item, pages scroll, Enter chooses.
  mutating func handle(_ event: Event, in rect: Rect) -> ViewOutcome? {
    guard let details else { return nil }
    let layout = DetailLayout(details, in: rect.size)
    switch event {
    case .key(let key): return handle(key, details, layout, height: max(1, rect.height))
    case .mouse(let mouse) where rect.contains(mouse.position): return handle(mouse, details, layout, rect)
    default: return nil
    }
  }

  private mutating func handle(_ key: Key, _ details: EntityDetails, _ layout: DetailLayout, height: Int)
    -> ViewOutcome?
  {
    let items = details.items
    if key == Key(.enter) || key == Key(.right) { return item.map { .chosen($0.id) } }
    let step = isTiled(details) && [.up, .down].contains(key.code) ? layout.tilesAcross : 1
    switch (key.code, key.modifiers) {
    case (.up, []), (.character("k"), []): move(by: -step, items.count, layout, height)
    case (.down, []), (.character("j"), []): move(by: step, items.count, layout, height)
    case (.left, []) where isTiled(details): move(by: -1, items.count, layout, height)
    case (.pageUp, []), (.character("b"), .control): scroll(by: 1 - height, layout, height)
    case (.pageDown, []), (.character(" "), []), (.character("f"), .control): scroll(by: height - 1, layout, height)
    case (.home, []), (.character("g"), []):
      (selected, top) = (0, 0)
    case (.end, []), (.character("G"), []):
      selected = max(0, items.count - 1)
      top = max(0, layout.height - height)
    default: return nil
    }
    return .changed
  }

  private func isTiled(_ details: EntityDetails) -> Bool {
    guard case .image(let index) = item else { return false }
    return details.images[index].role == .tiled
  }

  /// Moves to another item; while that is far away, scrolls towards it line by line so that nothing is skipped.
  private mutating func move(by step: Int, _ count: Int, _ layout: DetailLayout, _ height: Int) {
    let target = min(max(0, selected + step), max(0, count - 1))
    guard let item = item(target), let lines = layout.lines[item] else {
      top = min(max(0, top + step.signum()), max(0, layout.height - height))
      return
    }
    if target == selected || lines.lowerBound >= top + height + 2 || lines.upperBound + 2 <= top {
      top = min(max(0, top + step.signum()), max(0, layout.height - height))
      if target == selected { return }
      if lines.lowerBound >= top + height || lines.upperBound <= top { return }
    }
    selected = target
    if lines.lowerBound < top { top = target == 0 ? 0 : lines.lowerBound }
    if lines.upperBound > top + height { top = min(lines.lowerBound, lines.upperBound - height) }
  }

  private mutating func scroll(by lines: Int, _ layout: DetailLayout, _ height: Int) {
    top = min(max(0, top + lines), max(0, layout.height - height))
    guard let items = details?.items else { return }
    let seen = items.indices.filter { index in
      layout.lines[items[index]].map { $0.lowerBound < top + height && $0.upperBound > top } ?? false
    }
    if let first = seen.first, let last = seen.last { selected = min(max(selected, first), last) }
  }

  private mutating func handle(
    _ mouse: Mouse, _ details: EntityDetails, _ layout: DetailLayout, _ rect: Rect
  ) -> ViewOutcome? {
    switch mouse.action {
    case .scroll(let rows):
      scroll(by: 3 * rows, layout, max(1, rect.height))
      return .changed
    case .press(let clicks) where mouse.button == .left:
      var line = top + mouse.position.y - rect.y
      for block in layout.blocks {
        if line < block.height {
          guard let item = block.item(atColumn: mouse.position.x - rect.x - 2) else { return .changed }
          select(item)
          return clicks >= 2 ? .chosen(item.id) : .changed
        }
        line -= block.height
      }
      return .changed
    default: return nil
    }
  }
}

extension DetailLayout.Block {
  /// All items drawn in the block.
  var items: [EntityDetails.Item] {
    if case .images(let indices) = content { return indices.map { .image($0) } }
    return item.map { [$0] } ?? []
  }

  /// Returns the item drawn at a column.
  func item(atColumn column: Int) -> EntityDetails.Item? {
    guard case .images(let indices) = content, indices.count > 1 else { return item }
    let number = max(0, column) / DetailLayout.tile.width
    return indices.indices.contains(number) ? .image(indices[number]) : nil
  }
}
