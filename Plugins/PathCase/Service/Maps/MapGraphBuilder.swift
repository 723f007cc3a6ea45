import PluginAPI

/// Builds the graph of a map: nodes by id, free ends, warnings.
struct MapGraphBuilder {
  /// The category of free ends.
  static let freeEnd = "free end"

  var graph = ReactionGraph()
  /// The first warnings; read ``warnings`` instead.
  private var kept: [Diagnostic] = []
  /// The number of further warnings.
  private var more = 0
  /// The node indices, keyed by the ids of nodes and of their ports, decorations and anchors.
  private(set) var indices: [Identifier: Int] = [:]
  private var freeEnds: [Identifier] = []

  /// Adds a node and returns its index.
  ///
  /// - Throws: ``MapError/duplicate(id:what:)``, ``MapError/missingID(what:)``.
  mutating func add(_ node: GraphNode, what: String) throws(ErrorReport) -> Int {
    if node.id.text.isEmpty { throw MapError.missingID(what: what) }
    if indices[node.id] != nil { throw MapError.duplicate(id: node.id.text, what: what) }
    indices[node.id] = graph.nodes.count
    graph.nodes.append(node)
    return graph.nodes.count - 1
  }

  /// Adds an alias for a node; the first node of an id is kept.
  mutating func alias(_ id: Identifier, of node: Int) {
    if !id.text.isEmpty, indices[id] == nil { indices[id] = node }
  }

  /// Returns an unused id: the preferred one, or one that begins with it.
  func freshID(_ wanted: String) -> Identifier {
    var id = Identifier(wanted)
    // Trying as many numbers as there are nodes would take too long.
    var number = indices.count
    while indices[id] != nil {
      id = Identifier("\(wanted):\(number)")
      number += 1
    }
    return id
  }

  /// Adds an empty node for the end of a line that is not attached to anything.
  ///
  /// - Parameter reference: The id that the file gives for the line's end; nil if there is none.
  mutating func addFreeEnd(_ wanted: String, at position: FrozenPath.Point, reference: String? = nil) -> Int {
    let id = freshID(wanted)
    indices[id] = graph.nodes.count
    graph.nodes.append(
      GraphNode(
        id: id, label: "", kind: .other, isPrimary: false,
        frame: GraphFrame(x: position.x, y: position.y, width: 0, height: 0), category: Self.freeEnd, isPoint: true))
    if let reference { freeEnds.append(Identifier(reference)) }
    return graph.nodes.count - 1
  }

  /// Adds a figure for a line that is not an edge; does nothing without points.
  mutating func addLine(_ id: Identifier, _ points: [FrozenPath.Point], _ style: GraphStyle?) {
    let (xs, ys) = (points.map(\.x), points.map(\.y))
    guard let left = xs.min(), let right = xs.max(), let top = ys.min(), let bottom = ys.max() else { return }
    let frame = GraphFrame(x: (left + right) / 2, y: (top + bottom) / 2, width: right - left, height: bottom - top)
    graph.figures.append(GraphFigure(id: id, category: "line", frame: frame, points: points, style: style))
  }

  /// Adds a warning about a repair, an omission or a guess.
  mutating func warn(_ code: String, _ message: String, advice: String? = nil) {
    if kept.count == Self.mostWarnings {
      more += 1
    } else {
      kept.append(Diagnostic(.warning, code: "pathcase." + code, message.asMessage, advice: advice))
    }
  }

  /// The maximum number of warnings kept.
  private static let mostWarnings = 100

  /// The repairs, omissions and guesses; if there are too many, the last warning gives the number of those not shown.
  var warnings: [Diagnostic] {
    if more == 0 { return kept }
    return kept + [Diagnostic(.warning, code: "pathcase.more-warnings", "\(more) more warnings are not shown")]
  }

  /// Adds warnings about free ends; call it when everything is read.
  mutating func warnOfFreeEnds() {
    guard let first = freeEnds.first else { return }
    let count = freeEnds.count
    warn(
      "ref-002",
      count == 1
        ? "a line ends at '\(first)', which does not exist; its end is not connected"
        : "\(count) line ends refer to nodes that do not exist, such as '\(first)'; they are not connected")
    freeEnds = []
  }

  /// Marks molecules such as ATP and protons as common, unless the map contains nothing else.
  ///
  /// Paths through the network avoid them.
  mutating func markCommon() {
    let common = graph.nodes.map { $0.kind == .pool && CarrierMolecules.contains($0) }
    let isAll = zip(graph.nodes, common).allSatisfy { $0.kind != .pool || $1 }
    if isAll { return }
    for index in graph.nodes.indices where common[index] { graph.nodes[index].isCommon = true }
  }

  /// Marks the nodes that represent the same thing as others.
  mutating func markClones() {
    var counts: [Identifier: Int] = [:]
    for node in graph.nodes { if let entity = node.entity { counts[entity, default: 0] += 1 } }
    for index in graph.nodes.indices {
      if let entity = graph.nodes[index].entity, counts[entity, default: 0] > 1 { graph.nodes[index].isClone = true }
    }
  }
}

/// Orders frames so that nested ones come after those that contain them.
enum MapCompartmentOrder {
  /// Returns the order, by index.
  ///
  /// - Parameter parents: The index of the frame around each; nil for the outermost.
  /// - Returns: The indices, containing frames first, otherwise in the original order.
  /// - Throws: ``MapError/ring(_:)`` if frames contain each other.
  /// - Complexity: Linear in the number of frames.
  static func sorted(_ parents: [Int?], ids: [Identifier]) throws(ErrorReport) -> [Int] {
    var order: [Int] = []
    var isPlaced = [Bool](repeating: false, count: parents.count)
    for start in parents.indices where !isPlaced[start] {
      var chain: [Int] = []
      var onChain: Set<Int> = []
      var next: Int? = start
      while let index = next, !isPlaced[index] {
        if !onChain.insert(index).inserted {
          let ring = chain.drop { $0 != index }
          throw MapError.ring((ring + [index]).map { ids[$0].text })
        }
        chain.append(index)
        next = parents[index]
      }
      for index in chain.reversed() {
        isPlaced[index] = true
        order.append(index)
      }
    }
    return order
  }

  /// Returns the compartments in that order, with their parents as indices in it, and the new index of each.
  static func apply(_ compartments: [GraphCompartment]) throws(ErrorReport) -> (
    sorted: [GraphCompartment], places: [Int]
  ) {
    let order = try sorted(compartments.map(\.parent), ids: compartments.map(\.id))
    var places = [Int](repeating: 0, count: order.count)
    for (position, index) in order.enumerated() { places[index] = position }
    let sorted = order.map { index in
      var compartment = compartments[index]
      compartment.parent = compartment.parent.map { places[$0] }
      return compartment
    }
    return (sorted, places)
  }
}

extension MapGraphBuilder {
  /// Gives nodes without a name a caption: the names of their parts, or else their kind.
  mutating func captionUnnamed() {
    var parts = [[String]](repeating: [], count: graph.nodes.count)
    for node in graph.nodes where !node.label.isEmpty {
      if let whole = node.parent { parts[whole].append(node.label) }
    }
    for index in graph.nodes.indices where graph.nodes[index].label.isEmpty {
      let names = parts[index].prefix(Self.mostPartNames).joined(separator: ":")
      let suffix = parts[index].count > Self.mostPartNames ? ":…" : ""
      graph.nodes[index].caption = names.isEmpty ? graph.nodes[index].kindCaption : names + suffix
    }
  }

  /// The maximum number of parts named in a caption.
  private static let mostPartNames = 4
}
