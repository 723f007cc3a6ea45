/// The drawing of a model: the positions of its parts.
///
/// - Source: SBML Level 3 Package: Layout, version 1, release 1.
struct ModelLayout: Sendable, Hashable {
  var id: Identifier
  var name = ""
  /// The size of the drawing in its own unit; nil if it is not given.
  var size: LayoutSize?
  var glyphs: [LayoutGlyph] = []
}

/// A width and a height in the drawing's own unit.
struct LayoutSize: Sendable, Hashable {
  var width: Double
  var height: Double
}

/// A point; the x axis points right, the y axis down.
struct LayoutPoint: Sendable, Hashable {
  var x: Double
  var y: Double
}

/// A drawn element.
struct LayoutGlyph: Sendable, Hashable {
  /// The kind of thing that a glyph represents.
  enum Kind: String, Sendable, Hashable, CaseIterable {
    case compartment, species, reaction, text, general
    /// The line between a reaction and a species, or between two things.
    case speciesReference, reference
  }

  var kind: Kind
  var id: Identifier
  /// The part of the model that the glyph shows, or whose name its text shows; nil if none is given.
  var object: Identifier?
  /// The glyph to which a line leads, or to which a text belongs.
  var target: Identifier?
  /// The index in the layout of the reaction's or thing's glyph that owns a line.
  var owner: Int?
  /// The role of a species: `substrate`, `product`, `sidesubstrate`, `modifier`, ….
  var role: String?
  /// The text of a glyph that does not show a name.
  var text: String?
  /// The upper left corner; nil if there is no box.
  var corner: LayoutPoint?
  var size: LayoutSize?
  var segments: [LayoutSegment] = []
}

/// A segment of a line: straight, or cubic if it has control points.
struct LayoutSegment: Sendable, Hashable {
  var start: LayoutPoint
  var end: LayoutPoint
  /// The two control points of a Bézier curve.
  var first: LayoutPoint?
  var second: LayoutPoint?
}

// MARK: - From a file's drawing to a graph

extension ReactionModel {
  /// The graph of a model as drawn in its file; nil if no layout in the file shows every reaction with all its parts.
  ///
  /// A species becomes one node per glyph. A partial drawing is not used, because the picture would lack parts of the
  /// network.
  ///
  /// - Source: SBML Level 3 Package: Layout, version 1, release 1, section 3.
  var drawnGraph: ReactionGraph? {
    for layout in layouts {
      var drawing = ModelDrawing(self, layout)
      if let graph = drawing.graph() { return graph }
    }
    return nil
  }
}

/// Creates a graph from a layout.
private struct ModelDrawing {
  private let model: ReactionModel
  private let layout: ModelLayout
  private var picture: ReactionGraph
  private var species: [Identifier: Int] = [:]
  private var reactions: [Identifier: Int] = [:]
  /// The nodes of glyphs, keyed by the glyphs' ids.
  private var nodes: [Identifier: Int] = [:]
  /// The lines of each reaction glyph, keyed by its index in the layout.
  private var lines: [Int: [LayoutGlyph]] = [:]

  init(_ model: ReactionModel, _ layout: ModelLayout) {
    self.model = model
    self.layout = layout
    // A node describes its thing as it would without a drawing.
    picture = model.graph
    for (index, thing) in model.species.enumerated() { species[thing.id] = index }
    for (index, thing) in model.reactions.enumerated() { reactions[thing.id] = index }
    for glyph in layout.glyphs where glyph.kind == .speciesReference {
      if let owner = glyph.owner { lines[owner, default: []].append(glyph) }
    }
  }

  mutating func graph() -> ReactionGraph? {
    let plain = picture.nodes
    (picture.nodes, picture.edges) = ([], [])
    for glyph in layout.glyphs where glyph.kind == .species {
      guard let index = glyph.object.flatMap({ species[$0] }), let frame = Self.frame(glyph) else { continue }
      if !add(plain[index], glyph, frame) { return nil }
    }
    var drawn: Set<Int> = []
    for (number, glyph) in layout.glyphs.enumerated() where glyph.kind == .reaction {
      guard let index = glyph.object.flatMap({ reactions[$0] }) else { continue }
      guard let frame = Self.frame(glyph) ?? Self.middle(glyph),
        add(plain[model.species.count + index], glyph, frame), addEdges(of: index, lines[number] ?? [])
      else { return nil }
      drawn.insert(index)
    }
    if drawn.count < model.reactions.count || drawn.isEmpty { return nil }
    for glyph in layout.glyphs where glyph.kind == .compartment {
      guard let index = model.compartments.firstIndex(where: { $0.id == glyph.object }) else { continue }
      picture.compartments[index].frame = Self.frame(glyph)
    }
    picture.canvas = layout.size.map {
      GraphFrame(x: $0.width / 2, y: $0.height / 2, width: $0.width, height: $0.height)
    }
    markClones()
    return picture
  }

  /// Adds a node with the id of a glyph; returns false if another node has it.
  private mutating func add(_ thing: GraphNode, _ glyph: LayoutGlyph, _ frame: GraphFrame) -> Bool {
    guard !glyph.id.text.isEmpty, nodes.updateValue(picture.nodes.count, forKey: glyph.id) == nil else { return false }
    var node = thing
    node.id = glyph.id
    node.entity = thing.subject
    node.frame = frame
    node.isCommon = false
    picture.nodes.append(node)
    return true
  }

  private mutating func markClones() {
    var counts: [Identifier: Int] = [:]
    for node in picture.nodes { counts[node.subject, default: 0] += 1 }
    for index in picture.nodes.indices where counts[picture.nodes[index].subject, default: 0] > 1 {
      picture.nodes[index].isClone = true
    }
  }

  /// Adds the lines of the last reaction added; returns false if one of its parts has none.
  private mutating func addEdges(of index: Int, _ lines: [LayoutGlyph]) -> Bool {
    let reaction = model.reactions[index]
    let process = picture.nodes.count - 1
    var amounts: [Identifier: Double] = [:]
    for part in reaction.stoichiometry where part.amount != 0 { amounts[model.species[part.species].id] = part.amount }
    var kinds: [Identifier: GraphEdge.Kind] = [:]
    for modifier in reaction.modifiers { kinds[model.species[modifier.species].id] = modifier.kind.edge }
    var missing = Set(amounts.keys).union(kinds.keys)
    for line in lines {
      guard let node = line.target.flatMap({ nodes[$0] }) else { continue }
      let subject = picture.nodes[node].subject
      missing.remove(subject)
      // A catalyst that is also consumed has one line for each role.
      let acts = ["modifier", "activator", "inhibitor"].contains(line.role ?? "")
      if let kind = kinds[subject], acts || amounts[subject] == nil {
        picture.edges.append(edge(from: node, to: process, kind, along: line))
      } else if let amount = amounts[subject] {
        var flow =
          amount < 0
          ? edge(from: node, to: process, .flow, along: line) : edge(from: process, to: node, .flow, along: line)
        flow.stoichiometry = abs(amount)
        flow.isReversible = reaction.lowerBound < 0 && reaction.upperBound > 0
        picture.edges.append(flow)
        if line.role?.hasPrefix("side") == true { picture.nodes[node].isPrimary = false }
      }
    }
    return missing.isEmpty
  }

  /// Returns an edge along a line, whatever the direction of the line.
  private func edge(from source: Int, to target: Int, _ kind: GraphEdge.Kind, along line: LayoutGlyph) -> GraphEdge {
    var edge = GraphEdge(source: source, target: target, kind: kind)
    var segments = line.segments
    guard let first = segments.first, let last = segments.last, let frame = picture.nodes[source].frame else {
      return edge
    }
    if Self.distance(last.end, frame) < Self.distance(first.start, frame) {
      segments = segments.reversed().map {
        LayoutSegment(start: $0.end, end: $0.start, first: $0.second, second: $0.first)
      }
    }
    edge.bends = segments.dropLast().map { Self.point($0.end) }
    edge.start = segments.first.map { Self.point($0.start) }
    edge.end = segments.last.map { Self.point($0.end) }
    if segments.contains(where: { $0.first != nil || $0.second != nil }) {
      edge.curves = segments.map { GraphCurve(first: $0.first.map(Self.point), second: $0.second.map(Self.point)) }
    }
    return edge
  }

  private static func distance(_ point: LayoutPoint, _ frame: GraphFrame) -> Double {
    (point.x - frame.x) * (point.x - frame.x) + (point.y - frame.y) * (point.y - frame.y)
  }

  private static func point(_ point: LayoutPoint) -> FrozenPath.Point { FrozenPath.Point(x: point.x, y: point.y) }

  private static func frame(_ glyph: LayoutGlyph) -> GraphFrame? {
    guard let corner = glyph.corner, let size = glyph.size else { return nil }
    return GraphFrame(
      x: corner.x + size.width / 2, y: corner.y + size.height / 2, width: size.width, height: size.height)
  }

  /// Returns the frame of a reaction without a box: the midpoint of its own line.
  private static func middle(_ glyph: LayoutGlyph) -> GraphFrame? {
    guard let first = glyph.segments.first?.start, let last = glyph.segments.last?.end else { return nil }
    return GraphFrame(x: (first.x + last.x) / 2, y: (first.y + last.y) / 2, width: 0, height: 0)
  }
}

// MARK: - From a placed graph to a file's drawing

extension ModelLayout {
  /// Creates the drawing of a placed graph, with glyphs for the model's parts with the same ids.
  ///
  /// - Source: SBML Level 3 Package: Layout, version 1, release 1, section 3.
  init(_ graph: ReactionGraph, of model: ReactionModel) {
    self.init(id: "layout_1")
    size = graph.canvas.map { LayoutSize(width: $0.width, height: $0.height) }
    let species = Set(model.species.map(\.id))
    let reactions = Set(model.reactions.map(\.id))
    let compartments = Set(model.compartments.map(\.id))
    for (index, compartment) in graph.compartments.enumerated() where compartments.contains(compartment.id) {
      guard let frame = compartment.frame else { continue }
      add(.compartment, "layout_1_compartment_\(index)", compartment.id, frame)
    }
    for (index, node) in graph.nodes.enumerated() {
      guard let frame = node.frame, species.contains(node.subject), node.kind != .process else { continue }
      add(.species, "layout_1_species_\(index)", node.subject, frame)
    }
    let edges = graph.edgesOfNodes
    for (index, node) in graph.nodes.enumerated() {
      guard let frame = node.frame, reactions.contains(node.subject), node.kind == .process else { continue }
      let owner = glyphs.count
      add(.reaction, "layout_1_reaction_\(index)", node.subject, frame)
      for number in edges[index] { addLine(graph.edges[number], number, of: index, owner, in: graph, species) }
    }
    for (index, node) in graph.nodes.enumerated() {
      guard let frame = node.frame, species.contains(node.subject), node.kind != .process else { continue }
      add(.text, "layout_1_text_\(index)", node.subject, frame)
      glyphs[glyphs.count - 1].target = Identifier("layout_1_species_\(index)")
    }
  }

  private mutating func add(_ kind: LayoutGlyph.Kind, _ id: String, _ object: Identifier, _ frame: GraphFrame) {
    glyphs.append(
      LayoutGlyph(
        kind: kind, id: Identifier(id), object: object,
        corner: LayoutPoint(x: frame.x - frame.width / 2, y: frame.y - frame.height / 2),
        size: LayoutSize(width: frame.width, height: frame.height)))
  }

  private mutating func addLine(
    _ edge: GraphEdge, _ number: Int, of process: Int, _ owner: Int, in graph: ReactionGraph,
    _ species: Set<Identifier>
  ) {
    let isMade = edge.source == process
    let other = isMade ? edge.target : edge.source
    guard species.contains(graph.nodes[other].subject), let from = graph.nodes[process].frame,
      let to = graph.nodes[other].frame
    else { return }
    var corners =
      [from]
      + (isMade ? edge.bends : Array(edge.bends.reversed())).map {
        GraphFrame(x: $0.x, y: $0.y, width: 0, height: 0)
      } + [to]
    // The line of a species starts at the source of the flow.
    let isSubstrate = edge.kind == .flow && !isMade
    if isSubstrate || edge.kind != .flow { corners.reverse() }
    let points = corners.map { LayoutPoint(x: $0.x, y: $0.y) }
    var glyph = LayoutGlyph(kind: .speciesReference, id: Identifier("layout_1_line_\(number)"))
    glyph.target = Identifier("layout_1_species_\(other)")
    glyph.owner = owner
    let isSide = !graph.nodes[other].isPrimary || graph.nodes[other].isCommon
    switch edge.kind {
    case .flow: glyph.role = (isSide ? "side" : "") + (isMade ? "product" : "substrate")
    case .activation: glyph.role = "activator"
    case .inhibition: glyph.role = "inhibitor"
    case .catalysis, .association: glyph.role = "modifier"
    }
    glyph.segments = zip(points, points.dropFirst()).map { LayoutSegment(start: $0, end: $1) }
    glyphs.append(glyph)
  }
}
