/// Vertices in layers, long lines cut into pieces by dummy vertices, and the order within each layer.
///
/// Real vertices come first; the dummies of a line follow each other downwards.
struct LayerStack: Sendable {
  /// The layer of each vertex, from 0 at the top.
  private(set) var layer: [Int]
  /// How many vertices are real.
  let realCount: Int
  /// The dummies of each line, from the upper end on.
  private(set) var dummies: [Range<Int>] = []
  /// Neighbours in the layer above: those of vertex v are `above[aboveStarts[v]..<aboveStarts[v + 1]]`.
  private(set) var above: [Int] = []
  private(set) var aboveStarts: [Int] = []
  private(set) var below: [Int] = []
  private(set) var belowStarts: [Int] = []
  /// The vertices of each layer, from the left.
  var order: [[Int]] = []
  /// The place of each vertex in its layer.
  var position: [Int] = []
  /// Vertices of a lower group lie to the left of those of a higher one in every layer.
  private(set) var group: [Int]

  /// Cuts lines between layers; both ends of a line must be in different ones.
  init(layer: [Int], lines: [(Int, Int)], group: [Int]) {
    self.layer = layer
    self.group = group
    realCount = layer.count
    var pieces: [(Int, Int)] = []
    pieces.reserveCapacity(lines.count * 2)
    for line in lines {
      let isDown = layer[line.0] < layer[line.1]
      let (upper, lower) = isDown ? line : (line.1, line.0)
      let first = self.layer.count
      var last = upper
      for row in stride(from: layer[upper] + 1, to: layer[lower], by: 1) {
        pieces.append((last, self.layer.count))
        last = self.layer.count
        self.layer.append(row)
        self.group.append(group[row - layer[upper] < layer[lower] - row ? upper : lower])
      }
      pieces.append((last, lower))
      dummies.append(first..<self.layer.count)
    }
    index(pieces)
  }

  /// Takes pieces between neighbouring layers as they are, the upper end first, and the order of the layers.
  ///
  /// - Parameter realCount: The vertices from there on are bends of lines.
  init(layer: [Int], realCount: Int, pieces: [(Int, Int)], group: [Int], order: [[Int]]) {
    self.layer = layer
    self.realCount = realCount
    self.group = group
    index(pieces)
    self.order = order
    numberPositions()
  }

  private mutating func index(_ pieces: [(Int, Int)]) {
    let count = layer.count
    aboveStarts = [Int](repeating: 0, count: count + 1)
    belowStarts = aboveStarts
    for (upper, lower) in pieces {
      belowStarts[upper + 1] += 1
      aboveStarts[lower + 1] += 1
    }
    for vertex in 0..<count {
      aboveStarts[vertex + 1] += aboveStarts[vertex]
      belowStarts[vertex + 1] += belowStarts[vertex]
    }
    var (nextAbove, nextBelow) = (aboveStarts, belowStarts)
    above = [Int](repeating: 0, count: pieces.count)
    below = above
    for (upper, lower) in pieces {
      below[nextBelow[upper]] = lower
      nextBelow[upper] += 1
      above[nextAbove[lower]] = upper
      nextAbove[lower] += 1
    }
    position = [Int](repeating: 0, count: count)
  }

  var count: Int { layer.count }

  func aboveRange(_ vertex: Int) -> Range<Int> { aboveStarts[vertex]..<aboveStarts[vertex + 1] }

  func belowRange(_ vertex: Int) -> Range<Int> { belowStarts[vertex]..<belowStarts[vertex + 1] }

  /// Sets the places after the order of the layers.
  mutating func numberPositions() {
    for row in order { for (place, vertex) in row.enumerated() { position[vertex] = place } }
  }

  /// How many pairs of pieces cross.
  func crossings() -> Int {
    var total = 0
    var counter = InversionCounter()
    for row in order.indices.dropLast() { total += crossings(below: row, &counter) }
    return total
  }

  /// How many pairs of pieces between a layer and the next one cross.
  func crossings(below row: Int, _ counter: inout InversionCounter) -> Int {
    counter.start(width: order[row + 1].count)
    for vertex in order[row] {
      let range = belowRange(vertex)
      for index in range { counter.look(at: position[below[index]]) }
      for index in range { counter.add(position[below[index]]) }
    }
    return counter.total
  }
}

/// Counts pairs in the wrong order with a binary indexed tree.
///
/// - Source: W. Barth, M. Jünger, P. Mutzel, J. Graph Algorithms Appl. 8, 179 (2004).
struct InversionCounter {
  private(set) var total = 0
  private var tree: [Int] = []
  private var width = 0

  mutating func start(width: Int) {
    self.width = width
    total = 0
    if tree.count < width + 1 { tree = [Int](repeating: 0, count: width + 1) }
    for index in 0...width { tree[index] = 0 }
  }

  /// Counts what was added to the right of a place.
  mutating func look(at place: Int) {
    var index = width - 1 - place
    while index > 0 {
      total += tree[index]
      index &= index - 1
    }
  }

  mutating func add(_ place: Int) {
    var index = width - place
    while index <= width {
      tree[index] += 1
      index += index & -index
    }
  }
}
