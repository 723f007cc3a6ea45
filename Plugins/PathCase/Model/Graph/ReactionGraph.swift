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
  var label: String
  var kind: Kind
  /// Its frame, by index; nil outside of all.
  var compartment: Int?
  /// Whether it takes part in so many processes that it is drawn beside each of them, or not at all.
  var isCommon = false
  /// Whether the main chain goes through it, where a file says so.
  var isPrimary = true
  /// Where a file or its user put it; nil if it is to be placed.
  var frame: GraphFrame?
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
}

/// A frame around nodes.
struct GraphCompartment: Sendable, Hashable {
  var id: Identifier
  var name: String
  /// The frame around it, by index; nil for the outermost.
  var parent: Int?
}
