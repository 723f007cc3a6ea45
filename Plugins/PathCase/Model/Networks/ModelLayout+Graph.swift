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
      + (isMade ? edge.bends : edge.bends.reversed()).map {
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
