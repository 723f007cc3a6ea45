/// Assigns vertices to layers.
enum LayerAssignment {
  /// Returns layers in which each line goes down by the ranks of its ends, and lines are short.
  ///
  /// The layers are those of the longest paths, tightened by moving vertices toward more of their lines.
  /// - Parameters:
  ///   - order: The vertices to assign, by rank; the others stay in layer 0.
  ///   - weights: The weight of each line of the list.
  ///   - rounds: The maximum number of rounds in which all vertices are moved.
  static func layers(order: [Int], ranks: [Int], weights: [Int], list: AdjacencyList, rounds: Int) -> [Int] {
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
        if tighten(vertex, &layer, ranks, weights, list) { hasMoved = true }
      }
      if !hasMoved { break }
    }
    return layer
  }

  /// Moves a vertex within the layers permitted by its neighbors.
  private static func tighten(
    _ vertex: Int, _ layer: inout [Int], _ ranks: [Int], _ weights: [Int], _ list: AdjacencyList
  ) -> Bool {
    var (top, bottom, pull) = (Int.min, Int.max, 0)
    for index in list.range(vertex) {
      let other = list.ends[index]
      if ranks[other] < ranks[vertex] {
        top = max(top, layer[other] + 1)
        pull -= weights[list.lines[index]]
      } else {
        bottom = min(bottom, layer[other] - 1)
        pull += weights[list.lines[index]]
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

/// Layers that minimize the total length of the lines, where each line goes down at least one layer.
///
/// Lines of a spanning tree of tight lines, one layer long, are exchanged until no exchange shortens the total.
///
/// - Source: E. R. Gansner, E. Koutsofios, S. C. North, K.-P. Vo, IEEE Trans. Softw. Eng. 19, 214 (1993), ch. 2.
struct LayerSimplex {
  /// A line that goes down.
  struct Line {
    var upper: Int
    var lower: Int
    var weight: Int
  }

  private let lines: [Line]
  private let list: AdjacencyList
  private(set) var layer: [Int]
  private var isTree: [Bool]
  /// The tree line from each vertex to its parent; -1 for the root.
  private var parentLine: [Int]
  /// The vertices of the tree, each after its parent.
  private var order: [Int] = []
  private var position: [Int]
  /// The end of each vertex's subtree in the order.
  private var end: [Int]

  /// - Parameters:
  ///   - layer: A layering in which all lines go down.
  ///   - lines: The lines, which connect all vertices.
  init(layer: [Int], lines: [Line]) {
    self.layer = layer
    self.lines = lines
    list = AdjacencyList(count: layer.count, pairs: lines.map { ($0.upper, $0.lower) })
    isTree = [Bool](repeating: false, count: lines.count)
    parentLine = [Int](repeating: -1, count: layer.count)
    position = parentLine
    end = parentLine
  }

  /// Exchanges lines until no exchange helps, or the limit is reached.
  mutating func run(exchanges: Int) {
    guard growTree() else { return }
    for _ in 0..<exchanges {
      walk()
      guard let leaving = leavingLine() else { return }
      guard exchange(leaving) else { return }
    }
  }

  private func slack(_ line: Int) -> Int { layer[lines[line].lower] - layer[lines[line].upper] - 1 }

  /// Finds a tree of tight lines, moving parts until they touch.
  ///
  /// - Returns: True if the tree reaches all vertices.
  private mutating func growTree() -> Bool {
    var isIn = [Bool](repeating: false, count: layer.count)
    var members: [Int] = []
    var waiting = layer.isEmpty ? [] : [0]
    while true {
      while let vertex = waiting.popLast() {
        if isIn[vertex] { continue }
        isIn[vertex] = true
        members.append(vertex)
        for index in list.range(vertex) where !isIn[list.ends[index]] && slack(list.lines[index]) == 0 {
          waiting.append(list.ends[index])
        }
      }
      if members.count == layer.count { break }
      var best: (slack: Int, line: Int)?
      for line in lines.indices where isIn[lines[line].upper] != isIn[lines[line].lower] {
        if best == nil || slack(line) < best?.slack ?? 0 { best = (slack(line), line) }
      }
      guard let best else { return false }
      let shift = isIn[lines[best.line].upper] ? best.slack : -best.slack
      for vertex in members { layer[vertex] += shift }
      waiting = [isIn[lines[best.line].upper] ? lines[best.line].lower : lines[best.line].upper]
    }
    markTree()
    return true
  }

  private mutating func markTree() {
    var isSeen = [Bool](repeating: false, count: layer.count)
    var waiting = [0]
    isSeen[0] = true
    while let vertex = waiting.popLast() {
      for index in list.range(vertex) where !isSeen[list.ends[index]] && slack(list.lines[index]) == 0 {
        isSeen[list.ends[index]] = true
        isTree[list.lines[index]] = true
        waiting.append(list.ends[index])
      }
    }
  }

  /// Orders the tree from its root.
  private mutating func walk() {
    order.removeAll(keepingCapacity: true)
    var isSeen = [Bool](repeating: false, count: layer.count)
    var waiting = [0]
    parentLine[0] = -1
    while let vertex = waiting.popLast() {
      if vertex < 0 {
        end[-vertex - 1] = order.count
        continue
      }
      isSeen[vertex] = true
      position[vertex] = order.count
      order.append(vertex)
      waiting.append(-vertex - 1)
      for index in list.range(vertex) where isTree[list.lines[index]] && !isSeen[list.ends[index]] {
        parentLine[list.ends[index]] = list.lines[index]
        waiting.append(list.ends[index])
      }
    }
  }

  /// Returns a tree line whose removal can shorten the total, by its lower vertex in the tree.
  private func leavingLine() -> Int? {
    var surplus = [Int](repeating: 0, count: layer.count)
    for line in lines {
      surplus[line.upper] += line.weight
      surplus[line.lower] -= line.weight
    }
    var best: (value: Int, vertex: Int)?
    for vertex in order.reversed() where parentLine[vertex] >= 0 {
      let line = lines[parentLine[vertex]]
      let value = line.upper == vertex ? surplus[vertex] : -surplus[vertex]
      if value < best?.value ?? 0 { best = (value, vertex) }
      surplus[line.upper == vertex ? line.lower : line.upper] += surplus[vertex]
    }
    return best?.vertex
  }

  /// Replaces the line above a vertex by the line that connects the two parts most tightly.
  private mutating func exchange(_ vertex: Int) -> Bool {
    let old = parentLine[vertex]
    let isUpper = lines[old].upper == vertex
    let range = position[vertex]..<end[vertex]
    var best: (slack: Int, line: Int)?
    for index in range {
      let inside = order[index]
      for item in list.range(inside) {
        let line = list.lines[item]
        // It runs in the opposite direction of the removed line.
        if range.contains(position[list.ends[item]]) || (lines[line].upper == inside) == isUpper { continue }
        if best == nil || (slack(line), line) < best ?? (0, 0) { best = (slack(line), line) }
      }
    }
    guard let best else { return false }
    let shift = isUpper ? -best.slack : best.slack
    for index in range { layer[order[index]] += shift }
    isTree[old] = false
    isTree[best.line] = true
    return true
  }
}
