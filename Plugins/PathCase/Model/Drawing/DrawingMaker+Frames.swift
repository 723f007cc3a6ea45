import PluginAPI
import PluginText

extension DrawingMaker {
  /// Returns the rows that each compartment's frame encloses.
  static func spans(
    _ graph: ReactionGraph, _ layout: GraphLayout, _ rows: DrawingRows, _ order: CompartmentOrder
  ) -> [FrameSpan?] {
    let levels = order.heights()
    var spans = [FrameSpan?](repeating: nil, count: graph.compartments.count)
    for index in layout.places.indices where layout.places[index].beside == nil {
      var (next, row) = (order.compartment[index], rows.rowOf[index])
      while let owner = next {
        var span = spans[owner] ?? FrameSpan(compartment: owner, first: row, last: row, level: levels[owner])
        span.first = min(span.first, row)
        span.last = max(span.last, row)
        spans[owner] = span
        next = order.parents[owner]
      }
      guard let wall = order.wall[index], !layout.isFrozen else { continue }
      var span = spans[wall] ?? FrameSpan(compartment: wall, first: row, last: row, level: levels[wall])
      (span.first, span.last) = (min(span.first, row), max(span.last, row))
      spans[wall] = span
    }
    return spans
  }

  /// Returns the columns that frames and their names need between each group of boxes and the next.
  func groupGaps(_ order: CompartmentOrder, _ stack: LayerStack, _ sizes: [Double]) -> [Double] {
    var widest = [Double](repeating: 0, count: order.count)
    for item in 0..<rows.placeCount { widest[stack.group[item]] = max(widest[stack.group[item]], sizes[item]) }
    // The minimum combined width of the boxes in each frame.
    var width = [Double](repeating: 0, count: graph.compartments.count)
    for group in 0..<order.count {
      for owner in order.frames(ofGroup: group) { width[owner] += widest[group] }
    }
    return order.walls.enumerated().map { group, walls in
      let lack = order.frames(ofGroup: group).prefix(walls.ending).reduce(0) {
        max($0, Double(nameWidth($1)) - width[$1])
      }
      return Double(3 * walls.count + (walls.areBetweenFrames ? 2 : 0)) + lack
    }
  }

  /// Returns the number of columns that the upper side of a frame needs for its name.
  private func nameWidth(_ compartment: Int) -> Int {
    TextWidth.columns(SanitizedText.line(graph.compartments[compartment].name)) + 3
  }

  mutating func addFrames() {
    var sides = [(left: Int, right: Int)?](repeating: nil, count: frameSpans.count)
    let order = CompartmentOrder(graph, nodes: layout.places.map(\.node))
    for index in layout.places.indices where layout.places[index].beside == nil {
      guard let owner = order.compartment[index], sides.indices.contains(owner) else { continue }
      let old = sides[owner] ?? (Int.max, Int.min)
      let more = overhang(index)
      sides[owner] = (min(old.left, left(index) - more), max(old.right, right(index) + more))
    }
    let walls = wallColumns(order)
    for index in layout.places.indices where layout.places[index].beside == nil && !walls.isEmpty {
      guard let wall = order.wall[index], let column = walls[wall] else { continue }
      let old = sides[wall] ?? (Int.max, Int.min)
      sides[wall] = (min(old.left, column + 2), max(old.right, right(index) + overhang(index)))
    }
    let inner = frameSpans.compactMap { $0 }.sorted { ($0.level, $0.compartment) < ($1.level, $1.compartment) }
    for span in inner {
      guard let own = sides[span.compartment] else { continue }
      // The name fits if no line crosses the frame's upper side.
      let left = walls[span.compartment] ?? own.left - 2
      let side = (left: left, right: max(own.right + 2, own.left - 2 + nameWidth(span.compartment)))
      if let parent = order.parents[span.compartment] {
        let old = sides[parent] ?? (Int.max, Int.min)
        sides[parent] = (min(old.left, side.left), max(old.right, side.right))
      }
      let above = inner.count { $0.first == span.first && ($0.level, $0.compartment) < (span.level, span.compartment) }
      let below = inner.count { $0.last == span.last && ($0.level, $0.compartment) < (span.level, span.compartment) }
      let top = tops[span.first] - 1 - (headsAbove[span.first].isEmpty ? 0 : 1) - above
      let bottom = tops[span.last] + rowHeights[span.last] + (headsBelow[span.last].isEmpty ? 0 : 1) + below
      let window = TextDrawing.Window(
        column: side.left, row: top, width: side.right - side.left + 1, height: bottom - top + 1)
      drawing.frames.append(.init(compartment: span.compartment, name: "", nameColumn: window.column, window: window))
    }
    drawing.frames.reverse()
    for index in drawing.frames.indices { nameFrame(index) }
  }

  /// Returns the column of each wall that processes sit on; their boxes lie on the line of its frame.
  private func wallColumns(_ order: CompartmentOrder) -> [Int: Int] {
    if layout.isFrozen || order.count < 2 { return [:] }
    var found: [Int: Int] = [:]
    for index in layout.places.indices where layout.places[index].beside == nil {
      if let wall = order.wall[index] { found[wall] = min(found[wall] ?? .max, columns[index]) }
    }
    return found
  }

  /// Names a frame on a stretch where nothing crosses its side; the name is truncated if no stretch is wide enough.
  private mutating func nameFrame(_ index: Int) {
    let frame = drawing.frames[index]
    let name = SanitizedText.line(graph.compartments[frame.compartment].name)
    let wanted = TextWidth.columns(name) + 2
    var best = freeStretch(frame.window, row: frame.window.row, wanted: wanted)
    if best.room < wanted {
      let lower = freeStretch(frame.window, row: frame.window.row + frame.window.height - 1, wanted: wanted)
      if lower.room > best.room {
        best = lower
        drawing.frames[index].hasNameBelow = true
      }
    }
    if best.room > 3 {
      drawing.frames[index].name = NodeLabel.cut(name, to: best.room - 2, isASCII: drawing.options.isASCII)
    }
    drawing.frames[index].nameColumn = best.column
  }

  /// Returns the first stretch of a frame's side without lines, boxes and sides of other frames that is wide enough, or
  /// else the widest.
  private func freeStretch(_ window: TextDrawing.Window, row: Int, wanted: Int) -> (column: Int, room: Int) {
    let (first, last) = (window.column + 1, window.column + window.width - 2)
    var taken: Set<Int> = [last + 1]
    func take(_ columns: some Sequence<Int>, ifIn area: TextDrawing.Window) {
      guard area.row <= row, row < area.row + area.height else { return }
      for column in columns where column >= first && column <= last { taken.insert(column) }
    }
    for wire in drawing.wires where wire.isVertical {
      take([wire.column], ifIn: .init(column: wire.column, row: wire.row, width: 1, height: wire.length))
    }
    for area in drawing.boxes.map(\.window) { take(area.column..<area.column + area.width, ifIn: area) }
    for area in drawing.frames.map(\.window) { take([area.column, area.column + area.width - 1], ifIn: area) }
    var (start, best) = (first, (column: first, room: 0))
    for stop in taken.sorted() {
      if best.room < wanted, stop - start > best.room { best = (start, stop - start) }
      start = stop + 1
    }
    return best
  }

  /// Moves everything so that the first column is 0, and measures the width.
  mutating func shift() {
    var (left, right) = (Int.max, Int.min)
    for window in drawing.boxes.map(\.window) + drawing.frames.map(\.window) {
      left = min(left, window.column)
      right = max(right, window.column + window.width)
    }
    for wire in drawing.wires {
      left = min(left, wire.column)
      right = max(right, wire.column + (wire.isVertical ? 1 : wire.length))
    }
    if left > right { return }
    for index in drawing.boxes.indices { drawing.boxes[index].window.column -= left }
    for index in drawing.frames.indices {
      drawing.frames[index].window.column -= left
      drawing.frames[index].nameColumn -= left
    }
    for index in drawing.wires.indices { drawing.wires[index].column -= left }
    for index in drawing.heads.indices { drawing.heads[index].column -= left }
    drawing.width = right - left
  }
}
