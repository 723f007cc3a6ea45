/// Vertices in layers, with long lines cut into segments by dummy vertices, and the order within each layer.
///
/// Real vertices come first; the dummies of a line follow each other downward.
struct LayerStack: Sendable {
  /// The layer of each vertex, from 0 at the top.
  private(set) var layer: [Int]
  /// The number of real vertices.
  let realCount: Int
  /// The dummies of each line, starting from its first end.
  private(set) var dummies: [Range<Int>] = []
  /// Neighbors in the layer above: those of vertex v are `above[aboveStarts[v]..<aboveStarts[v + 1]]`.
  private(set) var above: [Int] = []
  private var aboveStarts: [Int] = []
  private(set) var below: [Int] = []
  private var belowStarts: [Int] = []
  /// The lines to which the segments to the layers above and below belong.
  private(set) var aboveLines: [Int] = []
  private(set) var belowLines: [Int] = []
  /// The vertices of each layer, from the left.
  var order: [[Int]] = []
  /// The index of each vertex in its layer.
  var position: [Int] = []
  /// The group of each vertex; lower groups lie left of higher ones in every layer.
  private(set) var group: [Int]

  /// Creates a stack, cutting lines between layers; a line within a layer turns back in the next one.
  init(layer: [Int], lines: [(Int, Int)], group: [Int]) {
    self.layer = layer
    self.group = group
    realCount = layer.count
    var pieces: [(Int, Int)] = []
    pieces.reserveCapacity(lines.count * 2)
    var lineOfPiece: [Int] = []
    for (number, line) in lines.enumerated() {
      defer { while lineOfPiece.count < pieces.count { lineOfPiece.append(number) } }
      if layer[line.0] == layer[line.1] {
        let dummy = self.layer.count
        pieces += [(line.0, dummy), (line.1, dummy)]
        self.layer.append(layer[line.0] + 1)
        self.group.append(max(group[line.0], group[line.1]))
        dummies.append(dummy..<dummy + 1)
        continue
      }
      let isDown = layer[line.0] < layer[line.1]
      let (upper, lower) = isDown ? line : (line.1, line.0)
      let first = self.layer.count
      var last = line.0
      for row in stride(from: layer[line.0] + (isDown ? 1 : -1), to: layer[line.1], by: isDown ? 1 : -1) {
        let dummy = self.layer.count
        pieces.append(isDown ? (last, dummy) : (dummy, last))
        last = dummy
        self.layer.append(row)
        self.group.append(group[row - layer[upper] < layer[lower] - row ? upper : lower])
      }
      pieces.append(isDown ? (last, line.1) : (line.1, last))
      dummies.append(first..<self.layer.count)
    }
    index(pieces, lineOfPiece)
  }

  /// Creates a stack from segments between neighboring layers, upper end first, and the order of the layers.
  ///
  /// - Parameters:
  ///   - realCount: The number of real vertices; later ones are bends of lines.
  ///   - lineOfPiece: The line to which each segment belongs.
  init(
    layer: [Int], realCount: Int, pieces: [(Int, Int)], lineOfPiece: [Int], group: [Int], order: [[Int]],
    dummies: [Range<Int>] = []
  ) {
    self.dummies = dummies
    self.layer = layer
    self.realCount = realCount
    self.group = group
    index(pieces, lineOfPiece)
    self.order = order
    numberPositions()
  }

  private mutating func index(_ pieces: [(Int, Int)], _ lineOfPiece: [Int]) {
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
    aboveLines = above
    belowLines = above
    for (piece, (upper, lower)) in pieces.enumerated() {
      below[nextBelow[upper]] = lower
      belowLines[nextBelow[upper]] = lineOfPiece[piece]
      nextBelow[upper] += 1
      above[nextAbove[lower]] = upper
      aboveLines[nextAbove[lower]] = lineOfPiece[piece]
      nextAbove[lower] += 1
    }
    position = [Int](repeating: 0, count: count)
  }

  var count: Int { layer.count }

  func aboveRange(_ vertex: Int) -> Range<Int> { aboveStarts[vertex]..<aboveStarts[vertex + 1] }

  func belowRange(_ vertex: Int) -> Range<Int> { belowStarts[vertex]..<belowStarts[vertex + 1] }

  /// Sets the positions from the order of the layers.
  mutating func numberPositions() {
    for row in order { for (index, vertex) in row.enumerated() { position[vertex] = index } }
  }

  /// Returns the number of crossing pairs of segments.
  func crossings() -> Int {
    var total = 0
    var counter = InversionCounter()
    for row in order.indices.dropLast() { total += crossings(below: row, &counter) }
    return total
  }

  /// Returns the number of crossing pairs of segments between a layer and the next.
  private func crossings(below row: Int, _ counter: inout InversionCounter) -> Int {
    counter.start(width: order[row + 1].count)
    for vertex in order[row] {
      let range = belowRange(vertex)
      for index in range { counter.look(at: position[below[index]]) }
      for index in range { counter.add(position[below[index]]) }
    }
    return counter.total
  }
}

/// Counts inversions with a binary indexed tree.
///
/// - Source: W. Barth, M. Jünger, P. Mutzel, J. Graph Algorithms Appl. 8, 179 (2004).
private struct InversionCounter {
  private(set) var total = 0
  private var tree: [Int] = []
  private var width = 0

  mutating func start(width: Int) {
    self.width = width
    total = 0
    if tree.count < width + 1 { tree = [Int](repeating: 0, count: width + 1) }
    for index in 0...width { tree[index] = 0 }
  }

  /// Counts the earlier additions to the right of an index.
  mutating func look(at position: Int) {
    var index = width - 1 - position
    while index > 0 {
      total += tree[index]
      index &= index - 1
    }
  }

  mutating func add(_ position: Int) {
    var index = width - position
    while index <= width {
      tree[index] += 1
      index += index & -index
    }
  }
}
