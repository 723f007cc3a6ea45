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
    kind(of: name) != .other || ["and", "or", "not", "delay", "tag", "terminal"].contains(name)
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
