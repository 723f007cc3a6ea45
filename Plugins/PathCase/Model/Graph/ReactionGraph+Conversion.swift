// MARK: - Pathways

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
private struct PathwayGraphBuilder {
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
    let participants = database.participants(ofProcess: process)
    let pools = participants.map(\.1)
    for pool in pools where poolNodes[pool] == nil { add(pool: pool) }
    let node = graph.nodes.count
    // Its compartment is that of its reactants; modifiers may be across a membrane.
    let moved = participants.filter { $0.0.isMoved }.map(\.1)
    graph.nodes.append(
      GraphNode(
        id: record.id, label: record.name, kind: .process, compartment: frame(around: moved.isEmpty ? pools : moved),
        frame: places[record.id]?.first.map(Self.frame)))
    for (participant, pool) in participants {
      guard let end = end(of: poolNodes[pool] ?? [], for: record.id, at: node) else { continue }
      add(participant, of: record, between: node, and: end)
    }
  }

  private mutating func add(pool: Int) {
    let record = database.pools[pool]
    let metabolite = database.metabolite(ofPool: pool)
    let frame = frame(of: database.links.poolCompartments[pool])
    let found = places[record.id] ?? []
    for position in found.isEmpty ? [nil] : found.map(Optional.some) {
      poolNodes[pool, default: []].append(graph.nodes.count)
      if let position { clones[graph.nodes.count] = Identifier(position.clone) }
      graph.nodes.append(
        GraphNode(
          id: record.id, label: metabolite.name, kind: .pool, compartment: frame, isCommon: metabolite.isCommon,
          isPrimary: false, frame: position.map(Self.frame)))
    }
  }

  private mutating func add(
    _ participant: Participant, of process: MetabolicProcess, between node: Int, and pool: Int
  ) {
    let isOutput = participant.role.isOutput
    let path = bends[BendKey(process: process.id, pool: participant.pool)] ?? []
    graph.edges.append(
      GraphEdge(
        source: isOutput ? node : pool, target: isOutput ? pool : node, kind: participant.role.edge,
        isReversible: process.isReversible && participant.isMoved,
        stoichiometry: participant.stoichiometry,
        // Paths start at the process.
        bends: isOutput ? path : Array(path.reversed())))
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
      let index = used[record.id, default: 0]
      used[record.id] = index + 1
      graph.nodes.append(
        GraphNode(
          id: record.id, label: record.name, kind: .pathway, isPrimary: false,
          frame: index < found.count ? Self.frame(found[index]) : nil))
    }
  }

  // MARK: Compartments

  /// Returns the frame of a compartment; enclosing frames come before it.
  private mutating func frame(of compartment: Int) -> Int {
    for index in chain(compartment).reversed() where frames[index] == nil {
      let record = database.compartments[index]
      frames[index] = graph.compartments.count
      graph.compartments.append(
        GraphCompartment(
          id: record.id, name: record.name,
          parent: database.links.outerCompartments[index].flatMap { frames[$0] }))
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
    return first.first { index in chains.allSatisfy { $0.contains(index) } }.flatMap { frames[$0] }
  }
}

// MARK: - The whole database

extension MetabolicDatabase {
  /// All pools and processes as a graph for searching rather than drawing: pools first, then processes, by index.
  var wholeGraph: ReactionGraph {
    var graph = ReactionGraph(id: Identifier(snapshot), name: snapshot)
    for (index, pool) in pools.enumerated() {
      let metabolite = metabolite(ofPool: index)
      graph.nodes.append(
        GraphNode(id: pool.id, label: metabolite.name, kind: .pool, isCommon: metabolite.isCommon))
    }
    for (number, process) in processes.enumerated() {
      let node = graph.nodes.count
      graph.nodes.append(GraphNode(id: process.id, label: process.name, kind: .process))
      for (participant, pool) in participants(ofProcess: number) {
        let isOutput = participant.role.isOutput
        graph.edges.append(
          GraphEdge(
            source: isOutput ? node : pool, target: isOutput ? pool : node, kind: participant.role.edge,
            isReversible: process.isReversible && participant.isMoved, stoichiometry: participant.stoichiometry))
      }
    }
    return graph
  }
}

extension Participant.Role {
  /// The kind of edge that draws this role.
  var edge: GraphEdge.Kind {
    switch self {
    case .substrate, .product, .cofactorIn, .cofactorOut: .flow
    case .activator: .activation
    case .inhibitor: .inhibition
    case .catalyst: .catalysis
    }
  }
}

// MARK: - Models

extension ReactionModel {
  /// The graph of a model: its species and reactions, in its compartments.
  ///
  /// Reactions with one side only, which stand for the environment, are drawn too. Some formats allow a reaction to
  /// have the id of a species; its node then gets a different id.
  var graph: ReactionGraph {
    var graph = ReactionGraph(id: id, name: name.isEmpty ? id.text : name)
    graph.compartments = compartments.map {
      GraphCompartment(id: $0.id, name: $0.name.isEmpty ? $0.id.text : $0.name)
    }
    let common = commonSpecies
    graph.nodes = species.enumerated().map { index, species in
      GraphNode(
        id: species.id, label: species.shownName, kind: .pool,
        compartment: species.compartment, isCommon: common.contains(index), references: species.references)
    }
    var taken = Set(species.map(\.id))
    for reaction in reactions {
      let node = graph.nodes.count
      graph.nodes.append(process(of: reaction, &taken))
      for part in reaction.stoichiometry where part.amount != 0 {
        graph.edges.append(
          GraphEdge(
            source: part.amount < 0 ? part.species : node, target: part.amount < 0 ? node : part.species,
            isReversible: reaction.lowerBound < 0 && reaction.upperBound > 0, stoichiometry: abs(part.amount)))
      }
      for modifier in reaction.modifiers {
        graph.edges.append(GraphEdge(source: modifier.species, target: node, kind: modifier.kind.edge))
      }
    }
    return graph
  }

  private func process(of reaction: ModelReaction, _ taken: inout Set<Identifier>) -> GraphNode {
    var id = reaction.id
    while !taken.insert(id).inserted { id = Identifier("\(id) (reaction)") }
    var node = GraphNode(
      id: id, label: reaction.name.isEmpty ? reaction.id.text : reaction.name, kind: .process,
      compartment: compartment(of: reaction), references: reaction.references)
    if let rule = reaction.geneRule {
      node.genes = rule.genes.map { GraphGene(id: genes[$0].id, name: genes[$0].name) }
      node.geneRule = rule.text { genes[$0].id.text }
    }
    return node
  }

  /// Returns the compartment that contains all species of a reaction; nil if they are in several.
  private func compartment(of reaction: ModelReaction) -> Int? {
    let found = Set(reaction.stoichiometry.map { species[$0.species].compartment })
    return found.count == 1 ? found.first ?? nil : nil
  }
}

extension ModelSpecies {
  /// The name without a trailing formula, or the id if there is no name.
  var shownName: String { name.isEmpty ? id.text : SpeciesName.withoutFormula(name, formula: formula) }
}

extension ReactionModifier.Kind {
  /// The edge that draws the modifier.
  ///
  /// Modifiers of unknown role are drawn as catalysts, since most are.
  var edge: GraphEdge.Kind {
    switch self {
    case .catalyst, .unknown: .catalysis
    case .activator: .activation
    case .inhibitor: .inhibition
    }
  }
}

// MARK: - Scenario networks

extension ScenarioNetwork {
  /// The graph of the network: its pools and processes, its flows and effects.
  var graph: ReactionGraph {
    var graph = ReactionGraph(id: Identifier(name), name: name)
    graph.nodes = pools.map { GraphNode(id: $0.id, label: $0.id.text, kind: .pool) }
    for process in processes {
      let node = graph.nodes.count
      // Pools and processes may share ids here, but nodes must not.
      let isTaken = pools.contains { $0.id == process.id }
      graph.nodes.append(
        GraphNode(
          id: isTaken ? Identifier("process \(process.id)") : process.id, label: process.id.text, kind: .process,
          entity: isTaken ? process.id : nil))
      for input in process.inputs {
        graph.edges.append(GraphEdge(source: input.pool, target: node, isReversible: process.isReversible))
      }
      for output in process.outputs {
        graph.edges.append(GraphEdge(source: node, target: output, isReversible: process.isReversible))
      }
      for inhibitor in process.inhibitors {
        graph.edges.append(GraphEdge(source: inhibitor.pool, target: node, kind: .inhibition))
      }
      for activator in process.activators {
        graph.edges.append(GraphEdge(source: activator.pool, target: node, kind: .activation))
      }
    }
    return graph
  }
}
