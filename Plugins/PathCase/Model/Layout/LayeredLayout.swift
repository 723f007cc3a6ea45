/// Lays out a graph in layers: connected components side by side, each with its flow down the page.
///
/// The same graph and options give the same layout in every run and on every thread.
enum LayeredLayout {
  /// Lays out a graph, or uses the positions that it brings along.
  ///
  /// - Parameter shouldStop: Called often; once it returns true, the rest is laid out coarsely.
  static func layout(
    _ graph: ReactionGraph, options: LayoutOptions = LayoutOptions(), shouldStop: @escaping () -> Bool = { false }
  ) -> GraphLayout {
    if options.usesFrozenPlaces, let frozen = frozenLayout(graph, options) { return frozen }
    let net = LayoutNet(graph, options: options)
    let frames = CompartmentOrder(graph, net: net)
    var assembly = LayoutAssembly(graph, net: net, options: options)
    var effort = options.effort
    for part in parts(of: net, isWhole: frames.count > 1) {
      var component = ComponentLayout(part, of: net, frames, graph, options, effort: effort, shouldStop: shouldStop)
      assembly.add(component.run(), of: part)
      effort = component.effort
      if component.isCoarse { assembly.isCoarse = true }
    }
    return assembly.finished(frames)
  }

  /// Returns the layout of the graph's own positions; nil if it has none that are usable.
  private static func frozenLayout(_ graph: ReactionGraph, _ options: LayoutOptions) -> GraphLayout? {
    guard graph.nodes.contains(where: { $0.frame != nil }) else { return nil }
    // The author of the positions drew each molecule as often as intended.
    var options = options
    options.clonesSideMolecules = false
    return FrozenPlacement.layout(graph, net: LayoutNet(graph, options: options), options: options)
  }

  /// A part that is laid out separately: vertices and lines, by index.
  struct Part {
    var vertices: [Int] = []
    var lines: [Int] = []
  }

  /// Returns the connected components, or all of the net as one part.
  private static func parts(of net: LayoutNet, isWhole: Bool) -> [Part] {
    if net.vertices.isEmpty { return [] }
    if isWhole { return [Part(vertices: Array(net.vertices.indices), lines: Array(net.lines.indices))] }
    let (component, count) = net.neighbors().components()
    var parts = [Part](repeating: Part(), count: count)
    for (vertex, number) in component.enumerated() { parts[number].vertices.append(vertex) }
    for (line, value) in net.lines.enumerated() { parts[component[value.source]].lines.append(line) }
    return parts
  }
}

/// Puts the parts of a layout side by side, and frames around compartments.
private struct LayoutAssembly {
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
    var centers = [FrozenPath.Point](repeating: .init(x: 0, y: 0), count: net.vertices.count)
    var points = [[FrozenPath.Point]](repeating: [], count: net.lines.count)
    for (index, (part, result)) in parts.enumerated() {
      let corner = corners[index]
      for (local, vertex) in part.vertices.enumerated() {
        centers[vertex] = .init(x: result.centers[local].x + corner.x, y: result.centers[local].y + corner.y)
      }
      for (local, line) in part.lines.enumerated() {
        points[line] = result.lines[local].map { .init(x: $0.x + corner.x, y: $0.y + corner.y) }
      }
    }
    let frames = net.vertices.indices.map { vertex in
      let size = net.vertices[vertex].size
      return GraphFrame(x: centers[vertex].x, y: centers[vertex].y, width: size.width, height: size.height)
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
    var newIndex = [Int](repeating: 0, count: order.count)
    for (index, vertex) in order.enumerated() { newIndex[vertex] = index }
    places = order.map { vertex in
      var value = all[vertex]
      value.beside = value.beside.map { newIndex[$0] }
      return value
    }
    for (index, line) in net.lines.enumerated() {
      routes.append(
        Route(
          edge: line.edge, opposite: line.opposite, source: newIndex[line.source], target: newIndex[line.target],
          points: points[index]))
    }
    for (number, stub) in net.stubs.enumerated() {
      let own = newIndex[net.vertices.count + number]
      for line in stub.lines {
        let isLeaving = (line.source == stub.lines.first?.source) == stub.isLeft
        routes.append(
          Route(
            edge: line.edge, opposite: line.opposite, source: isLeaving ? own : newIndex[stub.host],
            target: isLeaving ? newIndex[stub.host] : own, points: net.points(stub, line, beside: frames[stub.host])))
      }
    }
    if !stubs.isEmpty { routes.sort { $0.edge < $1.edge } }
    let counted = CrossingCount.pairs(points, ends: net.lines.map { ($0.source, $0.target) })
    (crossings, isCoarse) = (counted.count, !counted.isWhole)
  }
}

/// Counts pairs of lines that cross.
enum CrossingCount {
  /// A straight segment of a line, its upper end first.
  private struct Piece {
    var line: Int
    var top: FrozenPath.Point
    var bottom: FrozenPath.Point
    var left: Double { min(top.x, bottom.x) }
    var right: Double { max(top.x, bottom.x) }
  }

  /// Returns the number of pairs of lines without a common end whose segments cross; lines that only touch do not
  /// count.
  ///
  /// - Parameters:
  ///   - ends: The two ends of each line.
  ///   - most: The maximum number of pairs to count, and of pairs of segments to examine; if all lines of a file
  ///     overlap, the latter grow with the square of the number of lines.
  /// - Returns: The number of pairs, and whether the count is complete.
  /// - Complexity: O(*n* log *n* + *k*), where *k* is the number of pairs of segments at the same height.
  static func pairs(
    _ lines: [[FrozenPath.Point]], ends: [(Int, Int)], most: (found: Int, looks: Int) = (1_000_000, 1_000_000_000)
  ) -> (count: Int, isWhole: Bool) {
    var pieces = pieces(lines)
    pieces.sort { $0.top.y != $1.top.y ? $0.top.y < $1.top.y : $0.line < $1.line }
    var active: [Piece] = []
    var found: Set<LayoutNet.Pair> = []
    var looks = 0
    for piece in pieces {
      looks += active.count
      if looks > most.looks || found.count > most.found { return (found.count, false) }
      active.removeAll { $0.bottom.y < piece.top.y || ($0.bottom.y == piece.top.y && $0.top.y < $0.bottom.y) }
      for other in active where cross(piece, other) && !meet(ends[piece.line], ends[other.line]) {
        found.insert(LayoutNet.Pair(min(piece.line, other.line), max(piece.line, other.line)))
      }
      active.append(piece)
    }
    return (found.count, true)
  }

  private static func pieces(_ lines: [[FrozenPath.Point]]) -> [Piece] {
    var result: [Piece] = []
    for (line, points) in lines.enumerated() {
      for (first, second) in zip(points, points.dropFirst()) where first != second {
        let isDown = first.y <= second.y
        result.append(Piece(line: line, top: isDown ? first : second, bottom: isDown ? second : first))
      }
    }
    return result
  }

  private static func meet(_ first: (Int, Int), _ second: (Int, Int)) -> Bool {
    first.0 == second.0 || first.0 == second.1 || first.1 == second.0 || first.1 == second.1
  }

  private static func cross(_ first: Piece, _ second: Piece) -> Bool {
    if first.line == second.line || first.right < second.left || second.right < first.left { return false }
    return side(first, second.top) * side(first, second.bottom) < 0
      && side(second, first.top) * side(second, first.bottom) < 0
  }

  /// Returns the side of a segment on which a point lies: -1, 0 or 1.
  private static func side(_ piece: Piece, _ point: FrozenPath.Point) -> Double {
    let first = (piece.bottom.x - piece.top.x) * (point.y - piece.top.y)
    let second = (piece.bottom.y - piece.top.y) * (point.x - piece.top.x)
    return first == second ? 0 : first < second ? -1 : 1
  }
}
