/// Which layer each vertex comes into.
enum LayerAssignment {
  /// Layers along the flow: each line goes down after the ranks of its ends, and lines are short.
  ///
  /// The layers are those of the longest paths, tightened by moving vertices towards more of their lines.
  static func alongFlow(ranks: [Int], lines: [LayoutNet.Line], list: AdjacencyList, rounds: Int = 24) -> [Int] {
    let order = ranks.indices.sorted { ranks[$0] < ranks[$1] }
    var layer = [Int](repeating: 0, count: ranks.count)
    for vertex in order {
      for index in list.range(vertex) where ranks[list.ends[index]] < ranks[vertex] {
        layer[vertex] = max(layer[vertex], layer[list.ends[index]] + 1)
      }
    }
    for round in 0..<rounds {
      var hasMoved = false
      for step in order.indices {
        let vertex = order[round & 1 == 0 ? order.count - 1 - step : step]
        if tighten(vertex, &layer, ranks: ranks, lines: lines, list: list) { hasMoved = true }
      }
      if !hasMoved { break }
    }
    return normalized(layer)
  }

  /// Moves a vertex within the layers that its neighbours leave it.
  private static func tighten(
    _ vertex: Int, _ layer: inout [Int], ranks: [Int], lines: [LayoutNet.Line], list: AdjacencyList
  ) -> Bool {
    var (top, bottom, pull) = (Int.min, Int.max, 0)
    for index in list.range(vertex) {
      let other = list.ends[index]
      if ranks[other] < ranks[vertex] {
        top = max(top, layer[other] + 1)
        pull -= lines[list.lines[index]].weight
      } else {
        bottom = min(bottom, layer[other] - 1)
        pull += lines[list.lines[index]].weight
      }
    }
    let wanted = pull > 0 && bottom < Int.max ? bottom : pull < 0 && top > Int.min ? top : layer[vertex]
    if wanted == layer[vertex] { return false }
    layer[vertex] = wanted
    return true
  }

  /// Layers by the distance from a vertex, so that no line is longer than one layer.
  ///
  /// - Returns: Nil if a line would lie within a layer, which happens if the component has a cycle of odd length.
  static func byDistance(from root: Int, list: AdjacencyList) -> [Int]? {
    var layer = [Int](repeating: -1, count: list.starts.count - 1)
    var queue = [root]
    layer[root] = 0
    var head = 0
    while head < queue.count {
      let vertex = queue[head]
      head += 1
      for index in list.range(vertex) {
        let other = list.ends[index]
        if layer[other] == layer[vertex] { return nil }
        if layer[other] >= 0 { continue }
        layer[other] = layer[vertex] + 1
        queue.append(other)
      }
    }
    return layer
  }

  /// The layers counted from 0 without empty ones.
  static func normalized(_ layer: [Int]) -> [Int] {
    let used = Set(layer).sorted()
    var rank: [Int: Int] = [:]
    for (index, value) in used.enumerated() { rank[value] = index }
    return layer.map { rank[$0, default: 0] }
  }
}
