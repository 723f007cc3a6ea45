import PluginAPI

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
  var rows: [(place: Int, rect: Rect)] {
    var rows: [(place: Int, rect: Rect)] = []
    var y = list.y
    var place = state.top
    while y < list.y + list.height, place < state.total {
      let height = place == state.selected ? selectedHeight : 1
      rows.append((place, Rect(x: 0, y: y, width: list.width, height: min(height, list.y + list.height - y))))
      y += height
      place += 1
    }
    return rows
  }

  /// Returns the index of each visible item and the area of its cell, below a selected row.
  func cells(in row: Rect) -> [(index: Int, rect: Rect)] {
    let count = state.selectedRow?.items.count ?? 0
    let start = firstGridRow * columns
    return (start..<min(count, start + gridRows * columns)).map { index in
      let place = index - start
      return (
        index,
        Rect(
          x: row.x + 2 + place % columns * Self.cell.width, y: row.y + 2 + place / columns * Self.cell.height,
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
  func hit(_ point: Point) -> (place: Int, item: Int?)? {
    guard let row = rows.first(where: { $0.rect.contains(point) }) else { return nil }
    guard row.place == state.selected else { return (row.place, nil) }
    return (row.place, cells(in: row.rect).first { $0.rect.contains(point) }?.index)
  }
}
