import PluginAPI

/// Where the rows and headings of a list stand in so many lines.
struct EntityListLayout {
  /// A line of a list.
  enum Line: Equatable {
    /// The heading of a category.
    case heading(String)
    /// A row by its number.
    case row(Int)
  }

  /// The first row seen.
  let top: Int
  /// What is seen, from above.
  let lines: [Line]

  /// Lays out a list from its scroll position, moved so that the selected row is seen.
  ///
  /// - Complexity: O(*height*), whatever the length of the list.
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
      // Above the first line stands its category, wherever that began.
      let category = index == top ? state.sectionOf(index) : state.heading(at: index)
      if let category, height > 2 { lines.append(.heading(category)) }
      if lines.count < height { lines.append(.row(index)) }
      index += 1
    }
    return lines
  }
}

extension EntityListState {
  /// The category a row lies in; nil for none.
  func sectionOf(_ index: Int) -> String? {
    guard !isParent(index), let category = entity(at: index)?.category, !category.isEmpty else { return nil }
    return category
  }
}
