extension SBGNReader {
  /// Adds the arcs of a map.
  ///
  /// - Throws: ``MapError/dangling(from:to:)`` for an arc to a missing glyph.
  mutating func addArcs(of map: Int) throws(MapError) {
    let arcs = tree.descendants(of: map).filter { tree[$0].name == "arc" }
    // An arc's own ports represent the target of the arc.
    for arc in arcs {
      guard let target = builder.indices[Identifier(tree[arc]["target"] ?? "")] else { continue }
      for port in tree.children(of: arc, named: "port") {
        builder.alias(Identifier(tree[port]["id"] ?? ""), of: target)
      }
    }
    for arc in arcs {
      builder.graph.edges.append(try tree[arc].placing { () throws(MapError) in try edge(of: arc) })
    }
  }

  private mutating func edge(of arc: Int) throws(MapError) -> GraphEdge {
    let element = tree[arc]
    let category = element["class"] ?? ""
    let id = Identifier(element["id"] ?? "")
    let (source, target) = (try end("source", of: arc), try end("target", of: arc))
    var edge = GraphEdge(source: source.node, target: target.node, kind: SBGNArcClass.kind(of: category))
    edge.id = id
    edge.category = category
    edge.sourcePort = source.port
    edge.targetPort = target.port
    for child in tree.children(of: arc) {
      switch tree[child].name {
      case "start": edge.start = try point(tree[child])
      case "next", "end": try addCorner(child, to: &edge)
      case "glyph":
        let decoration = try decoration(child)
        if let count = MapNumber.double(decoration.text), count > 0 { edge.stoichiometry = count }
        edge.decorations.append(decoration)
      default: break
      }
    }
    if edge.curves.allSatisfy({ $0 == GraphCurve() }) { edge.curves = [] }
    return edge
  }

  /// Adds the end of an arc's segment, with the segment's control points.
  private func addCorner(_ index: Int, to edge: inout GraphEdge) throws(MapError) {
    let place = try point(tree[index])
    if tree[index].name == "end" { edge.end = place } else { edge.bends.append(place) }
    var controls: [FrozenPath.Point] = []
    for control in tree.children(of: index, named: "point") { controls.append(try point(tree[control])) }
    edge.curves.append(GraphCurve(first: controls.first, second: controls.count > 1 ? controls[1] : nil))
  }

  /// Returns the node at an arc's end, and the port if there is one.
  private mutating func end(_ name: String, of arc: Int) throws(MapError) -> (node: Int, port: Identifier?) {
    let element = tree[arc]
    let what = "the \(element["class"] ?? "arc") '\(element["id"] ?? "")'"
    guard let text = element[name], !text.isEmpty else {
      throw .dangling(from: what, to: "no glyph as its \(name)")
    }
    let id = Identifier(text)
    if let node = builder.indices[id] { return (node, builder.graph.nodes[node].id == id ? nil : id) }
    guard let compartment = compartments[id] else { throw .dangling(from: what, to: "the glyph '\(text)'") }
    // The language has no arcs at compartments; those in a file are kept as drawn.
    let child = tree.child(of: arc, named: name == "source" ? "start" : "end")
    let frame = builder.graph.compartments[compartment].frame
    let place =
      try child.map { element throws(MapError) in try point(element) }
      ?? FrozenPath.Point(x: frame?.x ?? 0, y: frame?.y ?? 0)
    return (builder.addFreeEnd("\(what) \(name)", at: place, reference: text), nil)
  }
}
