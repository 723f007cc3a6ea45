/// Computes the frames around the contents of compartments.
enum CompartmentFrames {
  /// Returns the smallest frames around each compartment's places and nested frames, with a margin.
  ///
  /// - Returns: The frames by compartment; nil for an empty compartment.
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
      // The name of the frame needs space above.
      var grown = box.grown(by: padding, top: padding)
      if let wall = walls[index], boxes[index].map({ wall.x <= $0.left }) ?? true { grown.left = wall.x }
      boxes[index] = grown
      if let parent = parents[index] { boxes[parent] = grown.joined(boxes[parent]) }
    }
    return boxes.map { $0?.frame }
  }

  /// A wall on which processes sit.
  private struct Wall {
    var x: Double
    /// The part of their bounds that lies inside the wall.
    var inner: LayoutBounds
  }

  /// Returns the walls of compartments whose transports lie in a vertical line, by compartment.
  ///
  /// Transports that do not, as in a manual layout, sit on no wall.
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

  /// Returns the compartments, each after all those nested in it.
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
