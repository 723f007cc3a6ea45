import PluginAPI

/// Reads maps of WikiPathways and PathVisio.
///
/// Nodes are data nodes, groups, and other elements at which lines end. A reaction's line becomes a chain of processes,
/// one per anchor at which other lines end, so that an enzyme's line ends at the process it catalyzes. Shapes drawn as
/// cell components become compartments of the elements in them.
/// - Source: GPML2013a and GPML2021 (https://github.com/PathVisio/GPML).
struct GPMLReader {
  let tree: MarkupTree
  let version: GPMLVersion
  var builder = MapGraphBuilder()
  var counts: [String: Int] = [:]
  /// The elements below the root by name, in the order of the file.
  private var places: [String: [Int]] = [:]
  /// The groups, keyed by the reference that their members use.
  var groups: [Identifier: Int] = [:]
  /// The positions that lines give to their ends.
  var ends: [Identifier: FrozenPath.Point] = [:]
  /// The ids at which lines end.
  private(set) var targets: Set<Identifier> = []
  /// The references to groups that have members.
  private(set) var groupsWithMembers: Set<Identifier> = []

  /// Reads a map.
  ///
  /// - Throws: ``MapError``.
  static func read(_ bytes: [UInt8]) throws(ErrorReport) -> MapDocument {
    let tree = try MarkupTree(bytes, MarkupRules(skipped: ["Biopax", "Citations", "Annotations"]))
    guard tree.root.name == "Pathway" else {
      throw MapError.structure(.gpml, "its root element is '\(tree.root.name)' instead of 'Pathway'")
    }
    guard let version = GPMLVersion(namespace: tree.root.namespace) else {
      throw MapError.version(.gpml, seen: tree.root.namespace, read: "version 2013a or 2021")
    }
    var reader = GPMLReader(tree: tree, version: version)
    return try reader.document()
  }

  private init(tree: MarkupTree, version: GPMLVersion) {
    self.tree = tree
    self.version = version
    for index in tree.elements.indices.dropFirst() { places[tree.elements[index].name, default: []].append(index) }
  }

  private mutating func document() throws(ErrorReport) -> MapDocument {
    countElements()
    try addGroups()
    try addNodes()
    try addStates()
    try addLines()
    try addCompartments()
    builder.warnOfFreeEnds()
    builder.markClones()
    builder.captionUnnamed()
    let root = tree.root
    builder.graph.name = root[version.title] ?? ""
    if let board = tree.child(of: 0, named: "Graphics"),
      let width = try number(board, version.boardWidth), let height = try number(board, version.boardHeight)
    {
      builder.graph.canvas = GraphFrame(x: width / 2, y: height / 2, width: width, height: height)
    }
    return MapDocument(
      format: .gpml, version: root.namespace, graph: builder.graph, title: builder.graph.name,
      organism: root[version.organism] ?? "", counts: counts, warnings: builder.warnings)
  }

  /// Counts the elements, and collects the targets of lines with their positions.
  private mutating func countElements() {
    for name in Self.counted { counts[name] = places[name]?.count ?? 0 }
    for index in elements("DataNode", "Group", "Label", "Shape", "Interaction", "GraphicalLine") {
      if let group = tree[index][version.groupReference] { groupsWithMembers.insert(Identifier(group)) }
    }
    var count = 0
    for index in elements("Point") {
      let element = tree[index]
      guard let reference = element[version.reference] else { continue }
      count += 1
      targets.insert(Identifier(reference))
      if let x = element[version.x].flatMap(MapNumber.double), let y = element[version.y].flatMap(MapNumber.double) {
        ends[Identifier(reference)] = FrozenPath.Point(x: x, y: y)
      }
    }
    counts["point_refs"] = count
  }

  private static let counted = [
    "Anchor", "DataNode", "GraphicalLine", "Group", "Interaction", "Label", "Line", "Shape", "State",
  ]

  /// Returns the elements with given names, in the order of the file.
  func elements(_ names: String...) -> [Int] {
    if names.count == 1 { return places[names[0]] ?? [] }
    return names.flatMap { places[$0] ?? [] }.sorted()
  }

  func number(_ element: MarkupTree.Element, _ name: String) throws(ErrorReport) -> Double? {
    try MapNumber.optional(element[name], of: "'\(name)' of '\(element.name)'")
  }

  /// Returns the rectangle of an element; nil if it has none.
  func frame(of index: Int) throws(ErrorReport) -> GraphFrame? {
    guard let graphics = tree.child(of: index, named: "Graphics"), let x = try number(graphics, version.centerX),
      let y = try number(graphics, version.centerY)
    else { return nil }
    return GraphFrame(
      x: x, y: y, width: try number(graphics, version.width) ?? 0, height: try number(graphics, version.height) ?? 0)
  }

  /// Returns the id of an element, or one made of its kind and number if it has none.
  func id(of index: Int) -> Identifier {
    if let id = tree[index][version.id], !id.isEmpty { return Identifier(id) }
    return builder.freshID("\(tree[index].name) \(index)")
  }
}

extension GPMLReader {
  /// Adds the groups as nodes: lines end at them.
  mutating func addGroups() throws(ErrorReport) {
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
        frame: try element.placing { () throws(ErrorReport) in try frame(of: index) },
        category: style.isEmpty ? "Group" : style, style: groupStyle(of: index, kind: style))
      let group = try element.placing { () throws(ErrorReport) in try builder.add(node, what: "a group") }
      if !name.isEmpty { groups[Identifier(name)] = group }
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
      builder.warn("ref-002", "'\(builder.graph.nodes[node].id)' is in the group '\(name)', which does not exist")
      return
    }
    var outer: Int? = group
    var depth = 0
    while let index = outer {
      depth += 1
      if index == node || depth > MarkupRules.depth {
        builder.warn("map-simplified", "the group '\(name)' contains itself; this nesting is ignored")
        return
      }
      outer = builder.graph.nodes[index].parent
    }
    builder.graph.nodes[node].parent = group
  }

  /// Adds data nodes, and labels and shapes at which lines end; others become figures.
  mutating func addNodes() throws(ErrorReport) {
    for index in elements("DataNode", "Label", "Shape") {
      let element = tree[index]
      try element.placing { () throws(ErrorReport) in
        if element.name == "DataNode" { try addDataNode(index) } else { try addDrawn(index) }
      }
    }
    frameGroups()
  }

  /// Adds a label or shape.
  private mutating func addDrawn(_ index: Int) throws(ErrorReport) {
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

  private mutating func addDataNode(_ index: Int) throws(ErrorReport) {
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
      guard let center = ends[builder.graph.nodes[group].id] ?? middle else { continue }
      builder.graph.nodes[group].frame = GraphFrame(x: center.x, y: center.y, width: 0, height: 0)
      builder.graph.nodes[group].isPoint = true
    }
  }

  /// Adds states to their nodes.
  private mutating func addStates() throws(ErrorReport) {
    var node = 0
    for index in elements("DataNode", "State") {
      let element = tree[index]
      if element.name == "DataNode" { node = index }
      guard element.name == "State" else { continue }
      // In version 2021 a state is nested in its node.
      let owner = element[version.reference] ?? (tree[node].end > index ? tree[node][version.id] : nil)
      guard let owner, let node = builder.indices[Identifier(owner)] else {
        builder.warn("ref-002", "a state belongs to '\(owner ?? "")', which does not exist; it is left out")
        continue
      }
      let id = id(of: index)
      builder.graph.nodes[node].decorations.append(
        GraphDecoration(
          id: id, category: "State", text: MapText.oneLine(element[version.label] ?? ""),
          frame: try element.placing { () throws(ErrorReport) in
            try stateFrame(index, on: builder.graph.nodes[node].frame)
          }, style: style(of: index)))
      builder.alias(id, of: node)
    }
  }

  /// Returns the frame of a state, which is placed relative to its node's center in units of half the node's sides.
  private func stateFrame(_ index: Int, on frame: GraphFrame?) throws(ErrorReport) -> GraphFrame? {
    guard let frame, let graphics = tree.child(of: index, named: "Graphics") else { return nil }
    return GraphFrame(
      x: frame.x + frame.width / 2 * (try number(graphics, version.relativeX) ?? 0),
      y: frame.y + frame.height / 2 * (try number(graphics, version.relativeY) ?? 0),
      width: try number(graphics, version.width) ?? 0, height: try number(graphics, version.height) ?? 0)
  }
}

extension GPMLReader {
  /// A vertex or an end of a line.
  private struct Corner {
    var position: FrozenPath.Point
    var reference: String?
    var head: String
  }

  /// A line with its vertices and, between 0 and 1 along it, its anchors.
  private struct Line {
    var index: Int
    var corners: [Corner]
    var anchors: [(node: Int, position: Double)]
  }

  /// Adds the lines: all anchors come first, because lines end at anchors of others.
  mutating func addLines() throws(ErrorReport) {
    var lines: [Line] = []
    for index in elements("Interaction", "GraphicalLine", "Line") {
      let name = tree[index].name
      let corners = try tree[index].placing { () throws(ErrorReport) in try self.corners(of: index) }
      guard let first = corners.first, let last = corners.last, corners.count > 1 else {
        builder.warn("map-simplified", "the line '\(id(of: index))' has fewer than two points; it is left out")
        continue
      }
      if name != "Interaction", first.reference == nil || last.reference == nil {
        builder.addLine(id(of: index), corners.map(\.position), lineStyle(of: index))
        continue
      }
      let anchors = try tree[index].placing { () throws(ErrorReport) in try self.anchors(of: index, corners) }
      lines.append(Line(index: index, corners: corners, anchors: anchors))
    }
    counts["dangling_point_refs"] = 0
    for line in lines { addEdges(of: line) }
  }

  private func corners(of index: Int) throws(ErrorReport) -> [Corner] {
    var corners: [Corner] = []
    for child in tree.descendants(of: index) where tree[child].name == "Point" {
      let element = tree[child]
      let point = try element.placing { () throws(ErrorReport) in
        guard let x = try number(element, version.x), let y = try number(element, version.y) else {
          throw MapError.number(text: element[version.x] ?? "", of: "a point of '\(id(of: index))'")
        }
        return FrozenPath.Point(x: x, y: y)
      }
      let reference = element[version.reference]
      corners.append(
        Corner(
          position: point, reference: reference.flatMap { $0.isEmpty ? nil : $0 },
          head: element[version.arrowHead] ?? ""))
    }
    return corners
  }

  /// Adds the anchors of a line at which others end, in their order along it: as processes if it is a reaction, or else
  /// as points.
  private mutating func anchors(of index: Int, _ corners: [Corner]) throws(ErrorReport) -> [(
    node: Int, position: Double
  )] {
    var found: [(id: Identifier, point: FrozenPath.Point, position: Double)] = []
    for anchor in tree.descendants(of: index) where tree[anchor].name == "Anchor" {
      // The ends of other lines show the place, which cannot be derived from the vertices of curves.
      guard let point = ends[id(of: anchor)] else { continue }
      let position = try number(tree[anchor], version.position) ?? 0.5
      found.append((id(of: anchor), point, min(max(position, 0), 1)))
    }
    found.sort { ($0.position, $0.id) < ($1.position, $1.id) }
    let isReaction = Self.kind(of: Self.head(of: corners).text) == .flow
    var anchors: [(node: Int, position: Double)] = []
    for anchor in found {
      let node = GraphNode(
        id: anchor.id, label: "", kind: isReaction ? .process : .other,
        frame: GraphFrame(x: anchor.point.x, y: anchor.point.y, width: 0, height: 0), category: "Anchor", isPoint: true)
      anchors.append((try builder.add(node, what: "an anchor"), anchor.position))
    }
    return anchors
  }

  /// Returns the node at an end, creating a free end if there is none.
  private mutating func node(at corner: Corner, of line: Int) -> Int {
    if let reference = corner.reference, let node = builder.indices[Identifier(reference)] { return node }
    if corner.reference != nil { counts["dangling_point_refs", default: 0] += 1 }
    return builder.addFreeEnd("\(id(of: line)) end", at: corner.position, reference: corner.reference)
  }

  /// Adds a line's edges, from anchor to anchor; an effect has its head at the last of them.
  private mutating func addEdges(of line: Line) {
    let first = line.corners[0]
    let last = line.corners[line.corners.count - 1]
    let nodes = [node(at: first, of: line.index)] + line.anchors.map(\.node) + [node(at: last, of: line.index)]
    let (head, isBackwards) = Self.head(of: line.corners)
    let style = lineStyle(of: line.index)
    for (index, pair) in zip(nodes, nodes.dropFirst()).enumerated() {
      var edge = GraphEdge(source: pair.0, target: pair.1, kind: Self.kind(of: head))
      edge.isReversible = Self.isHead(first.head) && Self.isHead(last.head) && edge.kind == .flow
      edge.id = id(of: line.index)
      edge.category = head.isEmpty ? "Line" : head
      edge.style = style
      edge.start = index == 0 ? first.position : nil
      edge.end = index == nodes.count - 2 ? last.position : nil
      // For lines with bends and anchors, the format does not give the segment of an anchor.
      if line.anchors.isEmpty { edge.bends = line.corners.dropFirst().dropLast().map(\.position) }
      builder.graph.edges.append(isBackwards ? edge.reversed : edge)
    }
  }

  /// Returns the head that gives a line its meaning, and whether it is at the first corner.
  private static func head(of corners: [Corner]) -> (text: String, isFirst: Bool) {
    let (first, last) = (corners[0].head, corners[corners.count - 1].head)
    let isFirst = !isHead(last) && isHead(first)
    return (isFirst ? first : last, isFirst)
  }

  private static func isHead(_ head: String) -> Bool { !head.isEmpty && head != "Undirected" && head != "Line" }

  /// Returns the meaning of a line with a head.
  private static func kind(of head: String) -> GraphEdge.Kind {
    switch head {
    case "mim-catalysis", "Catalysis": .catalysis
    case "mim-inhibition", "TBar", "Inhibition": .inhibition
    case "mim-stimulation", "mim-necessary-stimulation", "Stimulation": .activation
    case "", "Undirected", "Line", "mim-binding", "Binding", "mim-covalent-bond", "LigandRound", "ReceptorRound",
      "LigandSquare", "ReceptorSquare", "Receptor":
      .association
    default: .flow
    }
  }
}

extension GraphEdge {
  /// The same line in the opposite direction.
  var reversed: GraphEdge {
    var edge = self
    swap(&edge.source, &edge.target)
    swap(&edge.start, &edge.end)
    swap(&edge.sourcePort, &edge.targetPort)
    edge.bends.reverse()
    edge.curves = edge.curves.reversed().map(\.reversed)
    return edge
  }
}

extension GPMLReader {
  /// Creates compartments from shapes drawn as cell components, and assigns their contents to them.
  mutating func addCompartments() throws(ErrorReport) {
    var found: [GraphCompartment] = []
    for index in elements("Shape") {
      guard let component = component(of: index),
        let frame = try tree[index].placing({ () throws(ErrorReport) in try self.frame(of: index) }), frame.width > 0,
        frame.height > 0
      else { continue }
      let text = MapText.oneLine(tree[index][version.label] ?? "")
      found.append(
        GraphCompartment(
          id: id(of: index), name: text.isEmpty ? component : text, parent: nil, frame: frame, style: style(of: index)))
    }
    // Larger ones come first: a compartment precedes those it contains.
    let order = found.indices.sorted { left, right in
      let (first, second) = (Self.area(found[left]), Self.area(found[right]))
      return first == second ? left < right : first > second
    }
    var compartments = order.prefix(Self.mostCompartments).map { found[$0] }
    if found.count > compartments.count {
      builder.warn("map-simplified", "only the largest \(compartments.count) of \(found.count) compartments are kept")
    }
    for index in compartments.indices {
      compartments[index].parent = compartments[..<index].lastIndex { outer in
        guard let outer = outer.frame, let inner = compartments[index].frame else { return false }
        return outer.contains(inner)
      }
    }
    builder.graph.compartments = compartments
    // Later compartments are smaller: the last that contains a node is the innermost.
    for index in builder.graph.nodes.indices {
      guard let frame = builder.graph.nodes[index].frame else { continue }
      builder.graph.nodes[index].compartment = compartments.lastIndex { $0.frame?.contains(frame.x, frame.y) ?? false }
    }
  }

  /// The maximum number of compartments, since each is compared with each node; real maps have some ten.
  private static let mostCompartments = 1000

  private static func area(_ compartment: GraphCompartment) -> Double {
    compartment.frame.map { $0.width * $0.height } ?? 0
  }

  /// Returns the cell component that a shape represents; nil if there is none.
  func component(of index: Int) -> String? {
    for name in ["Attribute", "Property"] {
      for child in tree.children(of: index, named: name) {
        let key = tree[child]["Key"] ?? tree[child]["key"]
        guard key == "org.pathvisio.CellularComponentProperty" else { continue }
        let value = tree[child]["Value"] ?? tree[child]["value"] ?? ""
        if !value.isEmpty, value != "None" { return value }
      }
    }
    return GPMLComponent.name(ofShape: shapeType(of: index))
  }
}

extension GraphFrame {
  /// Returns whether a point is in the frame.
  func contains(_ x: Double, _ y: Double) -> Bool {
    abs(x - self.x) <= width / 2 && abs(y - self.y) <= height / 2
  }

  /// Returns whether another frame is entirely in this one.
  func contains(_ other: GraphFrame) -> Bool {
    abs(other.x - x) + other.width / 2 <= width / 2 && abs(other.y - y) + other.height / 2 <= height / 2
  }
}
