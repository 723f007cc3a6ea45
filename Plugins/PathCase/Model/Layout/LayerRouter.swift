/// Assigns heights to layers and draws the lines between them.
///
/// Within the height of a layer lines are vertical, so that none crosses a node.
struct LayerRouter {
  private let stack: LayerStack
  private let centers: [Double]
  private let sizes: [LayoutOptions.Size]
  private let borders: [Double]
  /// The upper and lower border of each layer.
  private var tops: [Double] = []
  private var bottoms: [Double] = []

  init(_ stack: LayerStack, centers: [Double], sizes: [LayoutOptions.Size], borders: [Double], layerGap: Double) {
    self.stack = stack
    self.centers = centers
    self.sizes = sizes
    self.borders = borders
    var next = 0.0
    for (number, row) in stack.order.enumerated() {
      let height = row.reduce(0) { $1 < sizes.count ? max($0, sizes[$1].height) : $0 }
      tops.append(next)
      bottoms.append(next + height)
      next += height + layerGap + Self.slope(stack, centers, below: number, most: layerGap)
    }
  }

  /// Returns the space below a layer that its widest line needs beyond the usual gap, so that it is not almost
  /// horizontal.
  private static func slope(_ stack: LayerStack, _ centers: [Double], below row: Int, most: Double) -> Double {
    var widest = 0.0
    for vertex in stack.order[row] {
      for index in stack.belowRange(vertex) {
        widest = max(widest, abs(centers[stack.below[index]] - centers[vertex]))
      }
    }
    return min(most, widest * 0.06)
  }

  mutating func run(lines: [LayoutNet.Line]) -> ComponentLayout.Result {
    var result = ComponentLayout.Result()
    for vertex in sizes.indices {
      let row = stack.layer[vertex]
      result.centers.append(FrozenPath.Point(x: centers[vertex], y: (tops[row] + bottoms[row]) / 2))
    }
    let ports = portPlaces()
    result.lines = lines.indices.map { points(of: $0, lines[$0], ports) }
    shift(&result)
    return result
  }

  /// Returns the horizontal offset at which each segment leaves its vertex, below and above, so that segments of a
  /// vertex do not cross.
  private func portPlaces() -> (below: [Double], above: [Double]) {
    var below = [Double](repeating: 0, count: stack.below.count)
    var above = [Double](repeating: 0, count: stack.above.count)
    for vertex in sizes.indices {
      spread(stack.belowRange(vertex), stack.below, vertex, &below)
      spread(stack.aboveRange(vertex), stack.above, vertex, &above)
    }
    return (below, above)
  }

  private func spread(_ range: Range<Int>, _ ends: [Int], _ vertex: Int, _ offsets: inout [Double]) {
    if range.count < 2 { return }
    let sorted = range.sorted { (stack.position[ends[$0]], $0) < (stack.position[ends[$1]], $1) }
    // A line that continues straight leaves in the middle, the others beside it.
    let straight = sorted.firstIndex { abs(centers[ends[$0]] - centers[vertex]) < 0.5 }
    let middle = straight.map(Double.init) ?? Double(range.count - 1) / 2
    let furthest = max(middle, Double(range.count - 1) - middle)
    let step = min(borders[vertex] / (2 * furthest + 2), 14)
    for (number, index) in sorted.enumerated() { offsets[index] = (Double(number) - middle) * step }
  }

  private func points(
    of number: Int, _ line: LayoutNet.Line, _ ports: (below: [Double], above: [Double])
  ) -> [FrozenPath.Point] {
    let chain = [line.source] + Array(stack.dummies[number]) + [line.target]
    var points: [FrozenPath.Point] = []
    for (step, vertex) in chain.enumerated() {
      let row = stack.layer[vertex]
      let (top, bottom) = (tops[row], bottoms[row])
      // The direction from which the line comes and to which it goes; at its ends it comes from inside.
      let isFromAbove = step > 0 ? stack.layer[chain[step - 1]] < row : stack.layer[chain[1]] > row
      let isToBelow = step + 1 < chain.count ? stack.layer[chain[step + 1]] > row : isFromAbove
      var (x, start, end) = (centers[vertex], isFromAbove ? top : bottom, isToBelow ? bottom : top)
      if step == 0 || step == chain.count - 1 {
        let other = step == 0 ? chain[1] : chain[chain.count - 2]
        let isBelow = stack.layer[other] > row
        x += port(vertex, other, isBelow: isBelow, ports)
        let border = (top + bottom + (isBelow ? 1 : -1) * sizes[vertex].height) / 2
        if step == 0 { start = border } else { end = border }
      }
      points.append(FrozenPath.Point(x: x, y: start))
      if end != start { points.append(FrozenPath.Point(x: x, y: end)) }
    }
    return Self.withoutStraightBends(points)
  }

  private func port(
    _ vertex: Int, _ other: Int, isBelow: Bool, _ ports: (below: [Double], above: [Double])
  ) -> Double {
    if isBelow { return stack.belowRange(vertex).first { stack.below[$0] == other }.map { ports.below[$0] } ?? 0 }
    return stack.aboveRange(vertex).first { stack.above[$0] == other }.map { ports.above[$0] } ?? 0
  }

  /// Returns the points without those on a straight line between their neighbors.
  static func withoutStraightBends(_ points: [FrozenPath.Point]) -> [FrozenPath.Point] {
    var result: [FrozenPath.Point] = []
    for point in points {
      if point == result.last { continue }
      if result.count > 1 {
        let (first, second) = (result[result.count - 2], result[result.count - 1])
        let turn = (second.x - first.x) * (point.y - first.y) - (second.y - first.y) * (point.x - first.x)
        if abs(turn) < 1e-9 { result.removeLast() }
      }
      result.append(point)
    }
    return result
  }

  /// Moves everything so that the left and upper borders are at 0.
  private func shift(_ result: inout ComponentLayout.Result) {
    var (left, right) = (Double.infinity, -Double.infinity)
    for vertex in sizes.indices {
      left = min(left, result.centers[vertex].x - sizes[vertex].width / 2)
      right = max(right, result.centers[vertex].x + sizes[vertex].width / 2)
    }
    for point in result.lines.joined() {
      left = min(left, point.x)
      right = max(right, point.x)
    }
    for vertex in result.centers.indices { result.centers[vertex].x -= left }
    for line in result.lines.indices {
      for index in result.lines[line].indices { result.lines[line][index].x -= left }
    }
    result.width = max(0, right - left)
    result.height = bottoms.last ?? 0
  }
}
