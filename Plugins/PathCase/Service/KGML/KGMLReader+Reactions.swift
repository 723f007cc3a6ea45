extension KGMLReader {
  /// Adds the reactions: the box of their enzymes becomes the process.
  mutating func addReactions() throws(MapError) {
    var used: Set<Int> = []
    for index in tree.children(of: 0, named: "reaction") {
      let element = tree[index]
      let references = MapText.list(element["name"] ?? "")
      let process: Int
      if let box = box(of: element), used.insert(box).inserted {
        process = box
        builder.graph.nodes[box].kind = .process
        builder.graph.nodes[box].references += references
      } else {
        let wanted = "reaction \(element["id"] ?? element["name"] ?? "\(index)")"
        let node = GraphNode(
          id: builder.freshID(wanted), label: references.first ?? "", kind: .process,
          entity: references.first.map { Identifier($0) }, category: "reaction", references: references)
        process = try builder.add(node, what: "the reaction")
      }
      let isReversible = element["type"] == "reversible"
      for place in tree.children(of: index) {
        let isInput = tree[place].name == "substrate"
        guard isInput || tree[place].name == "product" else { continue }
        let pool = try pool(tree[place])
        var edge = GraphEdge(source: isInput ? pool : process, target: isInput ? process : pool)
        edge.isReversible = isReversible
        edge.category = tree[place].name
        builder.graph.edges.append(edge)
      }
    }
  }

  /// Returns the entry whose enzymes catalyze a reaction: that with its id, or else one that names the reaction.
  private func box(of reaction: MarkupTree.Element) -> Int? {
    if let id = reaction["id"], let node = builder.indices[Identifier(id)] {
      return builder.graph.nodes[node].kind == .macromolecule || builder.graph.nodes[node].kind == .process ? node : nil
    }
    return reaction["id"] == nil ? reaction["name"].flatMap { boxes[Identifier($0)] } : nil
  }

  /// Returns the node of a substrate or product; a new one without a position if the file has no entry for it.
  private mutating func pool(_ element: MarkupTree.Element) throws(MapError) -> Int {
    if let id = element["id"], let node = builder.indices[Identifier(id)] { return node }
    let name = element["name"] ?? element["id"] ?? ""
    if element["id"] == nil, let node = names[Identifier(name)] { return node }
    builder.warn("ref-002", "a reaction names the compound '\(name)', which has no entry; it is placed anew")
    let node = GraphNode(
      id: builder.freshID(element["id"] ?? name), label: name, kind: .pool, entity: Identifier(name),
      category: "compound", references: [name])
    let place = try builder.add(node, what: "the compound")
    if names[Identifier(name)] == nil { names[Identifier(name)] = place }
    return place
  }

  /// Adds the relations between pairs of entries.
  ///
  /// Enzymes that share a compound are not drawn as pairs if there are reactions; links to other maps are drawn from
  /// the compound that connects them.
  mutating func addRelations() {
    let hasReactions = counts["reaction"] ?? 0 > 0
    var ways: Set<[Int]> = []
    var missing = 0
    for index in tree.children(of: 0, named: "relation") {
      let element = tree[index]
      guard let source = builder.indices[Identifier(element["entry1"] ?? "")],
        let target = builder.indices[Identifier(element["entry2"] ?? "")]
      else {
        missing += 1
        continue
      }
      let subtypes = tree.children(of: index, named: "subtype").map { tree[$0] }
      let words = subtypes.compactMap { $0["name"] }
      var edge = GraphEdge(source: source, target: target, kind: Self.kind(of: words))
      edge.category = ([element["type"] ?? ""] + words).joined(separator: " ")
      if element["type"] == "maplink" {
        let compound = subtypes.first { $0["name"] == "compound" }.flatMap {
          builder.indices[Identifier($0["value"] ?? "")]
        }
        let map = [source, target].first { builder.graph.nodes[$0].kind == .pathway }
        guard let compound, let map else {
          builder.graph.relations.append(edge)
          continue
        }
        builder.graph.relations.append(edge)
        if ways.insert([compound, map]).inserted {
          builder.graph.edges.append(GraphEdge(source: compound, target: map, kind: .association, category: "maplink"))
        }
      } else if element["type"] == "ECrel", hasReactions {
        builder.graph.relations.append(edge)
      } else {
        builder.graph.edges.append(edge)
      }
    }
    if missing > 0 {
      builder.warn("ref-002", "\(missing) relations name entries that are not there; they are left out")
    }
  }

  /// Returns the meaning of a relation's subtypes.
  private static func kind(of subtypes: [String]) -> GraphEdge.Kind {
    for name in subtypes {
      switch name {
      case "activation", "expression", "indirect effect": return .activation
      case "inhibition", "repression": return .inhibition
      default: continue
      }
    }
    return .association
  }
}
