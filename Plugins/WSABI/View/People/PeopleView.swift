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
    for (place, rect) in layout.rows {
      guard let row = state.row(place) else {
        frame.put("…", x: 2, y: rect.y, .secondary)
        continue
      }
      let isSelected = place == state.selected
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
        frame.put("nothing to capture yet: i adds an item, E those of a template", x: 2, y: 2, .secondary)
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
      id: "page-\(word)", text: "People \(word) these", action: ActionInvocation("page", ["step": .integer(step)]))
  }

  var outline: Outline {
    let layout = PeopleLayout(state)
    var items: [Outline.Item] = []
    for (place, _) in layout.rows {
      guard let row = state.row(place) else { continue }
      let count = row.items.count == 1 ? "1 item" : "\(row.items.count) items"
      items.append(
        Outline.Item(
          id: "person-\(row.person.id)", text: "\(PersonText.name(row.person)), \(count)",
          action: ActionInvocation("select", ["person": .integer(row.person.id)])))
      guard place == state.selected else { continue }
      for item in row.items {
        let words = ItemSign.all(item, state.activities[item.id]).map(\.word).joined(separator: ", ")
        items.append(
          Outline.Item(
            id: "item-\(item.id)", text: "\(item.submodality.title): \(words)",
            action: ActionInvocation("open", ["item": .integer(item.id)])))
      }
    }
    let places = layout.rows.map(\.place)
    if let first = places.first, first > 0 { items.append(Self.page(-1, "before")) }
    if let last = places.last, last + 1 < state.total { items.append(Self.page(1, "after")) }
    return Outline(title: "People", text: items.isEmpty ? [state.message] : [], items: items)
  }
}
