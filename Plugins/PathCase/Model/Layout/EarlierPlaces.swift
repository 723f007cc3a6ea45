/// Layers and order taken from an earlier layout, so that vertices keep their positions.
struct EarlierPlaces {
  /// The layer of each vertex, from 0.
  private(set) var layers: [Int] = []
  /// The horizontal position of each vertex.
  private var across: [Double] = []

  /// - Parameter earlier: The earlier positions; nil for new vertices, which are placed next to their neighbors.
  init(_ earlier: [FrozenPath.Point?], lines: [LayoutNet.Line], list: AdjacencyList) {
    let heights = Set(earlier.compactMap { $0?.y }).sorted()
    var rank: [Double: Int] = [:]
    for (index, height) in heights.enumerated() { rank[height] = index }
    var found = earlier.map { place in place.flatMap { rank[$0.y] } }
    across = earlier.map { $0?.x ?? 0 }
    var queue = found.indices.filter { found[$0] != nil }
    var head = 0
    while head < queue.count {
      let vertex = queue[head]
      head += 1
      for index in list.range(vertex) where found[list.ends[index]] == nil {
        let other = list.ends[index]
        found[other] = (found[vertex] ?? 0) + (lines[list.lines[index]].source == vertex ? 1 : -1)
        across[other] = across[vertex] + 0.5
        queue.append(other)
      }
    }
    layers = LayerAssignment.normalized(found.map { $0 ?? 0 })
  }

  /// Returns the horizontal position of each vertex of a stack; bends of lines lie between the ends.
  func keys(_ stack: LayerStack, lines: [LayoutNet.Line]) -> [Double] {
    var keys = across
    for (number, line) in lines.enumerated() {
      let count = stack.dummies[number].count
      for step in 0..<count {
        let share = Double(step + 1) / Double(count + 1)
        keys.append(across[line.source] + (across[line.target] - across[line.source]) * share)
      }
    }
    return keys
  }
}
