import PluginAPI

/// Creates a drawing from a layout: rows and columns of boxes, then lines through the channels between the rows.
struct DrawingMaker {
  let graph: ReactionGraph
  let layout: GraphLayout
  var drawing: TextDrawing
  let rows: DrawingRows
  private var labels: [[String]] = []
  private var widths: [Int] = []
  private var heights: [Int] = []
  private let stubs: DrawingStubs
  /// The column of each item: the center of a box, or the column of a passing line.
  private(set) var columns: [Int] = []
  /// The nets of the channel below each row.
  private var nets: [[ChannelRouter.Net]] = []
  /// The arrow heads required below (true) or above a row at a column.
  private(set) var headsBelow: [[WantedHead]] = []
  private(set) var headsAbove: [[WantedHead]] = []
  /// The first row of cells of each row of boxes.
  private(set) var tops: [Int] = []
  /// The height of each row of boxes, in rows of cells.
  private(set) var rowHeights: [Int] = []
  let frameSpans: [FrameSpan?]
  private var bends: [Bend] = []
  /// The columns at which each line leaves its first box and meets its second: start, then end.
  private var ends: [Int] = []

  /// The rows that a compartment's frame encloses, and the number of frames nested in it.
  struct FrameSpan {
    var compartment: Int
    var first: Int
    var last: Int
    var level: Int
  }

  /// An arrow head at a side of a box.
  struct WantedHead {
    var column: Int
    var route: Int
    /// The box, as an item index.
    var item: Int
    /// True if the head also points to the box above.
    var isBoth = false

    func made(
      row: Int, _ direction: TextDrawing.Head.Direction, _ graph: ReactionGraph, _ layout: GraphLayout
    ) -> TextDrawing.Head {
      .init(
        route: route, column: column, row: row, direction: direction, kind: graph.edges[layout.routes[route].edge].kind)
    }
  }

  init(_ graph: ReactionGraph, _ layout: GraphLayout, _ options: TextDrawing.Options) {
    self.graph = graph
    self.layout = layout
    drawing = TextDrawing(options: options)
    let order = CompartmentOrder(graph, nodes: layout.places.map(\.node))
    rows = DrawingRows(layout)
    frameSpans = options.showsCompartments ? Self.spans(graph, layout, rows, order) : []
    stubs = DrawingStubs(layout)
    labels = NodeLabel.lines(layout, graph, options)
    for (number, place) in layout.places.enumerated() {
      let isStub = place.beside != nil
      let lines = labels[number]
      let border = options.zoom == .full && !isStub
      widths.append((lines.map { TextWidth.columns($0) }.max() ?? 0) + (border ? 4 : isStub ? 1 : 0))
      heights.append(max(lines.count + (border ? 2 : 0), stubs.most(number)))
    }
    let all = heights
    rowHeights = rows.rows.map { row in row.reduce(1) { $1 < all.count ? max($0, all[$1]) : $0 } }
    placeColumns(order)
  }

  /// Returns the drawing with its boxes, wires, heads and frames.
  mutating func run() -> TextDrawing {
    collectNets()
    bends = allBends()
    let routers = nets.map { ChannelRouter($0) }
    if drawing.options.joinsHeads { joinHeads(routers) }
    var next = frameSpans.reduce(0) { $0 + ($1?.first == 0 ? 1 : 0) }
    for row in rows.rows.indices {
      tops.append(next)
      let router = routers[row]
      let isLast = row == rows.rows.count - 1
      let heads = (headsBelow[row].isEmpty ? 0 : 1) + (isLast || headsAbove[row + 1].isEmpty ? 0 : 1)
      let frames = frameSpans.reduce(0) { $0 + ($1?.last == row ? 1 : 0) + ($1?.first == row + 1 ? 1 : 0) }
      let least = isLast ? 0 : 1
      next += rowHeights[row] + max(least, heads + router.trackCount) + frames
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
    var routeOfPiece: [Int] = []
    for (route, chain) in rows.chains.enumerated() {
      for (first, second) in zip(chain, chain.dropFirst()) where abs(first.row - second.row) == 1 {
        pieces.append(first.row < second.row ? (first.item, second.item) : (second.item, first.item))
        routeOfPiece.append(route)
      }
    }
    let isGrouped = !layout.isFrozen && order.count > 1 && !frameSpans.isEmpty
    let stack = LayerStack(
      layer: rows.rowOf, realCount: rows.placeCount, pieces: pieces, lineOfPiece: routeOfPiece,
      group: isGrouped ? groups(order) : [Int](repeating: 0, count: count), order: rows.rows)
    let sizes = (0..<count).map { $0 < widths.count ? Double(widths[$0] + 2 * overhang($0)) : 1 }
    var placement = HorizontalPlacement(
      stack, widths: sizes, pulls: layout.routes.map { pull(graph.edges[$0.edge]) },
      gap: drawing.options.zoom == .overview ? 1 : 2,
      groupGaps: isGrouped ? groupGaps(order, stack, sizes) : [], walls: isGrouped ? order.membranes : [])
    placement.run(sweeps: 8)
    columns = placement.centers.map { Int(($0 + 0.001).rounded(.down)) }
    for row in rows.rows { separate(row) }
  }

  /// Returns the weight with which a line pulls its ends together; the main chain pulls most and so becomes straight.
  private func pull(_ edge: GraphEdge) -> Double {
    if edge.kind != .flow { return 0.5 }
    return graph.nodes[edge.source].isPrimary && graph.nodes[edge.target].isPrimary ? 8 : 1
  }

  /// Returns the groups of all items; a bend belongs to the group of the boxes beside it in its row.
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

  func left(_ item: Int) -> Int { item < widths.count ? columns[item] - widths[item] / 2 : columns[item] }

  func right(_ item: Int) -> Int { item < widths.count ? left(item) + widths[item] - 1 : columns[item] }

  /// Returns the number of columns that a box's stubs and their lines take on the wider side.
  func overhang(_ item: Int) -> Int {
    guard item < widths.count, stubs.most(item) > 0 else { return 0 }
    return DrawingStubs.gap + (stubs.all(item).map { widths[$0] }.max() ?? 0)
  }

  /// Separates items of a row that rounding brought together.
  private mutating func separate(_ row: [Int]) {
    for (first, second) in zip(row, row.dropFirst()) {
      let least = right(first) + overhang(first) + (first < widths.count && second < widths.count ? 2 : 1)
      let lack = least - left(second) + overhang(second)
      if lack > 0 { columns[second] += lack }
    }
  }

  // MARK: - Lines

  /// An end of a line at a box.
  private struct Pin {
    var route: Int
    var isStart: Bool
    /// The column of the next item on the line.
    var towards: Int
    var end: Int { 2 * route + (isStart ? 0 : 1) }
  }

  private mutating func collectNets() {
    nets = [[ChannelRouter.Net]](repeating: [], count: rows.rows.count)
    headsBelow = .init(repeating: [], count: rows.rows.count)
    headsAbove = headsBelow
    let (above, below) = pins()
    ends = [Int](repeating: 0, count: 2 * rows.chains.count)
    for item in 0..<rows.placeCount { assign(below[item], item, line: labels[item].last) }
    // Lines between two boxes arrive at the column they left, so that they are straight if possible.
    for item in 0..<rows.placeCount {
      let pins = above[item].map { pin in
        var pin = pin
        if rows.chains[pin.route].count == 2 { pin.towards = ends[pin.end ^ 1] }
        return pin
      }
      assign(pins, item, line: labels[item].first)
    }
    for (route, chain) in rows.chains.enumerated() {
      for piece in 0..<max(0, chain.count - 1) { addNet(route, piece, chain) }
    }
  }

  /// Returns the pins at the upper and lower sides of boxes.
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

  /// Assigns columns to the pins of a box's side, from the left in the order of their targets.
  ///
  /// - Parameter line: The line of the label at that side.
  private mutating func assign(_ pins: [Pin], _ item: Int, line: String?) {
    if pins.isEmpty { return }
    let sorted = pins.sorted { ($0.towards, $0.end) < ($1.towards, $1.end) }
    let (low, high) = side(item, line: line ?? "", pins: pins.count)
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

  /// Returns the columns at which lines may meet a box: between the corners, or at the letters of a label without a
  /// box.
  private func side(_ item: Int, line: String, pins: Int) -> (low: Int, high: Int) {
    let (low, high) = (left(item), right(item))
    if drawing.options.zoom == .full { return widths[item] > 2 ? (low + 1, high - 1) : (low, high) }
    let letters = TextWidth.columns(line)
    if letters < pins { return (low, high) }
    let first = low + (widths[item] - letters) / 2
    return (first, first + letters - 1)
  }

  private mutating func addNet(_ route: Int, _ piece: Int, _ chain: [DrawingRows.Step]) {
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
      addHead(.init(column: to, route: route, item: second.item), row: second.row, fromAbove: first.row < second.row)
    }
    if piece == 0, edge.isReversible || value.opposite != nil {
      addHead(.init(column: from, route: route, item: first.item), row: first.row, fromAbove: second.row < first.row)
    }
  }

  private mutating func addHead(_ head: WantedHead, row: Int, fromAbove: Bool) {
    if fromAbove { headsAbove[row].append(head) } else { headsBelow[row].append(head) }
  }
}

// MARK: - Wires and boxes

extension DrawingMaker {
  /// Adds the lines of all channels and their arrow heads.
  private mutating func addWires(_ routers: [ChannelRouter]) {
    for (row, router) in routers.enumerated() {
      let top = tops[row] + rowHeights[row]
      let bottom = row + 1 < tops.count ? tops[row + 1] : drawing.height
      let framesAbove = frameSpans.reduce(0) { $0 + ($1?.last == row ? 1 : 0) }
      let tracks = top + (headsBelow[row].isEmpty ? 0 : 1) + framesAbove
      drawing.wires += router.wires(channel: top..<bottom, tracksFrom: tracks)
      for head in headsBelow[row] {
        let side = tops[row] + heights[head.item]
        drawing.heads.append(head.made(row: side, .up, graph, layout))
      }
      if row + 1 < tops.count {
        for head in headsAbove[row + 1] {
          drawing.heads.append(head.made(row: bottom - 1, head.isBoth ? .both : .down, graph, layout))
        }
      }
      addBends(row)
    }
    addTails()
  }

  /// Merges the two heads of a straight line into one with two tips, in channels that hold nothing else.
  private mutating func joinHeads(_ routers: [ChannelRouter]) {
    for row in rows.rows.indices.dropLast() where routers[row].trackCount == 0 {
      let above = Set(headsAbove[row + 1].map(\.route))
      guard !headsBelow[row].isEmpty, headsBelow[row].allSatisfy({ above.contains($0.route) }) else { continue }
      let below = Set(headsBelow[row].map(\.route))
      headsBelow[row] = []
      for index in headsAbove[row + 1].indices where below.contains(headsAbove[row + 1][index].route) {
        headsAbove[row + 1][index].isBoth = true
      }
    }
  }

  /// Extends lines from the lower sides of short boxes to the channel below their row.
  private mutating func addTails() {
    for (route, chain) in rows.chains.enumerated() where chain.count > 1 {
      for isStart in [true, false] {
        let (own, other) = isStart ? (chain[0], chain[1]) : (chain[chain.count - 1], chain[chain.count - 2])
        let lack = rowHeights[own.row] - heights[own.item]
        if lack == 0 || other.row < own.row { continue }
        let top = tops[own.row] + heights[own.item]
        drawing.wires.append(
          .init(
            route: route, column: ends[2 * route + (isStart ? 0 : 1)], row: top - 1, length: lack + 1,
            isVertical: true))
      }
    }
  }

  /// Routes lines past the boxes of a row; a line that turns back there ends at its neighbors' side.
  private mutating func addBends(_ row: Int) {
    for item in rows.rows[row] where item >= rows.placeCount {
      let bend = bends[item - rows.placeCount]
      let first = tops[row] - (bend.hasAbove ? 1 : 0)
      let last = tops[row] + rowHeights[row] - (bend.hasBelow ? 0 : 1)
      drawing.wires.append(
        .init(route: bend.route, column: columns[item], row: first, length: last - first + 1, isVertical: true))
    }
  }

  /// A bend of a line, and the sides on which the line continues.
  private struct Bend {
    var route = 0
    var hasAbove = false
    var hasBelow = false
  }

  private func allBends() -> [Bend] {
    var bends = [Bend](repeating: Bend(), count: rows.rowOf.count - rows.placeCount)
    for (route, chain) in rows.chains.enumerated() {
      for (step, value) in chain.enumerated() where value.item >= rows.placeCount {
        var bend = Bend(route: route)
        for other in [chain[step - 1], chain[step + 1]] {
          if other.row < value.row { bend.hasAbove = true } else { bend.hasBelow = true }
        }
        bends[value.item - rows.placeCount] = bend
      }
    }
    return bends
  }

  private mutating func addBoxes() {
    for (index, value) in layout.places.enumerated() {
      if let host = value.beside {
        addStub(index, host)
        continue
      }
      drawing.boxes.append(
        .init(
          place: index, kind: graph.nodes[value.node].kind, lines: labels[index],
          window: .init(column: left(index), row: tops[rows.rowOf[index]], width: widths[index], height: heights[index])
        ))
    }
  }

  /// Adds a molecule beside its process, and the lines between them.
  private mutating func addStub(_ index: Int, _ host: Int) {
    let isLeft = layout.places[index].frame.x < layout.places[host].frame.x
    let room = max(0, heights[host] - stubs.count(host, isLeft: isLeft))
    let row = tops[rows.rowOf[host]] + room / 2 + stubs.position(index)
    let column = isLeft ? left(host) - DrawingStubs.gap - widths[index] : right(host) + DrawingStubs.gap + 1
    let label = labels[index].joined()
    drawing.boxes.append(
      .init(
        place: index, kind: graph.nodes[layout.places[index].node].kind, lines: [isLeft ? label + " " : " " + label],
        window: .init(column: column, row: row, width: widths[index], height: 1)))
    let first = isLeft ? column + widths[index] - 1 : right(host)
    for route in stubs.routes(index) {
      drawing.wires.append(
        .init(route: route, column: first, row: row, length: DrawingStubs.gap + 2, isVertical: false))
      let value = layout.routes[route]
      if drawing.options.zoom == .overview || graph.edges[value.edge].kind == .association { continue }
      let pointsRight = (value.target == host) == isLeft
      let isBoth = graph.edges[value.edge].isReversible || value.opposite != nil
      if pointsRight || isBoth {
        drawing.heads.append(
          .init(
            route: route, column: first + DrawingStubs.gap, row: row, direction: .right,
            kind: isBoth ? .flow : graph.edges[value.edge].kind))
      }
      if !pointsRight || isBoth {
        drawing.heads.append(.init(route: route, column: first + 1, row: row, direction: .left))
      }
    }
  }
}
