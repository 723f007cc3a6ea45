extension GPMLReader {
  /// Adds the groups as nodes: lines end at them.
  mutating func addGroups() throws(MapError) {
    let found = elements("Group")
    for index in found {
      let element = tree[index]
      let style = element[version.groupStyle] ?? ""
      let name = element[version.groupID] ?? ""
      // Editors leave groups behind whose members are gone.
      let isTarget = element[version.id].map { targets.contains(Identifier($0)) } ?? false
      guard isTarget || groupsWithMembers.contains(Identifier(name)) else { continue }
      let node = GraphNode(
        id: element[version.id].map { Identifier($0) } ?? builder.freshID(name.isEmpty ? "Group \(index)" : name),
        label: MapText.oneLine(element[version.label] ?? ""), kind: style == "Complex" ? .macromolecule : .other,
        frame: try element.placing { () throws(MapError) in try frame(of: index) },
        category: style.isEmpty ? "Group" : style, style: groupStyle(of: index, kind: style))
      let place = try element.placing { () throws(MapError) in try builder.add(node, what: "a group") }
      if !name.isEmpty { groups[Identifier(name)] = place }
    }
    for index in found {
      guard let inner = tree[index][version.groupID].flatMap({ groups[Identifier($0)] }) else { continue }
      setParent(of: inner, from: tree[index])
    }
  }

  /// Puts a node into the group named by its element; a group that would contain itself stays outside.
  private mutating func setParent(of node: Int, from element: MarkupTree.Element) {
    guard let name = element[version.groupReference], !name.isEmpty else { return }
    guard let group = groups[Identifier(name)] else {
      builder.warn("ref-002", "'\(builder.graph.nodes[node].id)' is in the group '\(name)', which is not there")
      return
    }
    var outer: Int? = group
    var depth = 0
    while let index = outer {
      depth += 1
      if index == node || depth > MarkupRules.depth {
        builder.warn("map-simplified", "the group '\(name)' is in itself; it is taken out")
        return
      }
      outer = builder.graph.nodes[index].parent
    }
    builder.graph.nodes[node].parent = group
  }

  /// Adds data nodes, and labels and shapes at which lines end; others become figures.
  mutating func addNodes() throws(MapError) {
    for index in elements("DataNode", "Label", "Shape") {
      let element = tree[index]
      try element.placing { () throws(MapError) in
        if element.name == "DataNode" { try addDataNode(index) } else { try addDrawn(index) }
      }
    }
    frameGroups()
  }

  /// Adds a label or shape.
  private mutating func addDrawn(_ index: Int) throws(MapError) {
    let element = tree[index]
    let id = id(of: index)
    let frame = try frame(of: index)
    let category = element.name == "Label" ? "Label" : shapeType(of: index)
    let text = element[version.label] ?? ""
    if targets.contains(id) {
      let node = GraphNode(
        id: id, label: MapText.oneLine(text), kind: .other, isPrimary: false, frame: frame, category: category,
        style: style(of: index))
      setParent(of: try builder.add(node, what: "a node"), from: element)
    } else if let frame, element.name == "Label" || component(of: index) == nil {
      builder.graph.figures.append(
        GraphFigure(
          id: id, category: category == "Label" ? "text" : category, text: text, frame: frame, style: style(of: index)))
    }
  }

  private mutating func addDataNode(_ index: Int) throws(MapError) {
    let element = tree[index]
    let type = element[version.type] ?? "Unknown"
    let kind: GraphNode.Kind =
      switch type {
      case "Metabolite": .pool
      case "GeneProduct", "Protein", "Rna", "RNA", "DNA", "Complex": .macromolecule
      case "Pathway": .pathway
      default: .other
      }
    var node = GraphNode(
      id: id(of: index), label: MapText.oneLine(element[version.label] ?? ""), kind: kind,
      frame: try frame(of: index), category: type, style: style(of: index))
    if let reference = tree.child(of: index, named: "Xref"), let id = reference[version.referenceID], !id.isEmpty {
      let source = reference[version.referenceSource] ?? ""
      node.references = [source.isEmpty ? id : "\(source):\(id)"]
      node.entity = Identifier(node.references[0])
    }
    setParent(of: try builder.add(node, what: "a node"), from: element)
  }

  func shapeType(of index: Int) -> String {
    tree.child(of: index, named: "Graphics")?[version.shapeType] ?? "Shape"
  }

  /// Gives groups without a rectangle that around their members.
  private mutating func frameGroups() {
    var boxes: [Int: (left: Double, top: Double, right: Double, bottom: Double)] = [:]
    for node in builder.graph.nodes {
      guard let frame = node.frame else { continue }
      var outer = node.parent
      while let index = outer {
        let box = boxes[index] ?? (.infinity, .infinity, -.infinity, -.infinity)
        boxes[index] = (
          min(box.left, frame.x - frame.width / 2), min(box.top, frame.y - frame.height / 2),
          max(box.right, frame.x + frame.width / 2), max(box.bottom, frame.y + frame.height / 2)
        )
        outer = builder.graph.nodes[index].parent
      }
    }
    for (index, box) in boxes where builder.graph.nodes[index].frame == nil {
      builder.graph.nodes[index].frame = GraphFrame(
        x: (box.left + box.right) / 2, y: (box.top + box.bottom) / 2, width: box.right - box.left,
        height: box.bottom - box.top)
    }
    placeEmptyGroups()
  }

  /// Places groups whose members are not nodes: at the ends of lines, or else in the middle of the contents drawn in
  /// them.
  private mutating func placeEmptyGroups() {
    let names = groups.filter { builder.graph.nodes[$0.value].frame == nil }
    if names.isEmpty { return }
    var members: [Int: [FrozenPath.Point]] = [:]
    for index in tree.descendants(of: 0) {
      guard let name = tree[index][version.groupReference], let group = names[Identifier(name)] else { continue }
      for part in tree.descendants(of: index) {
        guard let x = (tree[part][version.x] ?? tree[part][version.centerX]).flatMap(MapNumber.double),
          let y = (tree[part][version.y] ?? tree[part][version.centerY]).flatMap(MapNumber.double)
        else { continue }
        members[group, default: []].append(FrozenPath.Point(x: x, y: y))
      }
    }
    for group in names.values {
      let points = members[group] ?? []
      let count = Double(points.count)
      let middle =
        points.isEmpty
        ? nil
        : FrozenPath.Point(x: points.map(\.x).reduce(0, +) / count, y: points.map(\.y).reduce(0, +) / count)
      guard let place = ends[builder.graph.nodes[group].id] ?? middle else { continue }
      builder.graph.nodes[group].frame = GraphFrame(x: place.x, y: place.y, width: 0, height: 0)
      builder.graph.nodes[group].isPoint = true
    }
  }

  /// Adds states to their nodes.
  mutating func addStates() throws(MapError) {
    var node = 0
    for index in elements("DataNode", "State") {
      let element = tree[index]
      if element.name == "DataNode" { node = index }
      guard element.name == "State" else { continue }
      // In version 2021 a state is nested in its node.
      let owner = element[version.reference] ?? (tree[node].end > index ? tree[node][version.id] : nil)
      guard let owner, let node = builder.indices[Identifier(owner)] else {
        builder.warn("ref-002", "a state is of '\(owner ?? "")', which is not there; it is left out")
        continue
      }
      let id = id(of: index)
      builder.graph.nodes[node].decorations.append(
        GraphDecoration(
          id: id, category: "State", text: MapText.oneLine(element[version.label] ?? ""),
          frame: try element.placing { () throws(MapError) in
            try stateFrame(index, on: builder.graph.nodes[node].frame)
          }, style: style(of: index)))
      builder.alias(id, of: node)
    }
  }

  /// Returns the frame of a state, which is placed relative to its node's center in units of half the node's sides.
  private func stateFrame(_ index: Int, on frame: GraphFrame?) throws(MapError) -> GraphFrame? {
    guard let frame, let graphics = tree.child(of: index, named: "Graphics") else { return nil }
    return GraphFrame(
      x: frame.x + frame.width / 2 * (try number(graphics, version.relativeX) ?? 0),
      y: frame.y + frame.height / 2 * (try number(graphics, version.relativeY) ?? 0),
      width: try number(graphics, version.width) ?? 0, height: try number(graphics, version.height) ?? 0)
  }
}
