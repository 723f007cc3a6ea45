/// The transformation from positions in a file to positions in a layout: a scale and a translation.
struct StoredPlaces: Sendable, Hashable {
  var scale = 1.0
  /// The file's origin in the layout.
  var origin: FrozenPath.Point

  /// Computes the transformation from the two nodes furthest apart; nil if no node kept its position.
  init?(_ graph: ReactionGraph, _ layout: GraphLayout) {
    let pairs: [(file: GraphFrame, place: GraphFrame)] = layout.places.compactMap { place in
      guard place.clone == 0, let frame = graph.nodes[place.node].frame, frame.x.isFinite, frame.y.isFinite else {
        return nil
      }
      return (frame, place.frame)
    }
    guard let first = pairs.first else { return nil }
    func distance(_ one: GraphFrame, _ other: GraphFrame) -> Double { abs(one.x - other.x) + abs(one.y - other.y) }
    if let far = pairs.max(by: { distance($0.file, first.file) < distance($1.file, first.file) }),
      distance(far.file, first.file) > 0
    {
      scale = distance(far.place, first.place) / distance(far.file, first.file)
    }
    origin = .init(x: first.place.x - first.file.x * scale, y: first.place.y - first.file.y * scale)
  }

  func point(_ point: FrozenPath.Point) -> FrozenPath.Point {
    .init(x: origin.x + point.x * scale, y: origin.y + point.y * scale)
  }

  func frame(_ frame: GraphFrame) -> GraphFrame {
    GraphFrame(
      x: origin.x + frame.x * scale, y: origin.y + frame.y * scale, width: frame.width * scale,
      height: frame.height * scale)
  }

  /// Returns the scale of letters relative to the default, judged by the boxes of the file.
  func unit(_ graph: ReactionGraph) -> Double {
    // Escher draws names of metabolites 20 high.
    if graph.nodes.contains(where: { $0.labelPlace != nil }) { return 1.7 * scale }
    let heights = graph.nodes.compactMap(\.frame).filter { $0.width > 30 && $0.height > 0 }.map(\.height).sorted()
    guard !heights.isEmpty else { return scale }
    return min(max(heights[heights.count / 2] / 24, 0.5), 2) * scale
  }
}
