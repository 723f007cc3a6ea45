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
    for index in innermostFirst(parents) {
      guard let box = boxes[index] else { continue }
      // The name of the frame needs room above.
      let grown = box.grown(by: padding, top: padding)
      boxes[index] = grown
      if let parent = parents[index] { boxes[parent] = grown.joined(boxes[parent]) }
    }
    return boxes.map { $0?.frame }
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
