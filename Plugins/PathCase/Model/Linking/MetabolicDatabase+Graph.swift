extension MetabolicDatabase {
  /// Returns the graph of a pathway before layout: its processes and their pools, in the pathway's order.
  ///
  /// Nodes with a position in the stored layout have frames; a pool with several positions has one node for each. Pools
  /// that link to other pathways have a node beside them for each link.
  /// - Parameter pathway: The index of the pathway.
  func graph(ofPathway pathway: Int) -> ReactionGraph {
    var builder = PathwayGraphBuilder(database: self, pathway: pathway)
    return builder.build()
  }
}

/// Builds the graph of a pathway.
struct PathwayGraphBuilder {
  private let database: MetabolicDatabase
  private let pathway: Int
  private let layout: FrozenLayout?
  private var graph = ReactionGraph()
  /// The frames of the graph, keyed by the database's compartment index.
  private var frames: [Int: Int] = [:]
  /// The nodes of each pool.
  private var poolNodes: [Int: [Int]] = [:]
  /// The label that distinguishes a node from others of its pool, if the layout gives one.
  private var clones: [Int: Identifier] = [:]
  /// The positions of each pool and process in the stored layout.
  private var places: [Identifier: [FrozenNode]] = [:]
  private var bends: [BendKey: [FrozenPath.Point]] = [:]

  private struct BendKey: Hashable {
    var process: Identifier
    var pool: Identifier
  }

  /// The size of nodes without one in the layout, in the layout's units.
  private static let usualSize = (width: 80.0, height: 30.0)

  init(database: MetabolicDatabase, pathway: Int) {
    self.database = database
    self.pathway = pathway
    layout = database.links.layoutsOfPathways[pathway].map { database.layouts[$0] }
    for node in layout?.nodes ?? [] { places[node.ref, default: []].append(node) }
    for path in layout?.paths ?? [] { bends[BendKey(process: path.process, pool: path.pool)] = path.points }
  }

  mutating func build() -> ReactionGraph {
    graph.id = database.pathways[pathway].id
    graph.name = database.pathways[pathway].name
    for process in database.links.processesOfPathways[pathway] { add(process: process) }
    markPrimary()
    addLinks()
    return graph
  }

  private mutating func add(process: Int) {
    let record = database.processes[process]
    let pools = Array(database.links.participantPools[process])
    for pool in pools where poolNodes[pool] == nil { add(pool: pool) }
    let node = graph.nodes.count
    // Its compartment is that of its reactants; modifiers may be across a membrane.
    let moved = zip(record.participants, pools).filter { $0.0.role.isInput || $0.0.role.isOutput }.map(\.1)
    graph.nodes.append(
      GraphNode(
        id: record.id, label: record.name, kind: .process, compartment: frame(around: moved.isEmpty ? pools : moved),
        frame: places[record.id]?.first.map(Self.frame)))
    for (participant, pool) in zip(record.participants, pools) {
      guard let end = end(of: poolNodes[pool] ?? [], for: record.id, at: node) else { continue }
      add(participant, of: record, between: node, and: end)
    }
  }

  private mutating func add(pool: Int) {
    let record = database.pools[pool]
    let metabolite = database.metabolites[database.links.poolMetabolites[pool]]
    let frame = frame(of: database.links.poolCompartments[pool])
    let found = places[record.id] ?? []
    for place in found.isEmpty ? [nil] : found.map(Optional.some) {
      poolNodes[pool, default: []].append(graph.nodes.count)
      if let place { clones[graph.nodes.count] = Identifier(place.clone) }
      graph.nodes.append(
        GraphNode(
          id: record.id, label: metabolite.name, kind: .pool, compartment: frame, isCommon: metabolite.isCommon,
          isPrimary: false, frame: place.map(Self.frame)))
    }
  }

  private mutating func add(
    _ participant: Participant, of process: MetabolicProcess, between node: Int, and pool: Int
  ) {
    let isOutput = participant.role.isOutput
    let path = bends[BendKey(process: process.id, pool: participant.pool)] ?? []
    graph.edges.append(
      GraphEdge(
        source: isOutput ? node : pool, target: isOutput ? pool : node, kind: Self.kind(participant.role),
        isReversible: process.isReversible && (isOutput || participant.role.isInput),
        stoichiometry: participant.stoichiometry,
        // Paths start at the process.
        bends: isOutput ? path : path.reversed()))
  }

  private static func kind(_ role: Participant.Role) -> GraphEdge.Kind {
    switch role {
    case .substrate, .product, .cofactorIn, .cofactorOut: .flow
    case .activator: .activation
    case .inhibitor: .inhibition
    case .catalyst: .catalysis
    }
  }

  private static func frame(_ node: FrozenNode) -> GraphFrame {
    GraphFrame(
      x: node.x, y: node.y, width: node.width ?? usualSize.width, height: node.height ?? usualSize.height)
  }

  /// Returns the node of a pool that belongs to a process by its layout, or else the nearest one.
  private func end(of nodes: [Int], for process: Identifier, at node: Int) -> Int? {
    nodes.first { nodes.count > 1 && clones[$0] == process } ?? nearest(nodes, to: node)
  }

  /// Returns the node of a pool that is nearest to a process; the first if nothing has a position.
  private func nearest(_ nodes: [Int], to process: Int) -> Int? {
    guard let center = graph.nodes[process].frame else { return nodes.first }
    return nodes.min { distance($0, center) < distance($1, center) }
  }

  private func distance(_ node: Int, _ center: GraphFrame) -> Double {
    guard let frame = graph.nodes[node].frame else { return .infinity }
    let (x, y) = (frame.x - center.x, frame.y - center.y)
    return x * x + y * y
  }

  /// Marks the main chain, which passes through substrates and products that are not common.
  private mutating func markPrimary() {
    var main: Set<Identifier> = []
    for process in database.links.processesOfPathways[pathway] {
      for participant in database.processes[process].participants
      where participant.role == .substrate || participant.role == .product { main.insert(participant.pool) }
    }
    for node in graph.nodes.indices where graph.nodes[node].kind == .pool {
      graph.nodes[node].isPrimary = main.contains(graph.nodes[node].id) && !graph.nodes[node].isCommon
    }
  }

  private mutating func addLinks() {
    var used: [Identifier: Int] = [:]
    for link in database.pathways[pathway].links {
      guard let other = database.index.pathways[link.pathway],
        let pool = link.via.flatMap({ database.index.pools[$0] }),
        let end = poolNodes[pool]?.first
      else { continue }
      let record = database.pathways[other]
      graph.edges.append(GraphEdge(source: end, target: graph.nodes.count, kind: .association))
      let found = places[record.id] ?? []
      let place = used[record.id, default: 0]
      used[record.id] = place + 1
      graph.nodes.append(
        GraphNode(
          id: record.id, label: record.name, kind: .pathway, isPrimary: false,
          frame: place < found.count ? Self.frame(found[place]) : nil))
    }
  }

  // MARK: Compartments

  /// Returns the frame of a compartment; enclosing frames come before it.
  private mutating func frame(of compartment: Int) -> Int {
    for place in chain(compartment).reversed() where frames[place] == nil {
      let record = database.compartments[place]
      frames[place] = graph.compartments.count
      graph.compartments.append(
        GraphCompartment(
          id: record.id, name: record.name,
          parent: database.links.outerCompartments[place].flatMap { frames[$0] }))
    }
    return frames[compartment] ?? 0
  }

  /// Returns a compartment and those that enclose it, outward.
  private func chain(_ compartment: Int) -> [Int] {
    Array(sequence(first: compartment) { database.links.outerCompartments[$0] })
  }

  /// Returns the smallest frame that encloses several pools; nil if there is none.
  private func frame(around pools: [Int]) -> Int? {
    let chains = pools.map { chain(database.links.poolCompartments[$0]) }
    guard let first = chains.first else { return nil }
    let common = first.first { place in chains.allSatisfy { $0.contains(place) } }
    return common.flatMap { frames[$0] }
  }
}
