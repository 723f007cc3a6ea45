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
    let (component, count) = net.neighbours().components()
    var parts = [Part](repeating: Part(), count: count)
    for (vertex, number) in component.enumerated() { parts[number].vertices.append(vertex) }
    for (line, value) in net.lines.enumerated() { parts[component[value.source]].lines.append(line) }
    return parts
  }
}

extension ComponentLayout {
  /// Creates the layout of a part of a net.
  init(
    _ part: LayeredLayout.Part, of net: LayoutNet, _ frames: CompartmentOrder, _ graph: ReactionGraph,
    _ options: LayoutOptions, effort: Int, shouldStop: @escaping () -> Bool
  ) {
    var local = [Int: Int](minimumCapacity: part.vertices.count)
    for (index, vertex) in part.vertices.enumerated() { local[vertex] = index }
    let lines = part.lines.map { number in
      var line = net.lines[number]
      line.source = local[line.source, default: 0]
      line.target = local[line.target, default: 0]
      return line
    }
    let earlier = part.vertices.map { vertex in
      options.earlier[graph.nodes[net.vertices[vertex].node].id].map { FrozenPath.Point(x: $0.x, y: $0.y) }
    }
    self.init(
      sizes: part.vertices.map { net.vertices[$0].room },
      borders: part.vertices.map { net.vertices[$0].size.width }, lines: lines,
      groups: part.vertices.map { frames.group[$0] }, walls: frames.membranes,
      groupGaps: frames.walls.map { options.framePadding * Double($0.count + ($0.areBetweenFrames ? 1 : 0)) },
      earlier: earlier, options: options, effort: effort, shouldStop: shouldStop)
  }
}
