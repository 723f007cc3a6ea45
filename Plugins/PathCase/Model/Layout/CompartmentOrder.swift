/// The order of compartments from left to right, so that each takes a stretch of the picture's width for itself.
struct CompartmentOrder {
  /// The group of each vertex: what lies right in one compartment, counted from the left.
  private(set) var group: [Int]
  /// How many groups there are.
  private(set) var count = 1
  /// The compartment of each vertex; nil outside of all.
  let compartment: [Int?]
  /// The frame around each compartment; a ring of frames is cut.
  private(set) var parents: [Int?]

  init(_ graph: ReactionGraph, net: LayoutNet) {
    self.init(graph, nodes: net.vertices.map(\.node))
  }

  /// - Parameter nodes: The node of each vertex.
  init(_ graph: ReactionGraph, nodes: [Int]) {
    let known = graph.compartments.indices
    compartment = nodes.map { node in
      graph.nodes[node].compartment.flatMap { known.contains($0) ? $0 : nil }
    }
    parents = Self.parents(graph)
    group = [Int](repeating: 0, count: nodes.count)
    let used = Set(compartment.map { $0 ?? -1 })
    let order = walk().filter { used.contains($0) }
    count = max(1, order.count)
    var rank: [Int: Int] = [:]
    for (index, value) in order.enumerated() { rank[value] = index }
    for vertex in group.indices { group[vertex] = rank[compartment[vertex] ?? -1, default: 0] }
  }

  private static func parents(_ graph: ReactionGraph) -> [Int?] {
    var parents = graph.compartments.map { frame in
      frame.parent.flatMap { graph.compartments.indices.contains($0) ? $0 : nil }
    }
    for start in parents.indices {
      var (seen, next): (Set<Int>, Int) = ([start], start)
      while let parent = parents[next] {
        if !seen.insert(parent).inserted {
          parents[next] = nil
          break
        }
        next = parent
      }
    }
    return parents
  }

  /// All compartments, each before those within it; -1 for what is outside of all.
  private func walk() -> [Int] {
    var children: [Int: [Int]] = [:]
    for (index, parent) in parents.enumerated() { children[parent ?? -1, default: []].append(index) }
    var (result, waiting): ([Int], [Int]) = ([], [-1])
    while let next = waiting.popLast() {
      result.append(next)
      waiting.append(contentsOf: children[next, default: []].reversed())
    }
    return result
  }

  /// How many frames are around each compartment's own, counted from the innermost: 0 for one without others in it.
  func heights() -> [Int] {
    var heights = [Int](repeating: 0, count: parents.count)
    for start in parents.indices {
      var (next, height) = (start, 0)
      while let parent = parents[next] {
        height += 1
        if heights[parent] >= height { break }
        heights[parent] = height
        next = parent
      }
    }
    return heights
  }
}
