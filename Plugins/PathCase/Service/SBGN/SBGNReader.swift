import PluginAPI
import PluginText

/// Reads process description maps of SBGN-ML.
///
/// Glyphs become nodes, compartments become frames, states and units of information become decorations of their glyph.
/// Further maps of the file, to which submaps link, become further graphs.
/// - Source: SBGN-ML 0.2 and 0.3 (https://github.com/sbgn/sbgn/wiki/SBGN_ML), process description level 1.
struct SBGNReader {
  private let tree: MarkupTree
  private var builder = MapGraphBuilder()
  private var counts: [String: Int] = [:]
  /// The compartments' indices in the graph, keyed by id.
  private var compartments: [Identifier: Int] = [:]
  /// The compartment of each node, by the id given in the file.
  private var rooms: [(node: Int, glyph: Int, compartment: String)] = []

  /// The namespaces of the supported versions.
  static let namespaces = ["http://sbgn.org/libsbgn/0.2", "http://sbgn.org/libsbgn/0.3"]

  /// Reads a file.
  ///
  /// - Throws: ``MapError``.
  static func read(_ bytes: [UInt8]) throws(ErrorReport) -> MapDocument {
    let tree = try MarkupTree(bytes, MarkupRules(skipped: ["extension", "notes"]))
    guard tree.root.name == "sbgn" else {
      throw MapError.structure(.sbgn, "its root element is '\(tree.root.name)' instead of 'sbgn'")
    }
    guard namespaces.contains(tree.root.namespace) else {
      throw MapError.version(.sbgn, seen: tree.root.namespace, read: "version 0.2 or 0.3")
    }
    let maps = Array(tree.children(of: 0, named: "map"))
    if maps.isEmpty { throw MapError.structure(.sbgn, "it has no 'map'") }
    var counts = ["map": maps.count]
    var graphs: [ReactionGraph] = []
    var document = MapDocument(format: .sbgn, version: tree.root.namespace, graph: ReactionGraph())
    for map in maps {
      try checkLanguage(of: tree[map])
      var reader = SBGNReader(tree: tree)
      graphs.append(try reader.graph(of: map))
      counts.merge(reader.counts, uniquingKeysWith: +)
      document.warnings += reader.builder.warnings
    }
    document.graph = graphs[0]
    document.submaps = Array(graphs.dropFirst())
    document.counts = counts
    return document
  }

  private init(tree: MarkupTree) {
    self.tree = tree
  }

  /// Rejects the two other languages and names them in the error.
  private static func checkLanguage(of map: MarkupTree.Element) throws(ErrorReport) {
    let language = map["language"] ?? ""
    let version = map["version"] ?? ""
    if language == "activity flow" || ByteSearch.contains("sbgn.af.".utf8, in: version.utf8) {
      throw MapError.language(seen: "an SBGN activity flow map", read: "a process description map")
    }
    if language == "entity relationship" || ByteSearch.contains("sbgn.er.".utf8, in: version.utf8) {
      throw MapError.language(seen: "an SBGN entity relationship map", read: "a process description map")
    }
    if !language.isEmpty, language != "process description" {
      throw MapError.language(seen: "in the SBGN language '\(language)'", read: "a process description map")
    }
  }

  private mutating func graph(of map: Int) throws(ErrorReport) -> ReactionGraph {
    count(map)
    builder.graph.id = Identifier(tree[map]["id"] ?? "")
    for index in tree.children(of: map, named: "bbox") { builder.graph.canvas = try frame(tree[index]) }
    try addGlyphs(of: map)
    try addArcs(of: map)
    builder.captionUnnamed()
    return builder.graph
  }

  private mutating func count(_ map: Int) {
    for name in ["arc", "bbox", "glyph", "label", "port"] { counts[name] = 0 }
    for index in tree.descendants(of: map) {
      let element = tree[index]
      guard counts[element.name] != nil else { continue }
      counts[element.name, default: 0] += 1
      if element.name == "glyph" || element.name == "arc" {
        counts["\(element.name)_classes.\(element["class"] ?? "")", default: 0] += 1
      }
    }
  }

  private func number(_ element: MarkupTree.Element, _ name: String) throws(ErrorReport) -> Double {
    guard let number = try MapNumber.optional(element[name], of: "'\(name)' of '\(element.name)'") else {
      throw MapError.number(text: "", of: "'\(name)' of '\(element.name)'")
    }
    return number
  }

  private func point(_ element: MarkupTree.Element) throws(ErrorReport) -> FrozenPath.Point {
    FrozenPath.Point(x: try number(element, "x"), y: try number(element, "y"))
  }

  /// Returns the rectangle of a `bbox` element, which gives its corner.
  private func frame(_ box: MarkupTree.Element) throws(ErrorReport) -> GraphFrame {
    let (width, height) = (try number(box, "w"), try number(box, "h"))
    return GraphFrame(
      x: try number(box, "x") + width / 2, y: try number(box, "y") + height / 2, width: width, height: height)
  }

  /// Returns the rectangle of a glyph; nil if it has none.
  private func frame(of glyph: Int) throws(ErrorReport) -> GraphFrame? {
    guard let box = tree.child(of: glyph, named: "bbox") else { return nil }
    return try frame(box)
  }
}

extension SBGNReader {
  /// The containers of glyphs.
  private enum Holder {
    case node(Int), compartment(Int)
    /// Glyphs on an arc are read with the arc.
    case arc
  }

  /// Adds the glyphs of a map, including nested ones.
  private mutating func addGlyphs(of map: Int) throws(ErrorReport) {
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
        let holder = try element.placing { () throws(ErrorReport) in try addGlyph(index, in: outer) }
        open.append((holder, element.end))
      }
    }
    for (node, glyph, compartment) in rooms {
      let compartmentIndex = try tree[glyph].placing { () throws(ErrorReport) in
        try self.compartment(compartment, of: "the glyph '\(builder.graph.nodes[node].id)'")
      }
      builder.graph.nodes[node].compartment = compartmentIndex
    }
    // A nested glyph is in the compartment of its container; containers come first.
    for index in builder.graph.nodes.indices where builder.graph.nodes[index].compartment == nil {
      if let outer = builder.graph.nodes[index].parent {
        builder.graph.nodes[index].compartment = builder.graph.nodes[outer].compartment
      }
    }
  }

  /// Adds the compartments of a map, outer ones first.
  private mutating func addCompartments(of map: Int) throws(ErrorReport) {
    var found: [GraphCompartment] = []
    var outer: [(glyph: Int, name: String?)] = []
    for index in tree.descendants(of: map) where tree[index].name == "glyph" {
      let element = tree[index]
      guard element["class"] == "compartment" else { continue }
      let id = Identifier(element["id"] ?? "")
      let frame = try element.placing { () throws(ErrorReport) in
        if id.text.isEmpty { throw MapError.missingID(what: "a compartment") }
        if compartments[id] != nil { throw MapError.duplicate(id: id.text, what: "the compartment") }
        return try self.frame(of: index)
      }
      compartments[id] = found.count
      outer.append((index, element["compartmentRef"]))
      found.append(GraphCompartment(id: id, name: label(of: index), parent: nil, frame: frame))
    }
    for (index, (glyph, name)) in outer.enumerated() {
      guard let name, !name.isEmpty else { continue }
      found[index].parent = try tree[glyph].placing { () throws(ErrorReport) in
        try compartment(name, of: "the compartment '\(found[index].id)'")
      }
    }
    let (sorted, places) = try MapCompartmentOrder.apply(found)
    builder.graph.compartments = sorted
    for (id, index) in compartments { compartments[id] = places[index] }
  }

  /// Returns the index of a compartment in the graph.
  private func compartment(_ id: String, of what: String) throws(ErrorReport) -> Int {
    guard let index = compartments[Identifier(id)] else {
      throw MapError.dangling(from: what, to: "the compartment '\(id)'")
    }
    return index
  }

  /// Adds a glyph; returns the container of its nested glyphs.
  private mutating func addGlyph(_ index: Int, in holder: Holder?) throws(ErrorReport) -> Holder {
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
      case .compartment(let compartment): builder.graph.compartments[compartment].decorations.append(decoration)
      case .arc: break
      }
      return holder
    }
    var node = GraphNode(
      id: id, label: label(of: index), kind: SBGNGlyphClass.kind(of: category), frame: try frame(of: index),
      category: category)
    if let symbol = SBGNGlyphClass.symbol(of: category), node.label.isEmpty { node.label = symbol }
    node.style = SBGNGlyphClass.style(of: category)
    node.isClone = tree.child(of: index, named: "clone") != nil
    if node.isClone {
      var style = node.style ?? GraphStyle()
      style.hasCloneMarker = true
      node.style = style
    }
    node.entity = (element["mapRef"] ?? element["tagRef"]).map { Identifier($0) }
    // Glyphs with the same label in the same compartment represent the same thing.
    if node.isClone, node.entity == nil, !node.label.isEmpty {
      let room = element["compartmentRef"].map { " [\($0)]" } ?? ""
      node.entity = Identifier(node.label + room)
    }
    switch holder {
    case .node(let outer): node.parent = outer
    case .compartment(let compartment): node.compartment = compartment
    case .arc, nil: break
    }
    for port in tree.children(of: index, named: "port") {
      node.ports.append(GraphPort(id: Identifier(tree[port]["id"] ?? ""), position: try point(tree[port])))
    }
    let added = try builder.add(node, what: "the glyph")
    for port in node.ports { builder.alias(port.id, of: added) }
    if let compartment = element["compartmentRef"], !compartment.isEmpty { rooms.append((added, index, compartment)) }
    return .node(added)
  }

  /// Returns a glyph that is drawn on another one.
  private func decoration(_ index: Int) throws(ErrorReport) -> GraphDecoration {
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
  private func label(of index: Int) -> String { MapText.oneLine(tree.child(of: index, named: "label")?["text"] ?? "") }
}

extension SBGNReader {
  /// Adds the arcs of a map.
  ///
  /// - Throws: ``MapError/dangling(from:to:)`` for an arc to a missing glyph.
  private mutating func addArcs(of map: Int) throws(ErrorReport) {
    let arcs = tree.descendants(of: map).filter { tree[$0].name == "arc" }
    // An arc's own ports represent the target of the arc.
    for arc in arcs {
      guard let target = builder.indices[Identifier(tree[arc]["target"] ?? "")] else { continue }
      for port in tree.children(of: arc, named: "port") {
        builder.alias(Identifier(tree[port]["id"] ?? ""), of: target)
      }
    }
    for arc in arcs {
      builder.graph.edges.append(try tree[arc].placing { () throws(ErrorReport) in try edge(of: arc) })
    }
  }

  private mutating func edge(of arc: Int) throws(ErrorReport) -> GraphEdge {
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
  private func addCorner(_ index: Int, to edge: inout GraphEdge) throws(ErrorReport) {
    let corner = try point(tree[index])
    if tree[index].name == "end" { edge.end = corner } else { edge.bends.append(corner) }
    var controls: [FrozenPath.Point] = []
    for control in tree.children(of: index, named: "point") { controls.append(try point(tree[control])) }
    edge.curves.append(GraphCurve(first: controls.first, second: controls.count > 1 ? controls[1] : nil))
  }

  /// Returns the node at an arc's end, and the port if there is one.
  private mutating func end(_ name: String, of arc: Int) throws(ErrorReport) -> (node: Int, port: Identifier?) {
    let element = tree[arc]
    let what = "the \(element["class"] ?? "arc") '\(element["id"] ?? "")'"
    guard let text = element[name], !text.isEmpty else {
      throw MapError.dangling(from: what, to: "a \(name) glyph")
    }
    let id = Identifier(text)
    if let node = builder.indices[id] { return (node, builder.graph.nodes[node].id == id ? nil : id) }
    guard let compartment = compartments[id] else { throw MapError.dangling(from: what, to: "the glyph '\(text)'") }
    // The language has no arcs at compartments; those in a file are kept as drawn.
    let child = tree.child(of: arc, named: name == "source" ? "start" : "end")
    let frame = builder.graph.compartments[compartment].frame
    let position =
      try child.map { element throws(ErrorReport) in try point(element) }
      ?? FrozenPath.Point(x: frame?.x ?? 0, y: frame?.y ?? 0)
    return (builder.addFreeEnd("\(what) \(name)", at: position, reference: text), nil)
  }
}

/// The meanings of glyph classes in process description maps.
///
/// - Source: SBGN process description level 1 version 1.3, sections 2.3 to 2.6.
enum SBGNGlyphClass {
  /// Returns whether a glyph is drawn on another one or on an arc, and is not a node.
  static func isDecoration(_ name: String) -> Bool {
    switch name {
    case "state variable", "unit of information", "cardinality", "stoichiometry", "variable value", "annotation": true
    default: false
    }
  }

  /// Returns the kind of node that a glyph represents.
  static func kind(of name: String) -> GraphNode.Kind {
    switch name {
    case "simple chemical", "simple chemical multimer", "unspecified entity", "source and sink", "empty set",
      "perturbing agent", "perturbation":
      .pool
    case "macromolecule", "macromolecule multimer", "nucleic acid feature", "nucleic acid feature multimer", "complex",
      "complex multimer":
      .macromolecule
    case "process", "omitted process", "uncertain process", "association", "dissociation", "phenotype": .process
    case "submap": .pathway
    default: .other
    }
  }

  /// Returns the text that a logical operator carries in its circle; nil for other classes.
  static func symbol(of name: String) -> String? {
    switch name {
    case "and": "AND"
    case "or": "OR"
    case "not": "NOT"
    case "delay": "τ"
    default: nil
    }
  }

  /// Returns the outline of a class; nil for those that are drawn as their kind of node is in all maps.
  ///
  /// - Source: Systems Biology Graphical Notation, Process Description level 1 version 2.0, section 2.
  static func style(of name: String) -> GraphStyle? {
    switch name {
    case "and", "or", "not", "delay", "unspecified entity": GraphStyle(outline: .oval)
    case "association": GraphStyle(outline: .disc)
    case "dissociation": GraphStyle(outline: .oval, line: .double)
    case "complex", "complex multimer": GraphStyle(outline: .octagon)
    case "phenotype": GraphStyle(outline: .hexagon)
    default: nil
    }
  }

  /// Returns the class for a node without one.
  static func name(of node: GraphNode) -> String {
    switch node.kind {
    case .pool: "simple chemical"
    case .process: "process"
    case .macromolecule: "macromolecule"
    case .pathway: "submap"
    case .other: "unspecified entity"
    }
  }

  /// Returns whether a name is a class that this format has for nodes.
  static func isKnown(_ name: String) -> Bool {
    kind(of: name) != .other || symbol(of: name) != nil || ["tag", "terminal"].contains(name)
  }
}

/// The meanings of arc classes.
enum SBGNArcClass {
  /// Returns the meaning of an arc.
  static func kind(of name: String) -> GraphEdge.Kind {
    switch name {
    case "consumption", "production": .flow
    case "catalysis": .catalysis
    case "stimulation", "necessary stimulation": .activation
    case "inhibition", "absolute inhibition": .inhibition
    // The effect of a modulation is unknown.
    default: .association
    }
  }

  private static let known = [
    "consumption", "production", "catalysis", "stimulation", "necessary stimulation", "inhibition",
    "absolute inhibition", "modulation", "logic arc", "equivalence arc",
  ]

  /// Returns the class of an edge: its own if this format has it, or else one for its kind.
  static func name(of edge: GraphEdge, in graph: ReactionGraph) -> String {
    if known.contains(edge.category) { return edge.category }
    switch edge.kind {
    case .flow: return graph.nodes[edge.source].kind == .process ? "production" : "consumption"
    case .activation: return "stimulation"
    case .inhibition: return "inhibition"
    case .catalysis: return "catalysis"
    case .association:
      return graph.nodes[edge.target].kind == .process ? "modulation" : "equivalence arc"
    }
  }
}
