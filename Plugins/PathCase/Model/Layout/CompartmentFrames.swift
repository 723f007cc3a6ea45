/// Frames around what lies in compartments.
enum CompartmentFrames {
  /// The smallest frames around the places of each compartment and the frames within it, with a margin.
  ///
  /// - Returns: By compartment; nil for one that nothing lies in.
  static func frames(
    _ layout: GraphLayout, _ graph: ReactionGraph, parents: [Int?], padding: Double
  ) -> [GraphFrame?] {
    var boxes = [LayoutBounds?](repeating: nil, count: parents.count)
    let owners = CompartmentOrder.owners(graph)
    for place in layout.places {
      guard let owner = owners[place.beside.map { layout.places[$0].node } ?? place.node] else { continue }
      boxes[owner] = LayoutBounds(place.frame).joined(boxes[owner])
    }
    let walls = walls(layout, graph, parents)
    for index in innermostFirst(parents) {
      let own = boxes[index].map { $0.joined(walls[index]?.inner) } ?? walls[index]?.inner
      guard let box = own else { continue }
      // The name of the frame needs room above.
      var grown = box.grown(by: padding, top: padding)
      if let wall = walls[index], boxes[index].map({ wall.x <= $0.left }) ?? true { grown.left = wall.x }
      boxes[index] = grown
      if let parent = parents[index] { boxes[parent] = grown.joined(boxes[parent]) }
    }
    return boxes.map { $0?.frame }
  }

  /// A wall that processes sit on.
  private struct Wall {
    var x: Double
    /// What of them lies within the wall.
    var inner: LayoutBounds
  }

  /// The walls of compartments whose transports lie one above the other, by compartment.
  ///
  /// Those that lie elsewhere, as in a layout by hand, sit on no wall.
  private static func walls(_ layout: GraphLayout, _ graph: ReactionGraph, _ parents: [Int?]) -> [Int: Wall] {
    if layout.isFrozen { return [:] }
    let membranes = graph.membranes(parents)
    var walls: [Int: Wall] = [:]
    for place in layout.places where place.beside == nil {
      guard let compartment = membranes[place.node] else { continue }
      var inner = LayoutBounds(place.frame)
      inner.left = place.frame.x
      guard let known = walls[compartment] else {
        walls[compartment] = Wall(x: place.frame.x, inner: inner)
        continue
      }
      walls[compartment] = Wall(x: min(known.x, place.frame.x), inner: known.inner.joined(inner))
    }
    return walls
  }

  /// The compartments, each behind all that lie within it.
  private static func innermostFirst(_ parents: [Int?]) -> [Int] {
    var depth = [Int](repeating: 0, count: parents.count)
    for start in parents.indices {
      var next = start
      while let parent = parents[next], depth[start] <= parents.count {
        depth[start] += 1
        next = parent
      }
    }
    return parents.indices.sorted { depth[$0] != depth[$1] ? depth[$0] > depth[$1] : $0 < $1 }
  }
}
