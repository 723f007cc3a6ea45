import PluginAPI

/// Collects the graph of a map: nodes by their ids, free ends, warnings.
struct MapGraphBuilder {
  /// The words of free ends.
  static let freeEnd = MapCategory.freeEnd

  var graph = ReactionGraph()
  /// The first warnings; ``warnings`` are to be read.
  private var kept: [Diagnostic] = []
  /// How many warnings there were besides.
  private var more = 0
  /// Nodes by their own ids and those of their ports, decorations and anchors.
  private(set) var indices: [Identifier: Int] = [:]
  private var freeEnds: [Identifier] = []

  /// Adds a node and gives its index.
  ///
  /// - Throws: ``MapError/duplicate(id:what:)``, ``MapError/missingID(what:)``.
  mutating func add(_ node: GraphNode, what: String) throws(MapError) -> Int {
    if node.id.text.isEmpty { throw .missingID(what: what) }
    if indices[node.id] != nil { throw .duplicate(id: node.id.text, what: what) }
    indices[node.id] = graph.nodes.count
    graph.nodes.append(node)
    return graph.nodes.count - 1
  }

  /// Lets a further id mean a node; the first one that an id means stays.
  mutating func alias(_ id: Identifier, of node: Int) {
    if !id.text.isEmpty, indices[id] == nil { indices[id] = node }
  }

  /// An id that no node has: the wanted one, or one that begins as it.
  func freshID(_ wanted: String) -> Identifier {
    var id = Identifier(wanted)
    // As many tries as there are nodes would be too many.
    var number = indices.count
    while indices[id] != nil {
      id = Identifier("\(wanted):\(number)")
      number += 1
    }
    return id
  }

  /// Adds a node of no size for the end of a line that ends at nothing.
  ///
  /// - Parameter reference: What the file says the line ends at; nil if it says nothing.
  mutating func addFreeEnd(_ wanted: String, at place: FrozenPath.Point, reference: String? = nil) -> Int {
    let id = freshID(wanted)
    indices[id] = graph.nodes.count
    graph.nodes.append(
      GraphNode(
        id: id, label: "", kind: .other, isPrimary: false,
        frame: GraphFrame(x: place.x, y: place.y, width: 0, height: 0), category: Self.freeEnd, isPoint: true))
    if let reference { freeEnds.append(Identifier(reference)) }
    return graph.nodes.count - 1
  }

  /// Says that something was repaired, skipped or guessed.
  mutating func warn(_ code: String, _ message: String, advice: String? = nil) {
    if kept.count == Self.mostWarnings {
      more += 1
    } else {
      kept.append(Diagnostic(.warning, code: "pathcase." + code, message.asMessage, advice: advice))
    }
  }

  /// How many warnings are kept.
  static let mostWarnings = 100

  /// What was repaired, skipped or guessed; of very much the last tells how much more there was.
  var warnings: [Diagnostic] {
    if more == 0 { return kept }
    return kept + [Diagnostic(.warning, code: "pathcase.more-warnings", "\(more) more warnings are not shown")]
  }

  /// Says which ends stayed free; to be called when all is read.
  mutating func warnOfFreeEnds() {
    guard let first = freeEnds.first else { return }
    let count = freeEnds.count
    warn(
      "ref-002",
      count == 1
        ? "a line ends at '\(first)', which is not there; its end stays free"
        : "\(count) ends of lines are at what is not there, the first at '\(first)'; they stay free")
    freeEnds = []
  }

  /// Marks molecules such as ATP and protons as common, unless the map is of nothing else.
  ///
  /// Ways through the network do not lead over them.
  mutating func markCommon() {
    let common = graph.nodes.map { $0.kind == .pool && CarrierMolecules.contains($0) }
    let isAll = zip(graph.nodes, common).allSatisfy { $0.kind != .pool || $1 }
    if isAll { return }
    for index in graph.nodes.indices where common[index] { graph.nodes[index].isCommon = true }
  }

  /// Marks the nodes that stand for the same as others.
  mutating func markClones() {
    var counts: [Identifier: Int] = [:]
    for node in graph.nodes { if let entity = node.entity { counts[entity, default: 0] += 1 } }
    for index in graph.nodes.indices {
      if let entity = graph.nodes[index].entity, counts[entity, default: 0] > 1 { graph.nodes[index].isClone = true }
    }
  }
}

/// Puts frames in an order in which those inside others come behind them.
enum MapCompartmentOrder {
  /// The order, by index.
  ///
  /// - Parameter parents: The frame around each, by index; nil for the outermost.
  /// - Returns: The indices, those around others first, else as they were.
  /// - Throws: ``MapError/ring(_:)`` if they lie in each other.
  /// - Complexity: Linear in the frames.
  static func sorted(_ parents: [Int?], ids: [Identifier]) throws(MapError) -> [Int] {
    var order: [Int] = []
    var isPlaced = [Bool](repeating: false, count: parents.count)
    for start in parents.indices where !isPlaced[start] {
      var chain: [Int] = []
      var onChain: Set<Int> = []
      var next: Int? = start
      while let index = next, !isPlaced[index] {
        if !onChain.insert(index).inserted {
          let ring = chain.drop { $0 != index }
          throw .ring((ring + [index]).map { ids[$0].text })
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

  /// Compartments in that order, with their parents as indices in it; and where each has gone.
  static func apply(_ compartments: [GraphCompartment]) throws(MapError) -> (sorted: [GraphCompartment], places: [Int])
  {
    let order = try sorted(compartments.map(\.parent), ids: compartments.map(\.id))
    var places = [Int](repeating: 0, count: order.count)
    for (place, index) in order.enumerated() { places[index] = place }
    let sorted = order.map { index in
      var compartment = compartments[index]
      compartment.parent = compartment.parent.map { places[$0] }
      return compartment
    }
    return (sorted, places)
  }
}
