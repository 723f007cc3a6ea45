/// What is laid out and drawn: pools and processes as nodes, what flows between them as edges, compartments as frames.
///
/// A database's pathway, a model and the maps of all formats become one. Indices count from 0.
struct ReactionGraph: Sendable, Hashable {
  var id: Identifier = ""
  var name = ""
  var nodes: [GraphNode] = []
  var edges: [GraphEdge] = []
  /// Frames around nodes; those inside others come behind them.
  var compartments: [GraphCompartment] = []
  /// What a picture has besides: texts, lines and shapes that no edge ends at.
  var figures: [GraphFigure] = []
  /// What a file says of pairs of nodes without a line for it: enzymes that share a compound.
  var relations: [GraphEdge] = []
  /// The paper that a file is drawn on; nil if it does not say.
  var canvas: GraphFrame?
}

extension ReactionGraph {
  /// The edges at each node, by index, in the order of the edges; one from a node to itself once.
  var edgesOfNodes: [[Int]] {
    var found = [[Int]](repeating: [], count: nodes.count)
    for (index, edge) in edges.enumerated() {
      found[edge.source].append(index)
      if edge.target != edge.source { found[edge.target].append(index) }
    }
    return found
  }
}

/// A thing in a picture of a network.
struct GraphNode: Sendable, Hashable {
  /// What it stands for.
  enum Kind: String, Sendable, CaseIterable {
    case pool, process
    /// A gene, a protein, a complex.
    case macromolecule
    /// A way to another pathway.
    case pathway
    /// A text, a picture's own figure, what is of no other kind.
    case other
  }

  var id: Identifier
  /// The name that people call it by; "" if its file gives it none.
  var label: String
  var kind: Kind
  /// Its frame, by index; nil outside of all.
  var compartment: Int?
  /// Whether it is one of those that carry something through all of a metabolism: drawn beside each process, or not at all.
  var isCommon = false
  /// Whether the main chain goes through it, where a file says so.
  var isPrimary = true
  /// Where a file or its user put it; nil if it is to be placed.
  var frame: GraphFrame?
  /// What it stands for, where several nodes may stand for the same; nil if its own id says it.
  var entity: Identifier?
  /// Whether others stand for the same.
  var isClone = false
  /// The complex or group it is in, by index of the node; nil if it is in none.
  var parent: Int?
  /// Its kind in the words of the file's format, such as `simple chemical` or `GeneProduct`; "" for none.
  var category = ""
  /// Where edges meet it, if at places with names.
  var ports: [GraphPort] = []
  /// What is drawn on its border: states, units of information.
  var decorations: [GraphDecoration] = []
  /// Where its label stands, if elsewhere than in its frame.
  var labelPlace: FrozenPath.Point?
  /// Addresses of it in databases, as the file has them.
  var references: [String] = []
  /// What a process needs to run.
  var genes: [GraphGene] = []
  /// Which of the genes are needed together, in the file's words: `b0001 and (b0002 or b0003)`; "" if it is not said.
  var geneRule = ""
  /// A description of a node without a name, such as the names of its parts; else "".
  var caption = ""
  /// A Boolean value indicating whether it is only a place where lines meet or end, drawn without outline and name.
  var isPoint = false
  /// The look that its file gives it; nil if it gives none.
  var style: GraphStyle?
}

/// A rectangle of a picture: its centre and size, y downwards.
struct GraphFrame: Sendable, Hashable {
  var x: Double
  var y: Double
  var width: Double
  var height: Double
}

/// What flows or acts between two nodes.
struct GraphEdge: Sendable, Hashable {
  /// What the edge means.
  enum Kind: String, Sendable, CaseIterable {
    /// Matter, from source to target.
    case flow
    case activation, inhibition, catalysis
    /// Two things that belong together, without a direction.
    case association
  }

  var source: Int
  var target: Int
  var kind: Kind = .flow
  /// Whether matter may flow the other way too.
  var isReversible = false
  /// Moles for one turn of the process.
  var stoichiometry = 1.0
  /// Where a file lets it bend, from the source on.
  var bends: [FrozenPath.Point] = []
  /// "" if the file gives it none.
  var id: Identifier = ""
  /// Its kind in the words of the file's format, such as `necessary stimulation` or `mim-conversion`; "" for none.
  var category = ""
  /// Control points of its pieces from bend to bend, one more than there are bends; empty if all are straight.
  var curves: [GraphCurve] = []
  /// Where the file lets it leave its source; nil if it is not said.
  var start: FrozenPath.Point?
  /// Where the file lets it meet its target; nil if it is not said.
  var end: FrozenPath.Point?
  /// The port it leaves its source at, by its id.
  var sourcePort: Identifier?
  /// The port it meets its target at, by its id.
  var targetPort: Identifier?
  /// What is drawn on it, such as a number of molecules.
  var decorations: [GraphDecoration] = []
  /// The look that its file gives it; nil if it gives none.
  var style: GraphStyle?
}

/// A frame around nodes.
struct GraphCompartment: Sendable, Hashable {
  var id: Identifier
  var name: String
  /// The frame around it, by index; nil for the outermost.
  var parent: Int?
  /// Where a file or its user put it; nil if it goes around its nodes.
  var frame: GraphFrame?
  /// What is drawn on its border.
  var decorations: [GraphDecoration] = []
  /// The look that its file gives it; nil if it gives none.
  var style: GraphStyle?
}
