extension ComponentLayout {
  /// Moves vertices on one wall to separate layers, so that they form a vertical line.
  ///
  /// - Returns: The layers, each with at most one vertex per wall.
  func layersOfWalls(_ layer: [Int]) -> [Int] {
    var isJoined = [Bool](repeating: false, count: sizes.count)
    for line in lines { (isJoined[line.source], isJoined[line.target]) = (true, true) }
    let onWalls = sizes.indices.filter { walls.contains(groups[$0]) }
    var counts = [[Int: Int]](repeating: [:], count: (layer.max() ?? -1) + 1)
    // The number of vertices of its wall before it in its layer.
    var before = [Int](repeating: 0, count: sizes.count)
    for vertex in onWalls where isJoined[vertex] {
      before[vertex] = counts[layer[vertex]][groups[vertex], default: 0]
      counts[layer[vertex]][groups[vertex], default: 0] += 1
    }
    var (starts, next) = ([Int](), 0)
    for count in counts {
      starts.append(next)
      next += max(1, count.values.max() ?? 0)
    }
    var result = layer.indices.map { starts[layer[$0]] + before[$0] }
    // Vertices without lines go where their wall is free.
    var taken = Set(onWalls.filter { isJoined[$0] }.map { LayoutNet.Pair(groups[$0], result[$0]) })
    for vertex in onWalls where !isJoined[vertex] {
      var row = 0
      while !taken.insert(LayoutNet.Pair(groups[vertex], row)).inserted { row += 1 }
      result[vertex] = row
    }
    return result
  }
}
