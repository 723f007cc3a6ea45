/// The segments of a reaction as paths from its midmarker through other markers to metabolites.
struct EscherSegments {
  /// A segment between two nodes of the file.
  struct Segment {
    var from: Identifier
    var to: Identifier
    var curve: GraphCurve
  }

  /// A step of a path.
  struct Step {
    var start: Identifier
    var end: Identifier
    /// The curve in the direction of the path.
    var curve: GraphCurve
  }

  /// The start of all paths: the midmarker, or else another marker; nil if there is none.
  let root: Identifier?
  /// The ends of paths, in the order of the file's nodes.
  private(set) var leaves: [Identifier] = []
  /// The number of segments on no path.
  private(set) var leftOut = 0
  /// The maximum number of segments in a path; those of real maps have three.
  private static let longestWay = 256
  /// The last step to each node.
  private var steps: [Identifier: Step] = [:]

  init(_ segments: [Segment], _ parts: [Identifier: EscherPart]) {
    func order(_ id: Identifier) -> Int { parts[id]?.order ?? .max }
    var neighbours: [Identifier: [Step]] = [:]
    for segment in segments {
      neighbours[segment.from, default: []].append(
        Step(start: segment.from, end: segment.to, curve: segment.curve))
      neighbours[segment.to, default: []].append(
        Step(start: segment.to, end: segment.from, curve: segment.curve.reversed))
    }
    let markers = neighbours.keys.filter { parts[$0]?.node == nil }.sorted { order($0) < order($1) }
    root = markers.first { parts[$0]?.isMidmarker ?? false } ?? markers.first
    guard let root else {
      leftOut = segments.count
      return
    }
    var reached: Set<Identifier> = [root]
    var depths: [Identifier: Int] = [:]
    var queue = [root]
    var next = 0
    var used = 0
    while next < queue.count {
      let place = queue[next]
      next += 1
      var isLeaf = true
      // Paths end at metabolites.
      if parts[place]?.node == nil, depths[place, default: 0] < Self.longestWay {
        for step in neighbours[place] ?? [] where reached.insert(step.end).inserted {
          steps[step.end] = step
          depths[step.end] = depths[place, default: 0] + 1
          queue.append(step.end)
          used += 1
          isLeaf = false
        }
      }
      if isLeaf, place != root { leaves.append(place) }
    }
    leftOut = segments.count - used
    leaves.sort { order($0) < order($1) }
  }

  /// Returns the path from the root to a node; empty if there is none.
  func path(to end: Identifier) -> [Step] {
    var path: [Step] = []
    var place = end
    while let step = steps[place] {
      path.append(step)
      place = step.start
    }
    return path.reversed()
  }
}
