/// Puts the parts of a layout side by side, and frames around compartments.
struct LayoutAssembly {
  /// A Boolean value indicating whether a part was cut short.
  var isCoarse = false
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

  /// Returns the whole layout, with its places by node and its lines by edge.
  func finished(_ order: CompartmentOrder) -> GraphLayout {
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
    let frames = net.vertices.indices.map { vertex in
      let size = net.vertices[vertex].size
      return GraphFrame(x: centres[vertex].x, y: centres[vertex].y, width: size.width, height: size.height)
    }
    var layout = GraphLayout(net, frames: frames, points: points)
    if isCoarse { layout.isCoarse = true }
    layout.compartments = CompartmentFrames.frames(
      layout, graph, parents: order.parents, padding: options.framePadding)
    LayoutBounds.normalize(&layout)
    return layout
  }

  /// Returns the upper left corner of each part: rows of parts, the tallest first, about as wide as high.
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
}

extension GraphLayout {
  /// Creates a layout from frames and lines, in the order of nodes and edges, and counts the crossings.
  ///
  /// - Parameters:
  ///   - frames: The frames, by vertex of the net.
  ///   - points: The points, by line of the net.
  init(_ net: LayoutNet, frames: [GraphFrame], points: [[FrozenPath.Point]]) {
    let stubs = net.stubs.map { stub in
      Place(node: stub.node, clone: stub.clone, frame: net.frame(stub, beside: frames[stub.host]), beside: stub.host)
    }
    let all =
      zip(net.vertices, frames).map { Place(node: $0.node, clone: $0.clone, frame: $1) } + stubs
    let order = all.indices.sorted { (all[$0].node, all[$0].clone) < (all[$1].node, all[$1].clone) }
    var place = [Int](repeating: 0, count: order.count)
    for (index, vertex) in order.enumerated() { place[vertex] = index }
    places = order.map { vertex in
      var value = all[vertex]
      value.beside = value.beside.map { place[$0] }
      return value
    }
    for (index, line) in net.lines.enumerated() {
      routes.append(
        Route(
          edge: line.edge, opposite: line.opposite, source: place[line.source], target: place[line.target],
          points: points[index]))
    }
    for (number, stub) in net.stubs.enumerated() {
      let own = place[net.vertices.count + number]
      for line in stub.lines {
        let isLeaving = (line.source == stub.lines.first?.source) == stub.isLeft
        routes.append(
          Route(
            edge: line.edge, opposite: line.opposite, source: isLeaving ? own : place[stub.host],
            target: isLeaving ? place[stub.host] : own, points: net.points(stub, line, beside: frames[stub.host])))
      }
    }
    if !stubs.isEmpty { routes.sort { $0.edge < $1.edge } }
    let counted = CrossingCount.pairs(points, ends: net.lines.map { ($0.source, $0.target) })
    (crossings, isCoarse) = (counted.count, !counted.isWhole)
  }
}
