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
  private var place: [Int]
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
    place = parentLine
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
      place[vertex] = order.count
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
    let range = place[vertex]..<end[vertex]
    var best: (slack: Int, line: Int)?
    for index in range {
      let inside = order[index]
      for item in list.range(inside) {
        let line = list.lines[item]
        // It runs in the opposite direction of the removed line.
        if range.contains(place[list.ends[item]]) || (lines[line].upper == inside) == isUpper { continue }
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
