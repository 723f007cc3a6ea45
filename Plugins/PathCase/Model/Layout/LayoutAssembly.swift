/// Puts the parts of a layout side by side and frames around compartments.
struct LayoutAssembly {
  var layout = GraphLayout()
  private let graph: ReactionGraph
  private let net: LayoutNet
  private let options: LayoutOptions
  private var parts: [(part: LayeredLayout.Part, result: ComponentLayout.Result)] = []

  init(_ graph: ReactionGraph, net: LayoutNet, options: LayoutOptions) {
    self.graph = graph
    self.net = net
    self.options = options
  }

  mutating func add(_ result: ComponentLayout.Result, of part: LayeredLayout.Part) {
    parts.append((part, result))
  }

  /// The whole, with its places by node and its lines by edge.
  mutating func finished(_ frames: CompartmentOrder) -> GraphLayout {
    let corners = packed()
    var centres = [FrozenPath.Point](repeating: .init(x: 0, y: 0), count: net.vertices.count)
    var points = [[FrozenPath.Point]](repeating: [], count: net.lines.count)
    for (index, (part, result)) in parts.enumerated() {
      let corner = corners[index]
      for (local, vertex) in part.vertices.enumerated() {
        centres[vertex] = .init(x: result.centres[local].x + corner.x, y: result.centres[local].y + corner.y)
      }
      for (local, line) in part.lines.enumerated() {
        points[line] = result.lines[local].map { .init(x: $0.x + corner.x, y: $0.y + corner.y) }
      }
    }
    fill(centres, points)
    layout.compartments = CompartmentFrames.frames(
      layout, graph, parents: frames.parents, padding: options.framePadding)
    LayoutBounds.normalize(&layout)
    return layout
  }

  /// The upper left corner of each part: rows of parts, the tallest first, about as wide as high.
  private func packed() -> [FrozenPath.Point] {
    let order = parts.indices.sorted { left, right in
      let heights = (parts[left].result.height, parts[right].result.height)
      return heights.0 != heights.1 ? heights.0 > heights.1 : left < right
    }
    let gap = 2 * options.nodeGap
    let area = parts.reduce(0.0) { $0 + ($1.result.width + gap) * ($1.result.height + gap) }
    let widest = parts.reduce(0) { max($0, $1.result.width) }
    let limit = max(widest, (area * 1.6).squareRoot())
    var corners = [FrozenPath.Point](repeating: .init(x: 0, y: 0), count: parts.count)
    var (x, y, height) = (0.0, 0.0, 0.0)
    for index in order {
      let result = parts[index].result
      if x > 0, x + result.width > limit { (x, y, height) = (0, y + height + options.layerGap, 0) }
      corners[index] = .init(x: x, y: y)
      x += result.width + gap
      height = max(height, result.height)
    }
    return corners
  }

  private mutating func fill(_ centres: [FrozenPath.Point], _ points: [[FrozenPath.Point]]) {
    let order = net.vertices.indices.sorted { left, right in
      let (first, second) = (net.vertices[left], net.vertices[right])
      return (first.node, first.clone) < (second.node, second.clone)
    }
    var place = [Int](repeating: 0, count: order.count)
    for (index, vertex) in order.enumerated() {
      place[vertex] = index
      let value = net.vertices[vertex]
      let frame = GraphFrame(
        x: centres[vertex].x, y: centres[vertex].y, width: value.size.width, height: value.size.height)
      layout.places.append(.init(node: value.node, clone: value.clone, frame: frame))
    }
    for (index, line) in net.lines.enumerated() {
      layout.routes.append(
        .init(
          edge: line.edge, opposite: line.opposite, source: place[line.source], target: place[line.target],
          points: points[index]))
    }
    layout.crossings = CrossingCount.pairs(points, ends: net.lines.map { ($0.source, $0.target) })
  }
}
