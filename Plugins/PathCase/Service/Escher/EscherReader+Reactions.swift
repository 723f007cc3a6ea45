import PluginAPI

extension EscherReader {
  mutating func addReactions(_ reactions: Record) throws(MapError) {
    counts["reactions"] = reactions.fields.count
    for field in reactions.fields {
      try Self.placing(bytes, "reactions", field.name) { () throws(MapError) in try addReaction(field.name, field.value)
      }
    }
  }

  private mutating func addReaction(_ key: String, _ value: Value) throws(MapError) {
    let tree = try segments(of: key, value)
    let name = value["name"].text ?? ""
    let entity = value["bigg_id"].text ?? key
    let root = tree.root.flatMap { parts[$0] }
    var process = GraphNode(
      id: builder.freshID(tree.root?.text ?? "reaction \(key)"), label: name.isEmpty ? entity : name, kind: .process,
      frame: root.map {
        GraphFrame(x: $0.place.x, y: $0.place.y, width: Self.widths.marker, height: Self.widths.marker)
      },
      entity: Identifier(entity), category: "reaction")
    process.labelPlace = try Self.labelPlace(value, of: process.id)
    process.geneRule = value["gene_reaction_rule"].text ?? ""
    process.genes = (value["genes"].list ?? []).map {
      GraphGene(id: Identifier($0["bigg_id"].text ?? ""), name: $0["name"].text ?? "")
    }
    let node = try builder.add(process, what: "the reaction")
    let isReversible = value["reversibility"].bool ?? false
    let drawn = try addParticipants(of: node, value, tree, isReversible: isReversible)
    addRest(of: node, tree, drawn)
    if tree.leftOut > 0 {
      builder.warn(
        "map-simplified",
        "\(tree.leftOut) segments of the reaction '\(entity)' lead to no metabolite by a way of their own; "
          + "they are left out")
    }
  }

  /// Adds the edges to the participating metabolites, in list order; returns those that are drawn.
  private mutating func addParticipants(
    of process: Int, _ value: Value, _ tree: EscherSegments, isReversible: Bool
  ) throws(MapError) -> Set<Identifier> {
    var drawn: Set<Identifier> = []
    var listed: Set<Identifier> = []
    let id = builder.graph.nodes[process].id
    var leaves: [Identifier: [Identifier]] = [:]
    for leaf in tree.leaves {
      if let node = parts[leaf]?.node { leaves[builder.graph.nodes[node].subject, default: []].append(leaf) }
    }
    for entry in value["metabolites"].list ?? [] {
      counts["metabolite_refs", default: 0] += 1
      let entity = Identifier(entry["bigg_id"].text ?? "")
      guard listed.insert(entity).inserted else {
        builder.warn("map-simplified", "'\(entity)' is listed twice in the reaction of '\(id)'; the first counts")
        continue
      }
      let coefficient = try Self.number(entry["coefficient"], of: "the coefficient of '\(entity)'")
      var ends = leaves[entity] ?? []
      if ends.isEmpty {
        let undrawn = GraphNode(
          id: builder.freshID("\(id):\(entity)"), label: entity.text, kind: .pool, isPrimary: false, entity: entity,
          category: Self.undrawn)
        let node = try builder.add(undrawn, what: "the metabolite")
        parts[undrawn.id] = EscherPart(order: .max, place: FrozenPath.Point(x: 0, y: 0), isMidmarker: false, node: node)
        ends = [undrawn.id]
      }
      for end in ends {
        drawn.insert(end)
        addEdge(from: process, to: end, tree) { edge in
          edge.isReversible = isReversible
          edge.stoichiometry = abs(coefficient)
          if coefficient < 0 { edge = edge.reversed }
        }
      }
    }
    return drawn
  }

  /// The category of metabolites that are in a reaction but not shown on the map.
  static let undrawn = "undrawn"
  /// The category of reaction ends without a metabolite.
  static let marker = "multimarker"

  /// Adds edges to the remaining ends of a reaction: metabolites that are not listed, and markers at open ends.
  private mutating func addRest(of process: Int, _ tree: EscherSegments, _ drawn: Set<Identifier>) {
    for leaf in tree.leaves where !drawn.contains(leaf) {
      guard let part = parts[leaf] else { continue }
      if let node = part.node {
        builder.warn(
          "map-simplified",
          "the reaction of '\(builder.graph.nodes[process].id)' leads to '\(builder.graph.nodes[node].label)', "
            + "which is not listed in it; it is drawn as belonging to it")
      } else {
        parts[leaf]?.node = builder.addFreeEnd(leaf.text, at: part.place)
      }
      addEdge(from: process, to: leaf, tree) { edge in
        edge.kind = .association
        edge.category = Self.marker
      }
      // Another reaction may end at the same marker, with its own node.
      if part.node == nil { parts[leaf]?.node = nil }
    }
  }

  private mutating func addEdge(
    from process: Int, to end: Identifier, _ tree: EscherSegments, _ change: (inout GraphEdge) -> Void
  ) {
    guard let node = parts[end]?.node else { return }
    var edge = GraphEdge(source: process, target: node)
    let path = tree.path(to: end)
    edge.bends = path.dropLast().compactMap { parts[$0.end]?.place }
    if path.contains(where: { $0.curve != GraphCurve() }) { edge.curves = path.map(\.curve) }
    change(&edge)
    builder.graph.edges.append(edge)
  }

  /// Returns the segments of a reaction as a tree.
  private mutating func segments(of key: String, _ value: Value) throws(MapError) -> EscherSegments {
    let fields = value["segments"].record?.fields ?? []
    counts["segments", default: 0] += fields.count
    var segments: [EscherSegments.Segment] = []
    for field in fields {
      segments.append(
        try Self.placing(bytes, "reactions", key, "segments", field.name) { () throws(MapError) in
          try segment(field, of: key)
        })
    }
    return EscherSegments(segments, parts)
  }

  private func segment(_ field: Record.Field, of key: String) throws(MapError) -> EscherSegments.Segment {
    var ends: [Identifier] = []
    for name in ["from_node_id", "to_node_id"] {
      let id = Self.id(field.value[name]) ?? ""
      if parts[id] == nil {
        throw .dangling(from: "the segment '\(field.name)' of the reaction '\(key)'", to: "the node '\(id)'")
      }
      ends.append(id)
    }
    return EscherSegments.Segment(
      from: ends[0], to: ends[1],
      curve: GraphCurve(
        first: try control(field.value["b1"], field.name), second: try control(field.value["b2"], field.name)))
  }

  private func control(_ value: Value, _ segment: String) throws(MapError) -> FrozenPath.Point? {
    value.isNull ? nil : try Self.point(value, of: "the segment '\(segment)'")
  }
}
