import PluginAPI

/// Makes a drawing of a layout: rows and columns of boxes, then lines through the channels between the rows.
struct DrawingMaker {
  private let graph: ReactionGraph
  private let layout: GraphLayout
  private var drawing: TextDrawing
  private let rows: DrawingRows
  private var labels: [String] = []
  private var widths: [Int] = []
  /// The column of each item: the middle of a box, or where a line passes.
  private var columns: [Int] = []
  /// The nets of the channel below each row.
  private var nets: [[ChannelRouter.Net]] = []
  /// Arrow heads wanted below (true) or above a row at a column.
  private var headsBelow: [[(column: Int, route: Int, direction: TextDrawing.Head.Direction)]] = []
  private var headsAbove: [[(column: Int, route: Int, direction: TextDrawing.Head.Direction)]] = []
  /// The first row of cells of each row of boxes.
  private var tops: [Int] = []
  private let frameSpans: [FrameSpan?]

  /// The rows a compartment's frame goes around, and how many frames are within it.
  struct FrameSpan {
    var compartment: Int
    var first: Int
    var last: Int
    var level: Int
  }

  private var boxHeight: Int { drawing.options.zoom == .full ? 3 : 1 }
  private var margin: Int { 4 * ((frameSpans.compactMap { $0?.level }.max() ?? -1) + 1) }

  init(_ graph: ReactionGraph, _ layout: GraphLayout, _ options: TextDrawing.Options) {
    self.graph = graph
    self.layout = layout
    drawing = TextDrawing(options: options)
    let order = CompartmentOrder(graph, nodes: layout.places.map(\.node))
    rows = DrawingRows(layout)
    frameSpans = options.showsCompartments ? Self.spans(graph, layout, rows, order) : []
    for place in layout.places {
      let label = NodeLabel.text(graph.nodes[place.node], options)
      labels.append(label)
      widths.append(TextWidth.columns(label) + (options.zoom == .full ? 4 : 0))
    }
    placeColumns(order)
  }

  /// The drawing with its boxes, wires, heads and frames.
  mutating func run() -> TextDrawing {
    collectNets()
    var routers: [ChannelRouter] = []
    var next = frameSpans.reduce(0) { $0 + ($1?.first == 0 ? 1 : 0) }
    for row in rows.rows.indices {
      tops.append(next)
      let router = ChannelRouter(nets[row])
      let isLast = row == rows.rows.count - 1
      let heads = (headsBelow[row].isEmpty ? 0 : 1) + (isLast || headsAbove[row + 1].isEmpty ? 0 : 1)
      let frames = frameSpans.reduce(0) { $0 + ($1?.last == row ? 1 : 0) + ($1?.first == row + 1 ? 1 : 0) }
      let least = isLast ? 0 : 1
      next += boxHeight + max(least, heads + router.trackCount) + frames
      routers.append(router)
    }
    drawing.height = next
    addWires(routers)
    addBoxes()
    addFrames()
    shift()
    drawing.index = DrawingIndex(drawing)
    return drawing
  }

  // MARK: - Columns

  private mutating func placeColumns(_ order: CompartmentOrder) {
    let count = rows.rowOf.count
    var pieces: [(Int, Int)] = []
    for chain in rows.chains {
      for (first, second) in zip(chain, chain.dropFirst()) where abs(first.row - second.row) == 1 {
        pieces.append(first.row < second.row ? (first.item, second.item) : (second.item, first.item))
      }
    }
    let isGrouped = !layout.isFrozen && order.count > 1 && !frameSpans.isEmpty
    let stack = LayerStack(
      layer: rows.rowOf, realCount: rows.placeCount, pieces: pieces,
      group: isGrouped ? groups(order) : [Int](repeating: 0, count: count), order: rows.rows)
    let sizes = (0..<count).map { $0 < widths.count ? Double(widths[$0]) : 1 }
    var placement = HorizontalPlacement(
      stack, widths: sizes, gap: drawing.options.zoom == .overview ? 1 : 2, groupGap: Double(margin))
    placement.run(sweeps: 8)
    columns = placement.centres.map { Int(($0 + 0.001).rounded(.down)) }
    for row in rows.rows { separate(row) }
  }

  /// The groups of all items: bends are of the group that the boxes beside them in their row are of.
  private func groups(_ order: CompartmentOrder) -> [Int] {
    var result = order.group + [Int](repeating: -1, count: rows.rowOf.count - rows.placeCount)
    for row in rows.rows {
      var last = row.first { $0 < rows.placeCount }.map { result[$0] } ?? 0
      for item in row {
        if item < rows.placeCount { last = result[item] } else { result[item] = last }
      }
    }
    return result
  }

  private func left(_ item: Int) -> Int { item < widths.count ? columns[item] - widths[item] / 2 : columns[item] }

  private func right(_ item: Int) -> Int { item < widths.count ? left(item) + widths[item] - 1 : columns[item] }

  /// Moves items of a row apart that rounding brought together.
  private mutating func separate(_ row: [Int]) {
    for (first, second) in zip(row, row.dropFirst()) {
      let least = right(first) + (first < widths.count && second < widths.count ? 2 : 1)
      let lack = least - left(second)
      if lack > 0 { columns[second] += lack }
    }
  }

  // MARK: - Lines

  /// An end of a line at a box.
  private struct Pin {
    var route: Int
    var isStart: Bool
    /// The column of what comes next on the line.
    var towards: Int
    var end: Int { 2 * route + (isStart ? 0 : 1) }
  }

  private mutating func collectNets() {
    nets = [[ChannelRouter.Net]](repeating: [], count: rows.rows.count)
    headsBelow = .init(repeating: [], count: rows.rows.count)
    headsAbove = headsBelow
    let (above, below) = pins()
    var ends = [Int](repeating: 0, count: 2 * rows.chains.count)
    for item in 0..<rows.placeCount {
      assign(below[item], item, &ends)
      assign(above[item], item, &ends)
    }
    for (route, chain) in rows.chains.enumerated() {
      for piece in 0..<max(0, chain.count - 1) { addNet(route, piece, chain, ends) }
    }
  }

  /// The pins at the upper and lower sides of boxes.
  private func pins() -> (above: [[Pin]], below: [[Pin]]) {
    var above = [[Pin]](repeating: [], count: rows.placeCount)
    var below = above
    for (route, chain) in rows.chains.enumerated() where chain.count > 1 {
      for isStart in [true, false] {
        let (own, other) = isStart ? (chain[0], chain[1]) : (chain[chain.count - 1], chain[chain.count - 2])
        let pin = Pin(route: route, isStart: isStart, towards: columns[other.item])
        if other.row < own.row { above[own.item].append(pin) } else { below[own.item].append(pin) }
      }
    }
    return (above, below)
  }

  /// Gives the pins of a side of a box their columns, from the left in the order of where they lead.
  private func assign(_ pins: [Pin], _ item: Int, _ ends: inout [Int]) {
    if pins.isEmpty { return }
    let sorted = pins.sorted { ($0.towards, $0.end) < ($1.towards, $1.end) }
    let inset = widths[item] > 2 && drawing.options.zoom == .full ? 1 : 0
    let (low, high) = (left(item) + inset, right(item) - inset)
    let room = high - low + 1
    var last = low - 1
    for (number, pin) in sorted.enumerated() {
      var column = low + number * room / sorted.count
      if sorted.count <= room {
        column = min(max(pin.towards, last + 1), high - (sorted.count - 1 - number))
        column = max(column, last + 1)
      }
      last = column
      ends[pin.end] = column
    }
  }

  private mutating func addNet(_ route: Int, _ piece: Int, _ chain: [DrawingRows.Step], _ ends: [Int]) {
    let (first, second) = (chain[piece], chain[piece + 1])
    let from = piece == 0 ? ends[2 * route] : columns[first.item]
    let to = piece == chain.count - 2 ? ends[2 * route + 1] : columns[second.item]
    let isDown = first.row <= second.row
    nets[min(first.row, second.row)].append(
      .init(route: route, top: isDown ? from : to, bottom: isDown ? to : from, turnsRound: first.row == second.row))
    let value = layout.routes[route]
    let edge = graph.edges[value.edge]
    if drawing.options.zoom == .overview || edge.kind == .association { return }
    if piece == chain.count - 2 {
      addHead(route, at: to, row: second.row, fromAbove: first.row < second.row)
    }
    if piece == 0, edge.isReversible || value.opposite != nil {
      addHead(route, at: from, row: first.row, fromAbove: second.row < first.row)
    }
  }

  private mutating func addHead(_ route: Int, at column: Int, row: Int, fromAbove: Bool) {
    if fromAbove {
      headsAbove[row].append((column, route, .down))
    } else {
      headsBelow[row].append((column, route, .up))
    }
  }

  private mutating func addWires(_ routers: [ChannelRouter]) {
    for (row, router) in routers.enumerated() {
      let top = tops[row] + boxHeight
      let bottom = row + 1 < tops.count ? tops[row + 1] : drawing.height
      let framesAbove = frameSpans.reduce(0) { $0 + ($1?.last == row ? 1 : 0) }
      let tracks = top + (headsBelow[row].isEmpty ? 0 : 1) + framesAbove
      for wire in router.wires(channel: top..<bottom, tracksFrom: tracks) { drawing.wires.append(wire) }
      for head in headsBelow[row] {
        drawing.heads.append(.init(route: head.route, column: head.column, row: top, direction: head.direction))
      }
      if row + 1 < tops.count {
        for head in headsAbove[row + 1] {
          drawing.heads.append(
            .init(route: head.route, column: head.column, row: bottom - 1, direction: head.direction))
        }
      }
      for item in rows.rows[row] where item >= rows.placeCount && boxHeight > 0 {
        drawing.wires.append(
          .init(
            route: bendRoute(item), column: columns[item], row: tops[row] - 1, length: boxHeight + 2, isVertical: true))
      }
    }
  }

  private var bendRoutes: [Int] = []

  private mutating func bendRoute(_ item: Int) -> Int {
    if bendRoutes.isEmpty {
      bendRoutes = [Int](repeating: 0, count: rows.rowOf.count)
      for (route, chain) in rows.chains.enumerated() { for step in chain { bendRoutes[step.item] = route } }
    }
    return bendRoutes[item]
  }

  private mutating func addBoxes() {
    for (place, value) in layout.places.enumerated() {
      drawing.boxes.append(
        .init(
          place: place, kind: graph.nodes[value.node].kind, label: labels[place],
          window: .init(column: left(place), row: tops[rows.rowOf[place]], width: widths[place], height: boxHeight)))
    }
  }
}

extension DrawingMaker {
  /// The rows that the frames of compartments go around.
  private static func spans(
    _ graph: ReactionGraph, _ layout: GraphLayout, _ rows: DrawingRows, _ order: CompartmentOrder
  ) -> [FrameSpan?] {
    let levels = order.heights()
    var spans = [FrameSpan?](repeating: nil, count: graph.compartments.count)
    for place in layout.places.indices {
      var (next, row) = (order.compartment[place], rows.rowOf[place])
      while let owner = next {
        var span = spans[owner] ?? FrameSpan(compartment: owner, first: row, last: row, level: levels[owner])
        span.first = min(span.first, row)
        span.last = max(span.last, row)
        spans[owner] = span
        next = order.parents[owner]
      }
    }
    return spans
  }

  private mutating func addFrames() {
    var sides = [(left: Int, right: Int)?](repeating: nil, count: frameSpans.count)
    let order = CompartmentOrder(graph, nodes: layout.places.map(\.node))
    for place in layout.places.indices {
      guard let owner = order.compartment[place], sides.indices.contains(owner) else { continue }
      let old = sides[owner] ?? (Int.max, Int.min)
      sides[owner] = (min(old.left, left(place)), max(old.right, right(place)))
    }
    let inner = frameSpans.compactMap { $0 }.sorted { ($0.level, $0.compartment) < ($1.level, $1.compartment) }
    for span in inner {
      guard let own = sides[span.compartment] else { continue }
      let side = (left: own.left - 2, right: own.right + 2)
      if let parent = order.parents[span.compartment] {
        let old = sides[parent] ?? (Int.max, Int.min)
        sides[parent] = (min(old.left, side.left), max(old.right, side.right))
      }
      let above = inner.count { $0.first == span.first && ($0.level, $0.compartment) < (span.level, span.compartment) }
      let below = inner.count { $0.last == span.last && ($0.level, $0.compartment) < (span.level, span.compartment) }
      let top = tops[span.first] - 1 - (headsAbove[span.first].isEmpty ? 0 : 1) - above
      let bottom = tops[span.last] + boxHeight + (headsBelow[span.last].isEmpty ? 0 : 1) + below
      let window = TextDrawing.Window(
        column: side.left, row: top, width: side.right - side.left + 1, height: bottom - top + 1)
      drawing.frames.append(frame(span.compartment, window))
    }
    drawing.frames.reverse()
  }

  /// A frame with its name where no line goes through its upper side, cut if there is nowhere enough room.
  private func frame(_ compartment: Int, _ window: TextDrawing.Window) -> TextDrawing.Frame {
    let (first, last) = (window.column + 1, window.column + window.width - 2)
    let passed = drawing.wires.lazy.filter { wire in
      wire.isVertical && wire.row <= window.row && window.row < wire.row + wire.length
        && wire.column >= first && wire.column <= last
    }
    let stops = Set(passed.map(\.column)).sorted() + [last + 1]
    let name = NodeLabel.shown(graph.compartments[compartment].name)
    let wanted = TextWidth.columns(name) + 2
    var (start, best) = (first, (column: first, room: 0))
    for stop in stops {
      if best.room < wanted, stop - start > best.room { best = (start, stop - start) }
      start = stop + 1
    }
    let shown = best.room > 3 ? NodeLabel.cut(name, to: best.room - 2, isASCII: drawing.options.isASCII) : ""
    return TextDrawing.Frame(compartment: compartment, name: shown, nameColumn: best.column, window: window)
  }

  /// Moves everything so that the first column is 0, and measures the width.
  private mutating func shift() {
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

extension TextDrawing {
  /// Makes the drawing of a layout.
  init(_ graph: ReactionGraph, _ layout: GraphLayout, options: Options = Options()) {
    var maker = DrawingMaker(graph, layout, options)
    self = maker.run()
  }

  /// A drawing without anything in it yet.
  init(options: Options) { self.options = options }
}
