extension MetabolicDatabase {
  /// The picture of a pathway: its pools and processes, in the compartments they are in.
  ///
  /// Catalysts, activators and inhibitors are joined to the process they act on. Places of a frozen layout come along.
  ///
  /// - Parameter pathway: Its index.
  func graph(ofPathway pathway: Int) -> ReactionGraph {
    var graph = graph(of: members(ofPathway: pathway))
    (graph.id, graph.name) = (pathways[pathway].id, pathways[pathway].name)
    if let layout = links.layoutsOfPathways[pathway] { graph.place(layouts[layout]) }
    return graph
  }

  /// The picture of all pathways together.
  var wholeGraph: ReactionGraph {
    graph(
      of: PathwayMembers(
        processes: Array(processes.indices), pools: Array(pools.indices), metabolites: Array(metabolites.indices),
        compartments: Array(compartments.indices), tissues: Array(tissues.indices)))
  }

  private func graph(of members: PathwayMembers) -> ReactionGraph {
    var graph = ReactionGraph()
    var frames: [Int: Int] = [:]
    // Those around others come first.
    for compartment in withOuterOnes(members.compartments) {
      frames[compartment] = graph.compartments.count
      graph.compartments.append(
        GraphCompartment(
          id: compartments[compartment].id, name: compartments[compartment].name,
          parent: links.outerCompartments[compartment].flatMap { frames[$0] }))
    }
    var nodes: [Int: Int] = [:]
    for pool in members.pools {
      nodes[pool] = graph.nodes.count
      let metabolite = metabolites[links.poolMetabolites[pool]]
      graph.nodes.append(
        GraphNode(
          id: pools[pool].id, label: metabolite.name, kind: .pool, compartment: frames[links.poolCompartments[pool]],
          isCommon: metabolite.isCommon))
    }
    for process in members.processes { add(process, nodes, &graph) }
    return graph
  }

  /// Compartments with all that lie around them, the outer ones first.
  private func withOuterOnes(_ inner: [Int]) -> [Int] {
    var depths: [Int: Int] = [:]
    for compartment in inner {
      var chain = [compartment]
      while let outer = links.outerCompartments[chain[chain.count - 1]], chain.count <= compartments.count {
        chain.append(outer)
      }
      for (index, compartment) in chain.reversed().enumerated() { depths[compartment] = index }
    }
    return depths.sorted { ($0.value, $0.key) < ($1.value, $1.key) }.map(\.key)
  }

  private func add(_ number: Int, _ nodes: [Int: Int], _ graph: inout ReactionGraph) {
    let process = processes[number]
    let node = graph.nodes.count
    graph.nodes.append(GraphNode(id: process.id, label: process.name, kind: .process))
    var frames: Set<Int?> = []
    for (participant, pool) in zip(process.participants, links.participantPools[number]) {
      guard let other = nodes[pool] else { continue }
      if participant.role.isInput || participant.role.isOutput { frames.insert(graph.nodes[other].compartment) }
      graph.edges.append(edge(participant, process, other, node))
    }
    // A transport lies between its compartments.
    if frames.count == 1, let only = frames.first { graph.nodes[node].compartment = only }
  }

  private func edge(_ participant: Participant, _ process: MetabolicProcess, _ pool: Int, _ node: Int) -> GraphEdge {
    var edge = GraphEdge(source: pool, target: node, stoichiometry: participant.stoichiometry)
    switch participant.role {
    case .substrate, .cofactorIn: edge.isReversible = process.isReversible
    case .product, .cofactorOut:
      (edge.source, edge.target) = (node, pool)
      edge.isReversible = process.isReversible
    case .activator: edge.kind = .activation
    case .inhibitor: edge.kind = .inhibition
    case .catalyst: edge.kind = .catalysis
    }
    return edge
  }
}

extension ReactionGraph {
  /// Takes the places of a frozen layout; nodes it does not know are left to be placed.
  fileprivate mutating func place(_ layout: FrozenLayout) {
    var frames: [Identifier: FrozenNode] = [:]
    for node in layout.nodes where frames[node.ref] == nil { frames[node.ref] = node }
    for index in nodes.indices {
      guard let frozen = frames[nodes[index].id] else { continue }
      let usual = LayoutOptions.usualSize(nodes[index])
      nodes[index].frame = GraphFrame(
        x: frozen.x, y: frozen.y, width: frozen.width ?? usual.width, height: frozen.height ?? usual.height)
    }
  }
}
