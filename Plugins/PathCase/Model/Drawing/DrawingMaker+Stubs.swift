extension DrawingMaker {
  /// Adds a molecule beside its process, and the lines between them.
  mutating func addStub(_ place: Int, _ host: Int) {
    let isLeft = layout.places[place].frame.x < layout.places[host].frame.x
    let room = max(0, heights[host] - stubs.count(host, isLeft: isLeft))
    let row = tops[rows.rowOf[host]] + room / 2 + stubs.place(place)
    let column = isLeft ? left(host) - DrawingStubs.gap - widths[place] : right(host) + DrawingStubs.gap + 1
    let label = labels[place].joined()
    drawing.boxes.append(
      .init(
        place: place, kind: graph.nodes[layout.places[place].node].kind, lines: [isLeft ? label + " " : " " + label],
        window: .init(column: column, row: row, width: widths[place], height: 1)))
    let first = isLeft ? column + widths[place] - 1 : right(host)
    for route in stubs.routes(place) {
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
