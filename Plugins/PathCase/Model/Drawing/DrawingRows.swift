/// The rows of a drawing: the boxes that stand side by side, and the points where lines pass between them.
struct DrawingRows {
  /// A point that a line passes, or its end.
  struct Step: Hashable {
    /// The item index: places of the layout come first, then bends of lines.
    var item: Int
    var row: Int
  }

  /// The row of each item.
  private(set) var rowOf: [Int] = []
  /// The items of each row, from the left.
  private(set) var rows: [[Int]] = []
  /// The steps of each route, from its source to its target.
  private(set) var chains: [[Step]] = []
  let placeCount: Int
  private var heights: [Double] = []
  private var across: [Double] = []

  /// Groups overlapping boxes into rows; if that makes too many bends, the rows become coarser.
  init(_ layout: GraphLayout) {
    placeCount = layout.places.count
    var tolerance = 0.5
    while true {
      makeRows(layout, tolerance: tolerance)
      let limit = 40 * (layout.places.count + layout.routes.count) + 100_000
      if makeChains(layout, limit: limit) || rows.count < 3 { break }
      tolerance *= 2
    }
    let across = across
    for row in rows.indices {
      rows[row].sort { left, right in
        across[left] != across[right] ? across[left] < across[right] : left < right
      }
    }
  }

  private mutating func makeRows(_ layout: GraphLayout, tolerance: Double) {
    let order = layout.places.indices.filter { layout.places[$0].beside == nil }.sorted { left, right in
      let heights = (layout.places[left].frame.y, layout.places[right].frame.y)
      return heights.0 != heights.1 ? heights.0 < heights.1 : left < right
    }
    rowOf = [Int](repeating: 0, count: placeCount)
    rows = []
    heights = []
    var reach = -Double.infinity
    for index in order {
      let frame = layout.places[index].frame
      if rows.isEmpty || frame.y > reach {
        rows.append([])
        heights.append(frame.y)
        reach = frame.y + frame.height * tolerance
      }
      rowOf[index] = rows.count - 1
      rows[rows.count - 1].append(index)
    }
    for (index, value) in layout.places.enumerated() {
      if let host = value.beside { rowOf[index] = rowOf[host] }
    }
    across = layout.places.map(\.frame.x)
  }

  /// - Returns: True if the number of bends stayed within the limit.
  private mutating func makeChains(_ layout: GraphLayout, limit: Int) -> Bool {
    chains = []
    chains.reserveCapacity(layout.routes.count)
    for route in layout.routes {
      // Stubs are not part of the rows.
      if layout.places[route.source].beside != nil || layout.places[route.target].beside != nil {
        chains.append([])
        continue
      }
      var chain = [Step(item: route.source, row: rowOf[route.source])]
      follow(route, &chain)
      chain.append(Step(item: route.target, row: rowOf[route.target]))
      chains.append(chain)
      if rowOf.count - placeCount > limit { return false }
    }
    return true
  }

  /// Adds a bend for each row that a line passes.
  private mutating func follow(_ route: GraphLayout.Route, _ chain: inout [Step]) {
    let last = rowOf[route.target]
    var row = chain[0].row
    // The bends between the ends, as one sequence of passed points.
    for (first, second) in zip(route.points, route.points.dropFirst()) {
      while row < heights.count - 1, second.y >= heights[row + 1], second.y > first.y {
        row += 1
        pass(row, first, second, &chain)
      }
      while row > 0, second.y <= heights[row - 1], second.y < first.y {
        row -= 1
        pass(row, first, second, &chain)
      }
    }
    // The remaining rows up to the target's row, which the points do not cover.
    while row != last {
      row += row < last ? 1 : -1
      pass(row, route.points.last, route.points.last, &chain)
    }
    if chain.count > 1, chain[chain.count - 1].row == last {
      rowOf.removeLast()
      across.removeLast()
      rows[last].removeLast()
      chain.removeLast()
    }
  }

  private mutating func pass(
    _ row: Int, _ first: FrozenPath.Point?, _ second: FrozenPath.Point?, _ chain: inout [Step]
  ) {
    let (first, second) = (first ?? .init(x: 0, y: 0), second ?? .init(x: 0, y: 0))
    let share = second.y == first.y ? 0.5 : min(max((heights[row] - first.y) / (second.y - first.y), 0), 1)
    let item = rowOf.count
    rowOf.append(row)
    across.append(first.x + (second.x - first.x) * share)
    rows[row].append(item)
    chain.append(Step(item: item, row: row))
  }
}

/// The molecules that stand beside each box of a drawing.
struct DrawingStubs: Sendable {
  /// The number of columns between a box and a molecule beside it.
  static let gap = 3

  /// The stubs of each place from the top, on its left and on its right.
  private var left: [Int: [Int]] = [:]
  private var right: [Int: [Int]] = [:]
  private var places: [Int: Int] = [:]
  private var routesOf: [Int: [Int]] = [:]

  init(_ layout: GraphLayout) {
    for (number, place) in layout.places.enumerated() {
      guard let host = place.beside else { continue }
      if place.frame.x < layout.places[host].frame.x {
        left[host, default: []].append(number)
      } else {
        right[host, default: []].append(number)
      }
    }
    if left.isEmpty, right.isEmpty { return }
    for key in left.keys { left[key]?.sort { layout.places[$0].frame.y < layout.places[$1].frame.y } }
    for key in right.keys { right[key]?.sort { layout.places[$0].frame.y < layout.places[$1].frame.y } }
    for stubs in Array(left.values) + Array(right.values) {
      for (index, stub) in stubs.enumerated() { places[stub] = index }
    }
    for (number, route) in layout.routes.enumerated() {
      for end in [route.source, route.target] where layout.places[end].beside != nil {
        routesOf[end, default: []].append(number)
      }
    }
  }

  /// Returns the number of stubs on the side of a place that has more of them.
  func most(_ host: Int) -> Int { max(left[host]?.count ?? 0, right[host]?.count ?? 0) }

  func count(_ host: Int, isLeft: Bool) -> Int { (isLeft ? left : right)[host]?.count ?? 0 }

  /// Returns all stubs beside a place.
  func all(_ host: Int) -> [Int] { left[host, default: []] + right[host, default: []] }

  /// Returns the number of stubs above a stub on its side.
  func position(_ stub: Int) -> Int { places[stub, default: 0] }

  /// Returns the routes of a stub.
  func routes(_ stub: Int) -> [Int] { routesOf[stub, default: []] }
}
