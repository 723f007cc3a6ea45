import PluginAPI

/// The layout of a list's rows and headings in a number of lines.
struct EntityListLayout {
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
      let category = index == top ? state.sectionOf(index) : state.heading(at: index)
      if let category, height > 2 { lines.append(.heading(category)) }
      if lines.count < height { lines.append(.row(index)) }
      index += 1
    }
    return lines
  }
}

extension EntityListState {
  /// Returns the category of a row; nil if there is none.
  func sectionOf(_ index: Int) -> String? {
    guard !isParent(index), let category = entity(at: index)?.category, !category.isEmpty else { return nil }
    return category
  }
}
