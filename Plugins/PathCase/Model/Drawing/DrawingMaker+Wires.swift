extension DrawingMaker {
  /// Adds the lines of all channels and their arrow heads.
  mutating func addWires(_ routers: [ChannelRouter]) {
    for (row, router) in routers.enumerated() {
      let top = tops[row] + rowHeights[row]
      let bottom = row + 1 < tops.count ? tops[row + 1] : drawing.height
      let framesAbove = frameSpans.reduce(0) { $0 + ($1?.last == row ? 1 : 0) }
      let tracks = top + (headsBelow[row].isEmpty ? 0 : 1) + framesAbove
      for wire in router.wires(channel: top..<bottom, tracksFrom: tracks) { drawing.wires.append(wire) }
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
  mutating func joinHeads(_ routers: [ChannelRouter]) {
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
  mutating func addTails() {
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
  mutating func addBends(_ row: Int) {
    for item in rows.rows[row] where item >= rows.placeCount {
      let bend = bends[item - rows.placeCount]
      let first = tops[row] - (bend.hasAbove ? 1 : 0)
      let last = tops[row] + rowHeights[row] - (bend.hasBelow ? 0 : 1)
      drawing.wires.append(
        .init(route: bend.route, column: columns[item], row: first, length: last - first + 1, isVertical: true))
    }
  }

  /// A bend of a line, and the sides on which the line continues.
  struct Bend {
    var route = 0
    var hasAbove = false
    var hasBelow = false
  }

  func allBends() -> [Bend] {
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

  mutating func addBoxes() {
    for (place, value) in layout.places.enumerated() {
      if let host = value.beside {
        addStub(place, host)
        continue
      }
      drawing.boxes.append(
        .init(
          place: place, kind: graph.nodes[value.node].kind, lines: labels[place],
          window: .init(column: left(place), row: tops[rows.rowOf[place]], width: widths[place], height: heights[place])
        ))
    }
  }
}
