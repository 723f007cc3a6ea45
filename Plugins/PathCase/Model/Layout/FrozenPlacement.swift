/// Lays out a graph at the positions that it brings along.
enum FrozenPlacement {
  /// The maximum width and height of a picture; positions further apart are scaled down.
  private static let limit = 100_000.0

  /// Returns the layout given by the frames of the nodes.
  ///
  /// Nodes without a frame are placed below the others in rows. Positions far apart are brought closer together.
  ///
  /// - Returns: The layout; nil if no node has a frame, or all lie at one point.
  static func layout(_ graph: ReactionGraph, net: LayoutNet, options: LayoutOptions) -> GraphLayout? {
    var frames = net.vertices.map { vertex in usable(graph.nodes[vertex.node].frame, vertex.size) }
    // Clones are not from the file: they would all lie at one position.
    for (index, vertex) in net.vertices.enumerated() where vertex.clone > 0 { frames[index] = nil }
    let known = frames.compactMap { $0 }
    guard let first = known.first, known.contains(where: { $0.x != first.x || $0.y != first.y }) || frames.count == 1
    else { return nil }
    let scale = scale(known)
    for index in frames.indices {
      frames[index]?.x *= scale
      frames[index]?.y *= scale
    }
    let placed = fillMissing(frames, net, options)
    let points = net.lines.map { line in
      let bends = graph.edges[line.edge].bends.filter { $0.x.isFinite && $0.y.isFinite }
      return route(placed[line.source], placed[line.target], bends.map { .init(x: $0.x * scale, y: $0.y * scale) })
    }
    var layout = GraphLayout(net, frames: placed, points: points)
    layout.isFrozen = true
    let parents = CompartmentOrder(graph, net: net).parents
    layout.compartments = CompartmentFrames.frames(layout, graph, parents: parents, padding: options.framePadding)
    LayoutBounds.normalize(&layout)
    return layout
  }

  /// Returns a frame with finite coordinates and a size; nil if the frame is unusable.
  private static func usable(_ frame: GraphFrame?, _ size: LayoutOptions.Size) -> GraphFrame? {
    guard var frame, frame.x.isFinite, frame.y.isFinite else { return nil }
    if !(frame.width > 0 && frame.width <= limit) { frame.width = size.width }
    if !(frame.height > 0 && frame.height <= limit) { frame.height = size.height }
    return frame
  }

  /// Returns the factor that scales positions so that the picture does not exceed the limit.
  private static func scale(_ frames: [GraphFrame]) -> Double {
    guard let box = LayoutBounds(around: frames) else { return 1 }
    let extent = max(box.right - box.left, box.bottom - box.top)
    return extent > limit ? limit / extent : 1
  }

  private static func fillMissing(
    _ frames: [GraphFrame?], _ net: LayoutNet, _ options: LayoutOptions
  ) -> [GraphFrame] {
    let bounds = LayoutBounds(around: frames.compactMap { $0 }) ?? LayoutBounds(left: 0, top: 0, right: 0, bottom: 0)
    let limit = max(bounds.right, bounds.left + 800)
    var (x, y, height) = (bounds.left, bounds.bottom + options.layerGap, 0.0)
    return frames.enumerated().map { index, frame in
      if let frame { return frame }
      let size = net.vertices[index].size
      if x > bounds.left, x + size.width > limit { (x, y, height) = (bounds.left, y + height + options.nodeGap, 0) }
      let placed = GraphFrame(
        x: x + size.width / 2, y: y + size.height / 2, width: size.width, height: size.height)
      x += size.width + options.nodeGap
      height = max(height, size.height)
      return placed
    }
  }

  /// Returns a line from border to border through its bends.
  private static func route(
    _ source: GraphFrame, _ target: GraphFrame, _ bends: [FrozenPath.Point]
  ) -> [FrozenPath.Point] {
    [border(of: source, towards: bends.first ?? target.center)] + bends
      + [border(of: target, towards: bends.last ?? source.center)]
  }

  /// Returns the point at which the line from a frame's center to a point leaves the frame.
  static func border(of frame: GraphFrame, towards point: FrozenPath.Point) -> FrozenPath.Point {
    let (dx, dy) = (point.x - frame.x, point.y - frame.y)
    let steps = max(abs(dx) / max(frame.width / 2, 1e-9), abs(dy) / max(frame.height / 2, 1e-9))
    if steps <= 1 { return frame.center }
    return FrozenPath.Point(x: frame.x + dx / steps, y: frame.y + dy / steps)
  }
}

// MARK: - Stored layouts

extension FrozenLayout {
  /// Creates the stored form of a pathway's layout: the positions of pools, processes and links to other pathways, and
  /// the bends.
  ///
  /// - Parameter layout: A layout of the graph; hidden nodes have no position.
  init(_ layout: GraphLayout, of graph: ReactionGraph, pathway: Identifier) {
    self.init(pathway: pathway, width: layout.width, height: layout.height)
    let processes = Self.processes(layout, graph)
    var counts: [Int: Int] = [:]
    for place in layout.places { counts[place.node, default: 0] += 1 }
    for (index, place) in layout.places.enumerated() {
      let node = graph.nodes[place.node]
      guard node.kind == .pool || node.kind == .process || node.kind == .pathway else { continue }
      let number = place.clone == 0 ? "" : String(place.clone)
      nodes.append(
        FrozenNode(
          ref: node.id, clone: counts[place.node] == 1 ? "" : processes[index]?.text ?? number, x: place.frame.x,
          y: place.frame.y, width: place.frame.width, height: place.frame.height))
    }
    for route in layout.routes {
      let edge = graph.edges[route.edge]
      let (source, target) = (graph.nodes[edge.source], graph.nodes[edge.target])
      let bends = Array(route.points.dropFirst().dropLast())
      if source.kind == .process, target.kind == .pool {
        paths.append(FrozenPath(process: source.id, pool: target.id, points: bends))
      } else if source.kind == .pool, target.kind == .process {
        // Paths start at the process.
        paths.append(FrozenPath(process: target.id, pool: source.id, points: Array(bends.reversed())))
      }
    }
  }

  /// Returns the process of each place that belongs to exactly one, keyed by the place's index; it distinguishes places
  /// of the same pool.
  private static func processes(_ layout: GraphLayout, _ graph: ReactionGraph) -> [Int: Identifier] {
    var found: [Int: Set<Int>] = [:]
    for route in layout.routes {
      for (index, other) in [(route.source, route.target), (route.target, route.source)]
      where graph.nodes[layout.places[other].node].kind == .process {
        found[index, default: []].insert(layout.places[other].node)
      }
    }
    return found.compactMapValues { $0.count == 1 ? $0.first.map { graph.nodes[$0].id } : nil }
  }
}
