import PluginAPI

/// One row per person, and below the selected one a grid of their items.
struct PeopleView: View {
  var state: PeopleState

  func draw(into frame: inout TextFrame) {
    var state = state
    state.size = frame.size
    state.reveal()
    let layout = PeopleLayout(state)
    drawHead(state, into: &frame)
    if state.total == 0 {
      frame.put(TextWidth.truncated(state.message, to: frame.size.width - 2), x: 2, y: 1, .secondary)
      return
    }
    for (index, rect) in layout.rows {
      guard let row = state.row(index) else {
        frame.put("…", x: 2, y: rect.y, .secondary)
        continue
      }
      let isSelected = index == state.selected
      draw(row, isSelected: isSelected, in: rect, into: &frame)
      if isSelected { draw(details: row, layout, in: rect, into: &frame) }
    }
  }

  private func drawHead(_ state: PeopleState, into frame: inout TextFrame) {
    let count = state.total == 1 ? "1 person" : "\(state.total) people"
    let room = max(0, frame.size.width - 3 - TextWidth.columns(count))
    if state.showsSearch {
      frame.put("/ ", x: 0, y: 0, .accent)
      if state.isSearching {
        state.search.draw(into: &frame, x: 2, y: 0, width: room)
      } else {
        frame.put(TextWidth.truncated(state.search.text, to: room), x: 2, y: 0)
      }
    } else {
      frame.put("People", x: 2, y: 0, .heading)
    }
    if room > 6 { frame.put(count, x: frame.size.width - TextWidth.columns(count) - 1, y: 0, .secondary) }
  }

  /// Draws the line of a person: name, signs of the items, and the time they were added.
  private func draw(_ row: PeoplePage.Row, isSelected: Bool, in rect: Rect, into frame: inout TextFrame) {
    let date = PersonText.added(row.person)
    let width = rect.width
    let name = PersonText.name(row.person)
    let showsDate = width >= 60
    let end = showsDate ? width - 1 - TextWidth.columns(date) : width - 1
    let signs = isSelected ? [] : row.items.map { ItemSign.all($0, state.activities[$0.id])[0] }
    let shown = signs.suffix(max(0, min(24, end - 24)))
    let nameRoom = max(4, end - 4 - shown.count)
    let style: Style = row.person.biography.name == nil ? .secondary : isSelected ? .heading : .plain
    frame.put(TextWidth.truncated(name, to: nameRoom), x: 2, y: rect.y, style)
    for (index, sign) in shown.enumerated() {
      frame.put(sign.glyph, x: end - 2 - shown.count + index, y: rect.y, sign.style)
    }
    if showsDate { frame.put(date, x: end, y: rect.y, .secondary) }
    if isSelected {
      for y in rect.y..<rect.y + rect.height { frame.put("▌", x: 0, y: y, .accent) }
    }
  }

  private func draw(
    details row: PeoplePage.Row, _ layout: PeopleLayout, in rect: Rect, into frame: inout TextFrame
  ) {
    frame.inside(rect) { frame in
      let inside = Rect(rect.size)
      let seen = layout.seenItems ?? ""
      let room = rect.width - 4 - TextWidth.columns(seen)
      frame.put(TextWidth.truncated(PersonText.details(row.person), to: room), x: 2, y: 1, .secondary)
      frame.put(seen, x: rect.width - 1 - TextWidth.columns(seen), y: 1, .accent)
      if row.items.isEmpty {
        frame.put("no items yet: press i for an item, E for a template", x: 2, y: 2, .secondary)
      }
      for (index, cell) in layout.cells(in: inside) {
        frame.draw(cellView(row.items[index], isSelected: index == state.selectedItem), in: cell)
      }
    }
  }

  private func cellView(_ item: BiometricItem, isSelected: Bool) -> ItemCellView {
    ItemCellView(
      item: item, activity: state.activities[item.id],
      thumbnail: item.capture.flatMap { state.thumbnails[$0.id] }, isSelected: isSelected)
  }

  private static func page(_ step: Int, _ word: String) -> Outline.Item {
    Outline.Item(
      id: "page-\(word)", text: "People \(word) these",
      action: ActionInvocation(PeopleAction.page).with(WSABIArgument.step, step))
  }

  var outline: Outline {
    let layout = PeopleLayout(state)
    var items: [Outline.Item] = []
    for (index, _) in layout.rows {
      guard let row = state.row(index) else { continue }
      let count = row.items.count == 1 ? "1 item" : "\(row.items.count) items"
      items.append(
        Outline.Item(
          id: "person-\(row.person.id)", text: "\(PersonText.name(row.person)), \(count)",
          action: ActionInvocation(PeopleAction.select).with(WSABIArgument.person, row.person.id)))
      guard index == state.selected else { continue }
      for item in row.items {
        let words = ItemSign.all(item, state.activities[item.id]).map(\.word).joined(separator: ", ")
        items.append(
          Outline.Item(
            id: "item-\(item.id)", text: "\(item.submodality.title): \(words)",
            action: ActionInvocation(PeopleAction.open).with(WSABIArgument.item, item.id)))
      }
    }
    let shown = layout.rows.map(\.index)
    if let first = shown.first, first > 0 { items.append(Self.page(-1, "before")) }
    if let last = shown.last, last + 1 < state.total { items.append(Self.page(1, "after")) }
    return Outline(title: "People", text: items.isEmpty ? [state.message] : [], items: items)
  }
}

/// A cell of the grid: the thumbnail of an item, or its activity, above its title.
struct ItemCellView: View {
  var item: BiometricItem
  var activity: ItemActivity?
  var thumbnail: Picture?
  var isSelected: Bool

  func draw(into frame: inout TextFrame) {
    let inner = frame.box(frame.bounds, isSelected ? .accent : .secondary)
    guard inner.height >= 2 else { return }
    let signs = ItemSign.all(item, activity)
    let body = Rect(x: inner.x, y: inner.y, width: inner.width, height: inner.height - 1)
    if let thumbnail {
      let size = thumbnail.size.cells(in: body.size, pixelsPerCell: frame.pixelsPerCell)
      frame.place(thumbnail, in: body.centered(size))
    } else {
      frame.put(centered: words(signs), in: body, width: body.width, signs[0].style)
    }
    let corner = signs.map(\.glyph).joined()
    frame.put(corner, x: frame.size.width - 2 - TextWidth.columns(corner), y: 0, signs[0].style)
    let y = inner.y + inner.height - 1
    let title = TextWidth.padded(TextWidth.truncated(item.submodality.title, to: inner.width), to: inner.width)
    frame.put(title, x: inner.x, y: y, isSelected ? .selection : .plain)
    if isSelected { frame.put("▌", x: inner.x - 1, y: y, .accent) }
  }

  private func words(_ signs: [ItemSign]) -> String {
    switch activity {
    case .problem(let words), .undecided(let words): words
    case .busy, .preparing: "waiting …"
    case nil where !item.losses.isEmpty:
      "\(item.losses.count) of \(item.losses.count + item.pictures.count) pictures lost"
    case nil: item.capture.map { CaptureText.type($0) } ?? (signs.contains(.annotated) ? "no capture" : "empty")
    }
  }

  var outline: Outline {
    Outline(title: item.submodality.title, text: ItemSign.all(item, activity).map(\.word))
  }
}

/// The layout of the rows and cells of the list of people.
///
/// Every person has a line. Below the selected one are a line of their details and a grid of their items.
struct PeopleLayout {
  /// A cell with the blank beside it: room for the longest titles of fingers.
  static let cell = Size(width: 24, height: 6)

  /// The area of the rows, below the search.
  let list: Rect
  /// The number of lines of the selected row.
  let selectedHeight: Int
  /// The number of cells side by side.
  let columns: Int
  /// The number of visible rows of cells, and the index of the first one.
  let gridRows: Int
  let firstGridRow: Int
  private let state: PeopleState

  init(_ state: PeopleState) {
    self.state = state
    list = Rect(state.size).split(top: 1).rest
    columns = max(1, (state.size.width - 4) / Self.cell.width)
    let count = state.selectedRow?.items.count ?? 0
    let all = (count + columns - 1) / columns
    let room = max(0, list.height - 3) / Self.cell.height
    gridRows = min(all, max(room, all > 0 ? 1 : 0))
    let current = state.selectedItem / columns
    firstGridRow = max(0, min(current, all - gridRows, max(0, current - gridRows + 1)))
    selectedHeight = 2 + max(1, gridRows * Self.cell.height)
  }

  /// The index in the list and the area of each visible row.
  var rows: [(index: Int, rect: Rect)] {
    var rows: [(index: Int, rect: Rect)] = []
    var y = list.y
    var index = state.top
    while y < list.y + list.height, index < state.total {
      let height = index == state.selected ? selectedHeight : 1
      rows.append((index, Rect(x: 0, y: y, width: list.width, height: min(height, list.y + list.height - y))))
      y += height
      index += 1
    }
    return rows
  }

  /// Returns the index of each visible item and the area of its cell, below a selected row.
  func cells(in row: Rect) -> [(index: Int, rect: Rect)] {
    let count = state.selectedRow?.items.count ?? 0
    let start = firstGridRow * columns
    return (start..<min(count, start + gridRows * columns)).map { index in
      let offset = index - start
      return (
        index,
        Rect(
          x: row.x + 2 + offset % columns * Self.cell.width, y: row.y + 2 + offset / columns * Self.cell.height,
          width: Self.cell.width - 1, height: Self.cell.height)
      )
    }
  }

  /// The range of visible items, as in `4–6 of 20`; nil if all are visible.
  var seenItems: String? {
    let count = state.selectedRow?.items.count ?? 0
    let start = firstGridRow * columns
    let end = min(count, start + gridRows * columns)
    if end - start >= count { return nil }
    return start + 1 == end ? "\(end) of \(count)" : "\(start + 1)–\(end) of \(count)"
  }

  /// Returns the row at a position, by its index in the list, and the index of an item in it.
  func hit(_ point: Point) -> (index: Int, item: Int?)? {
    guard let row = rows.first(where: { $0.rect.contains(point) }) else { return nil }
    guard row.index == state.selected else { return (row.index, nil) }
    return (row.index, cells(in: row.rect).first { $0.rect.contains(point) }?.index)
  }
}
