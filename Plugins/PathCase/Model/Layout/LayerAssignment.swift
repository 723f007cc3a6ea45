/// Assigns vertices to layers.
enum LayerAssignment {
  /// Returns layers along the flow: each line goes down by the ranks of its ends, and lines are short.
  ///
  /// The layers are those of the longest paths, tightened by moving vertices toward more of their lines.
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

  /// Moves a vertex within the layers permitted by its neighbors.
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

  /// Returns layers by the distance from a root, so that no line is longer than one layer.
  ///
  /// Lines lie within a layer only if the graph has cycles of odd length. A component without the root is measured from
  /// its first vertex.
  static func byDistance(from root: Int, list: AdjacencyList) -> [Int] {
    var layer = [Int](repeating: -1, count: list.starts.count - 1)
    var queue: [Int] = []
    var head = 0
    for start in [root] + Array(layer.indices) where layer[start] < 0 {
      queue.append(start)
      layer[start] = 0
      while head < queue.count {
        let vertex = queue[head]
        head += 1
        for index in list.range(vertex) where layer[list.ends[index]] < 0 {
          layer[list.ends[index]] = layer[vertex] + 1
          queue.append(list.ends[index])
        }
      }
    }
    return layer
  }

  /// Returns the layers numbered from 0 without empty ones.
  static func normalized(_ layer: [Int]) -> [Int] {
    let used = Set(layer).sorted()
    var rank: [Int: Int] = [:]
    for (index, value) in used.enumerated() { rank[value] = index }
    return layer.map { rank[$0, default: 0] }
  }
}
