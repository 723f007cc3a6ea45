extension SBGNReader {
  /// The containers of glyphs.
  private enum Holder {
    case node(Int), compartment(Int)
    /// Glyphs on an arc are read with the arc.
    case arc
  }

  /// Adds the glyphs of a map, including nested ones.
  mutating func addGlyphs(of map: Int) throws(MapError) {
    try addCompartments(of: map)
    var open: [(holder: Holder, end: Int)] = []
    for index in tree.descendants(of: map) {
      while let last = open.last, last.end <= index { open.removeLast() }
      let element = tree[index]
      if element.name == "arc" {
        open.append((.arc, element.end))
      } else if element.name == "glyph" {
        if case .arc = open.last?.holder { continue }
        let outer = open.last?.holder
        let holder = try element.placing { () throws(MapError) in try addGlyph(index, in: outer) }
        open.append((holder, element.end))
      }
    }
    for (node, glyph, compartment) in rooms {
      let place = try tree[glyph].placing { () throws(MapError) in
        try self.compartment(compartment, of: "the glyph '\(builder.graph.nodes[node].id)'")
      }
      builder.graph.nodes[node].compartment = place
    }
    // A nested glyph is in the compartment of its container; containers come first.
    for index in builder.graph.nodes.indices where builder.graph.nodes[index].compartment == nil {
      if let outer = builder.graph.nodes[index].parent {
        builder.graph.nodes[index].compartment = builder.graph.nodes[outer].compartment
      }
    }
  }

  /// Adds the compartments of a map, outer ones first.
  private mutating func addCompartments(of map: Int) throws(MapError) {
    var found: [GraphCompartment] = []
    var outer: [(glyph: Int, name: String?)] = []
    for index in tree.descendants(of: map) where tree[index].name == "glyph" {
      let element = tree[index]
      guard element["class"] == "compartment" else { continue }
      let id = Identifier(element["id"] ?? "")
      let frame = try element.placing { () throws(MapError) in
        if id.text.isEmpty { throw .missingID(what: "a compartment") }
        if compartments[id] != nil { throw .duplicate(id: id.text, what: "the compartment") }
        return try self.frame(of: index)
      }
      compartments[id] = found.count
      outer.append((index, element["compartmentRef"]))
      found.append(GraphCompartment(id: id, name: label(of: index), parent: nil, frame: frame))
    }
    for (index, (glyph, name)) in outer.enumerated() {
      guard let name, !name.isEmpty else { continue }
      found[index].parent = try tree[glyph].placing { () throws(MapError) in
        try compartment(name, of: "the compartment '\(found[index].id)'")
      }
    }
    let (sorted, places) = try MapCompartmentOrder.apply(found)
    builder.graph.compartments = sorted
    for (id, index) in compartments { compartments[id] = places[index] }
  }

  /// Returns the index of a compartment in the graph.
  private func compartment(_ id: String, of what: String) throws(MapError) -> Int {
    guard let place = compartments[Identifier(id)] else { throw .dangling(from: what, to: "the compartment '\(id)'") }
    return place
  }

  /// Adds a glyph; returns the container of its nested glyphs.
  private mutating func addGlyph(_ index: Int, in holder: Holder?) throws(MapError) -> Holder {
    let element = tree[index]
    let category = element["class"] ?? ""
    let id = Identifier(element["id"] ?? "")
    if category == "compartment" { return .compartment(compartments[id] ?? 0) }
    if SBGNGlyphClass.isDecoration(category), let holder {
      let decoration = try decoration(index)
      switch holder {
      case .node(let node):
        builder.graph.nodes[node].decorations.append(decoration)
        builder.alias(id, of: node)
      case .compartment(let place): builder.graph.compartments[place].decorations.append(decoration)
      case .arc: break
      }
      return holder
    }
    var node = GraphNode(
      id: id, label: label(of: index), kind: SBGNGlyphClass.kind(of: category), frame: try frame(of: index),
      category: category)
    node.isClone = tree.child(of: index, named: "clone") != nil
    node.entity = (element["mapRef"] ?? element["tagRef"]).map { Identifier($0) }
    // Glyphs with the same label in the same compartment represent the same thing.
    if node.isClone, node.entity == nil, !node.label.isEmpty {
      let room = element["compartmentRef"].map { " [\($0)]" } ?? ""
      node.entity = Identifier(node.label + room)
    }
    switch holder {
    case .node(let outer): node.parent = outer
    case .compartment(let place): node.compartment = place
    case .arc, nil: break
    }
    for port in tree.children(of: index, named: "port") {
      node.ports.append(GraphPort(id: Identifier(tree[port]["id"] ?? ""), place: try point(tree[port])))
    }
    let place = try builder.add(node, what: "the glyph")
    for port in node.ports { builder.alias(port.id, of: place) }
    if let compartment = element["compartmentRef"], !compartment.isEmpty { rooms.append((place, index, compartment)) }
    return .node(place)
  }

  /// Returns a glyph that is drawn on another one.
  func decoration(_ index: Int) throws(MapError) -> GraphDecoration {
    var text = label(of: index)
    if let state = tree.child(of: index, named: "state") {
      let (value, variable) = (state["value"] ?? "", state["variable"] ?? "")
      text = variable.isEmpty ? value : "\(value)@\(variable)"
    }
    return GraphDecoration(
      id: Identifier(tree[index]["id"] ?? ""), category: tree[index]["class"] ?? "", text: text,
      frame: try frame(of: index))
  }

  /// Returns a glyph's label on one line.
  func label(of index: Int) -> String { MapText.oneLine(tree.child(of: index, named: "label")?["text"] ?? "") }
}
