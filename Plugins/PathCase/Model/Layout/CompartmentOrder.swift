/// An order of compartments from left to right that gives each a contiguous range of the picture's width.
struct CompartmentOrder {
  /// The group of each vertex: the vertices directly in one compartment, counted from the left.
  private(set) var group: [Int]
  /// The number of groups.
  private(set) var count = 1
  /// The compartment of each vertex; nil outside all compartments.
  let compartment: [Int?]
  /// The compartment that contains each compartment; cycles are cut.
  private(set) var parents: [Int?]
  /// The compartment that directly contains each group; -1 outside all compartments.
  private var compartmentOfGroup: [Int] = [-1]
  /// The walls between each group and the next.
  private(set) var walls: [Walls] = []
  /// The compartment on whose wall each vertex sits; nil for vertices on no wall.
  let wall: [Int?]
  /// The groups of processes that sit on a wall: the group of the first compartment to their right.
  private(set) var membranes: Set<Int> = []

  init(_ graph: ReactionGraph, net: LayoutNet) {
    self.init(graph, nodes: net.vertices.map(\.node))
  }

  /// - Parameter nodes: The node of each vertex.
  init(_ graph: ReactionGraph, nodes: [Int]) {
    parents = Self.parents(graph)
    let onWalls = graph.membranes(parents)
    let owners = Self.owners(graph)
    compartment = nodes.map { owners[$0] }
    wall = nodes.map { onWalls[$0] }
    group = [Int](repeating: 0, count: nodes.count)
    let children = Self.children(parents)
    var strips = Self.strips(graph, owners, parents: parents, children: children)
    for (process, inner) in onWalls {
      let outer = parents[inner] ?? -1
      let slot = children[outer]?.firstIndex(of: inner) ?? 0
      strips[process] = Strip(compartment: outer, slot: slot, isMembrane: true)
    }
    let used = Set(nodes.map { strips[$0] })
    let order = walk(children).filter { used.contains($0) }
    count = max(1, order.count)
    if !order.isEmpty { compartmentOfGroup = order.map(\.compartment) }
    membranes = Set(order.indices.filter { order[$0].isMembrane })
    let depths = Self.depths(parents)
    walls = zip(order, order.dropFirst()).map { walls(between: $0.compartment, $1.compartment, depths) }
    var rank: [Strip: Int] = [:]
    for (index, value) in order.enumerated() { rank[value] = index }
    for (vertex, node) in nodes.enumerated() { group[vertex] = rank[strips[node], default: 0] }
  }

  /// A part of a compartment's width: the part before its inner compartment of a given number.
  private struct Strip: Hashable {
    /// The compartment; -1 outside all compartments.
    var compartment: Int
    var slot = 0
    /// True for the part at the wall of that inner compartment.
    var isMembrane = false
  }

  /// Returns the compartment in which each node is drawn.
  ///
  /// A link to another pathway is drawn with its pool; a process on a wall is drawn in the compartment around that
  /// wall.
  static func owners(_ graph: ReactionGraph) -> [Int?] {
    let known = graph.compartments.indices
    var owners = graph.nodes.map { node in node.compartment.flatMap { known.contains($0) ? $0 : nil } }
    for edge in graph.edges where owners.indices.contains(edge.source) && owners.indices.contains(edge.target) {
      for (own, other) in [(edge.source, edge.target), (edge.target, edge.source)]
      where graph.nodes[own].kind == .pathway && owners[own] == nil {
        owners[own] = owners[other]
      }
    }
    let parents = parents(graph)
    for (process, inner) in graph.membranes(parents) { owners[process] = parents[inner] }
    return owners
  }

  /// Returns the strip of each node; transports lie between the compartments that they connect.
  private static func strips(
    _ graph: ReactionGraph, _ owners: [Int?], parents: [Int?], children: [Int: [Int]]
  ) -> [Strip] {
    var slot = [Int: Int]()
    for list in children.values { for (number, child) in list.enumerated() { slot[child] = number } }
    var slots = [(low: Int, high: Int)?](repeating: nil, count: owners.count)
    for edge in graph.edges where owners.indices.contains(edge.source) && owners.indices.contains(edge.target) {
      for (own, other) in [(edge.source, edge.target), (edge.target, edge.source)]
      where graph.nodes[own].kind == .process {
        // The ancestor of the other end's compartment that lies directly in the process's own.
        var next = owners[other]
        while let inner = next, parents[inner] != owners[own] { next = parents[inner] }
        guard let inner = next, inner != owners[own], let number = slot[inner] else { continue }
        slots[own] = (min(slots[own]?.low ?? number, number), max(slots[own]?.high ?? number, number))
      }
    }
    return owners.indices.map { node in
      guard let found = slots[node], found.low < found.high else { return Strip(compartment: owners[node] ?? -1) }
      return Strip(compartment: owners[node] ?? -1, slot: found.high)
    }
  }

  /// Returns the frames around a group, the innermost first.
  func frames(ofGroup group: Int) -> some Sequence<Int> {
    let own = compartmentOfGroup[group]
    return sequence(first: own) { [parents] in parents[$0] }.prefix(own < 0 ? 0 : Int.max)
  }

  /// The walls of frames between two groups.
  struct Walls: Sendable, Hashable {
    /// The number of frames around the left group that end.
    var ending = 0
    /// The number of frames around the right group that begin.
    var beginning = 0

    var count: Int { ending + beginning }
    var areBetweenFrames: Bool { ending > 0 && beginning > 0 }
  }

  /// Returns the walls that a line between two compartments crosses; -1 is outside all compartments.
  private func walls(between left: Int, _ right: Int, _ depths: [Int]) -> Walls {
    var walls = Walls()
    var (one, other): (Int?, Int?) = (left < 0 ? nil : left, right < 0 ? nil : right)
    while one != other {
      if one.map({ depths[$0] }) ?? -1 >= other.map({ depths[$0] }) ?? -1 {
        walls.ending += 1
        one = one.flatMap { parents[$0] }
      } else {
        walls.beginning += 1
        other = other.flatMap { parents[$0] }
      }
    }
    return walls
  }

  /// Returns the number of frames around each compartment.
  fileprivate static func depths(_ parents: [Int?]) -> [Int] {
    var depths = [Int](repeating: -1, count: parents.count)
    for start in parents.indices {
      var (path, next): ([Int], Int?) = ([], start)
      while let one = next, depths[one] < 0 {
        path.append(one)
        next = parents[one]
      }
      var depth = next.map { depths[$0] } ?? -1
      for one in path.reversed() {
        depth += 1
        depths[one] = depth
      }
    }
    return depths
  }

  static func parents(_ graph: ReactionGraph) -> [Int?] {
    var parents = graph.compartments.map { frame in
      frame.parent.flatMap { graph.compartments.indices.contains($0) ? $0 : nil }
    }
    for start in parents.indices {
      var (seen, next): (Set<Int>, Int) = ([start], start)
      while let parent = parents[next] {
        if !seen.insert(parent).inserted {
          parents[next] = nil
          break
        }
        next = parent
      }
    }
    return parents
  }

  /// Returns the direct children of each compartment, by index; top-level compartments at -1.
  fileprivate static func children(_ parents: [Int?]) -> [Int: [Int]] {
    var children: [Int: [Int]] = [:]
    for (index, parent) in parents.enumerated() { children[parent ?? -1, default: []].append(index) }
    return children
  }

  /// Returns all strips, from the left.
  private func walk(_ children: [Int: [Int]]) -> [Strip] {
    var (result, waiting): ([Strip], [Strip]) = ([], [Strip(compartment: -1)])
    while let next = waiting.popLast() {
      result.append(next)
      let inner = children[next.compartment, default: []]
      guard next.slot < inner.count, !next.isMembrane else { continue }
      // After this strip comes the compartment to its right, then the next strip of the same compartment.
      if next.slot + 1 < inner.count { waiting.append(Strip(compartment: next.compartment, slot: next.slot + 1)) }
      waiting.append(Strip(compartment: inner[next.slot]))
      waiting.append(Strip(compartment: next.compartment, slot: next.slot, isMembrane: true))
    }
    return result
  }

  /// Returns the nesting height of each compartment: 0 for one that contains no others.
  func heights() -> [Int] {
    var heights = [Int](repeating: 0, count: parents.count)
    for start in parents.indices {
      var (next, height) = (start, 0)
      while let parent = parents[next] {
        height += 1
        if heights[parent] >= height { break }
        heights[parent] = height
        next = parent
      }
    }
    return heights
  }
}

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

  /// Returns the walls of compartments whose processes in the membrane lie in a vertical line, by compartment.
  ///
  /// Processes that do not, as in a manual layout, sit on no wall.
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
    let depth = CompartmentOrder.depths(parents)
    return parents.indices.sorted { depth[$0] != depth[$1] ? depth[$0] > depth[$1] : $0 < $1 }
  }
}

// MARK: - Membranes

extension ReactionGraph {
  /// Returns the compartment on whose wall each process in a membrane sits, keyed by the index of the process.
  ///
  /// A process sits on the wall of the innermost compartment of its molecules; of compartments side by side, on the wall
  /// of the one further right. A wall with very many processes is ignored: stacked vertically, they would make the
  /// picture a tower.
  ///
  /// - Parameter parents: The compartment around each compartment, without cycles.
  func membranes(_ parents: [Int?]) -> [Int: Int] {
    if parents.isEmpty { return [:] }
    let ranks = Self.ranks(parents)
    var found: [Int: Int] = [:]
    let processes = membraneProcesses
    for edge in edges where edge.kind == .flow && !processes.isEmpty {
      for (process, pool) in [(edge.source, edge.target), (edge.target, edge.source)] where processes.contains(process)
      {
        guard let room = nodes[pool].compartment, parents.indices.contains(room), nodes[pool].kind == .pool else {
          continue
        }
        if found[process].map({ ranks[$0] < ranks[room] }) ?? true { found[process] = room }
      }
    }
    var counts: [Int: Int] = [:]
    for compartment in found.values { counts[compartment, default: 0] += 1 }
    return found.filter { counts[$0.value, default: 0] <= Self.mostOnWall }
  }

  private static let mostOnWall = 20

  /// Returns the position of each compartment from the left: each before those nested in it.
  private static func ranks(_ parents: [Int?]) -> [Int] {
    let children = CompartmentOrder.children(parents)
    var (ranks, next) = ([Int](repeating: 0, count: parents.count), 0)
    var waiting = Array(children[-1, default: []].reversed())
    while let one = waiting.popLast() {
      ranks[one] = next
      next += 1
      waiting += children[one, default: []].reversed()
    }
    return ranks
  }
}
