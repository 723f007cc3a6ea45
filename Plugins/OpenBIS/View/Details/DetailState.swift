import PluginAPI

/// The state of a page of details: the selection and the scroll position.
struct DetailState: Sendable, Equatable {
  /// The details shown; nil before they were read.
  var details: EntityDetails? {
    didSet { selected = min(selected, max(0, (details?.places.count ?? 0) - 1)) }
  }

  /// The index of the selected item.
  private(set) var selected = 0
  /// The first visible line.
  private(set) var top = 0

  /// The selected item; nil if nothing can be selected.
  var place: EntityDetails.Place? { place(selected) }

  private func place(_ index: Int) -> EntityDetails.Place? {
    guard let places = details?.places, places.indices.contains(index) else { return nil }
    return places[index]
  }

  /// Selects an item.
  mutating func select(_ place: EntityDetails.Place) {
    if let index = details?.places.firstIndex(of: place) { selected = index }
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
    let places = details.places
    if key == Key(.enter) || key == Key(.right) { return place.map { .chosen($0.id) } }
    let step = isTiled(details) && [.up, .down].contains(key.code) ? layout.tilesAcross : 1
    switch (key.code, key.modifiers) {
    case (.up, []), (.character("k"), []): move(by: -step, places.count, layout, height)
    case (.down, []), (.character("j"), []): move(by: step, places.count, layout, height)
    case (.left, []) where isTiled(details): move(by: -1, places.count, layout, height)
    case (.pageUp, []), (.character("b"), .control): scroll(by: 1 - height, layout, height)
    case (.pageDown, []), (.character(" "), []), (.character("f"), .control): scroll(by: height - 1, layout, height)
    case (.home, []), (.character("g"), []):
      (selected, top) = (0, 0)
    case (.end, []), (.character("G"), []):
      selected = max(0, places.count - 1)
      top = max(0, layout.height - height)
    default: return nil
    }
    return .changed
  }

  private func isTiled(_ details: EntityDetails) -> Bool {
    guard case .image(let index) = place else { return false }
    return details.images[index].role == .tiled
  }

  /// Moves to another item; while that is far away, scrolls towards it line by line so that nothing is skipped.
  private mutating func move(by step: Int, _ count: Int, _ layout: DetailLayout, _ height: Int) {
    let target = min(max(0, selected + step), max(0, count - 1))
    guard let place = place(target), let lines = layout.lines[place] else {
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
    guard let places = details?.places else { return }
    let seen = places.indices.filter { index in
      layout.lines[places[index]].map { $0.lowerBound < top + height && $0.upperBound > top } ?? false
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
          guard let place = block.place(atColumn: mouse.position.x - rect.x - 2) else { return .changed }
          select(place)
          return clicks >= 2 ? .chosen(place.id) : .changed
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
  var places: [EntityDetails.Place] {
    if case .images(let indices) = content { return indices.map { .image($0) } }
    return place.map { [$0] } ?? []
  }

  /// Returns the item drawn at a column.
  func place(atColumn column: Int) -> EntityDetails.Place? {
    guard case .images(let indices) = content, indices.count > 1 else { return place }
    let number = max(0, column) / DetailLayout.tile.width
    return indices.indices.contains(number) ? .image(indices[number]) : nil
  }
}
