/// A graph to lay out and draw: pools and processes are nodes, flows are edges, compartments are frames.
///
/// Database pathways, models and maps of all formats are converted to this type. Indices count from 0.
struct ReactionGraph: Sendable, Hashable {
  var id: Identifier = ""
  var name = ""
  var nodes: [GraphNode] = []
  var edges: [GraphEdge] = []
  /// Frames around nodes; nested frames come after those that contain them.
  var compartments: [GraphCompartment] = []
  /// Other parts of the picture: texts, lines and shapes that no edge ends at.
  var figures: [GraphFigure] = []
  /// Relations between pairs of nodes that have no line: enzymes that share a compound.
  var relations: [GraphEdge] = []
  /// The canvas of the file; nil if it does not give one.
  var canvas: GraphFrame?

  /// The indices of the edges at each node, in the order of the edges; a loop is listed once.
  var edgesOfNodes: [[Int]] {
    var found = [[Int]](repeating: [], count: nodes.count)
    for (index, edge) in edges.enumerated() {
      found[edge.source].append(index)
      if edge.target != edge.source { found[edge.target].append(index) }
    }
    return found
  }
}

/// A node in a picture of a network.
struct GraphNode: Sendable, Hashable {
  /// The kind of thing that a node represents.
  enum Kind: String, Sendable, CaseIterable {
    case pool, process
    /// A gene, a protein, a complex.
    case macromolecule
    /// A link to another pathway.
    case pathway
    /// A text, a figure of the picture, or anything of no other kind.
    case other
  }

  var id: Identifier
  /// The display name; "" if the file gives none.
  var label: String
  var kind: Kind
  /// The index of the compartment that contains it; nil outside all compartments.
  var compartment: Int?
  /// A Boolean value indicating whether it is a carrier molecule found throughout metabolism, drawn beside each process
  /// or not at all.
  var isCommon = false
  /// A Boolean value indicating whether the main chain passes through it, if the file says so.
  var isPrimary = true
  /// The frame set by a file or by the user; nil if the layout is to place the node.
  var frame: GraphFrame?
  /// The thing it represents, if several nodes may represent the same; nil if its own id identifies it.
  var entity: Identifier?
  /// A Boolean value indicating whether other nodes represent the same thing.
  var isClone = false
  /// The node index of the complex or group that contains it; nil if there is none.
  var parent: Int?
  /// The kind in the terms of the file's format, such as `simple chemical` or `GeneProduct`; "" for none.
  var category = ""
  /// The named points at which edges meet the node.
  var ports: [GraphPort] = []
  /// The decorations on its border: states, units of information.
  var decorations: [GraphDecoration] = []
  /// The position of the label, if it is outside the frame.
  var labelPlace: FrozenPath.Point?
  /// The addresses of its database entries, as given in the file.
  var references: [String] = []
  /// The genes that a process needs.
  var genes: [GraphGene] = []
  /// The rule that combines the genes, as given in the file: `b0001 and (b0002 or b0003)`; "" if it is not given.
  var geneRule = ""
  /// A description of a node without a name, such as the names of its parts; otherwise "".
  var caption = ""
  /// A Boolean value indicating whether it is only a point where lines meet or end, drawn without outline and name.
  var isPoint = false
  /// The style given by the file; nil if there is none.
  var style: GraphStyle?

  /// True if it is a point that is neither a process nor anything that takes part in one.
  var isBarePoint: Bool { isPoint && kind == .other }

  /// The identifier of the thing that the node represents.
  var subject: Identifier { entity ?? id }
}

/// A rectangle of a picture: its center and size; the y axis points down.
struct GraphFrame: Sendable, Hashable {
  var x: Double
  var y: Double
  var width: Double
  var height: Double

  var center: FrozenPath.Point { FrozenPath.Point(x: x, y: y) }

  var isFinite: Bool { x.isFinite && y.isFinite && width.isFinite && height.isFinite }

  /// Returns the frame around the same center, with a width and height smaller by a length.
  func shrunk(by length: Double) -> GraphFrame {
    GraphFrame(x: x, y: y, width: max(0, width - length), height: max(0, height - length))
  }
}

/// A flow or an effect between two nodes.
struct GraphEdge: Sendable, Hashable {
  /// The meaning of an edge.
  enum Kind: String, Sendable, CaseIterable {
    /// A flow of matter, from source to target.
    case flow
    case activation, inhibition, catalysis
    /// An association of two things, without a direction.
    case association
  }

  var source: Int
  var target: Int
  var kind: Kind = .flow
  /// A Boolean value indicating whether matter may also flow in the opposite direction.
  var isReversible = false
  /// Moles per turn of the process.
  var stoichiometry = 1.0
  /// The bends given by the file, starting at the source.
  var bends: [FrozenPath.Point] = []
  /// The identifier; "" if the file gives none.
  var id: Identifier = ""
  /// The kind in the terms of the file's format, such as `necessary stimulation` or `mim-conversion`; "" for none.
  var category = ""
  /// The control points of each segment between bends, one more than there are bends; empty if all are straight.
  var curves: [GraphCurve] = []
  /// The point where it leaves its source, as given by the file; nil if it is not given.
  var start: FrozenPath.Point?
  /// The point where it meets its target, as given by the file; nil if it is not given.
  var end: FrozenPath.Point?
  /// The id of the port where it leaves its source.
  var sourcePort: Identifier?
  /// The id of the port where it meets its target.
  var targetPort: Identifier?
  /// The decorations on it, such as a number of molecules.
  var decorations: [GraphDecoration] = []
  /// The style given by the file; nil if there is none.
  var style: GraphStyle?

  /// True if its process cannot run without this effect: necessary stimulation of SBGN and GPML.
  var isNecessary: Bool { ["necessary stimulation", "mim-necessary-stimulation"].contains(category) }
}

/// A frame around nodes.
struct GraphCompartment: Sendable, Hashable {
  var id: Identifier
  var name: String
  /// The index of the compartment that contains it; nil for the outermost.
  var parent: Int?
  /// The frame set by a file or by the user; nil if it encloses its nodes.
  var frame: GraphFrame?
  /// The decorations on its border.
  var decorations: [GraphDecoration] = []
  /// The style given by the file; nil if there is none.
  var style: GraphStyle?
}

/// A named point where edges meet a node.
struct GraphPort: Sendable, Hashable {
  var id: Identifier
  var position: FrozenPath.Point
}

/// A decoration on the border of a node or on an edge: a state, a unit of information, a number of molecules.
struct GraphDecoration: Sendable, Hashable {
  var id: Identifier = ""
  /// The category in the terms of the file's format.
  var category: String
  var text: String
  var frame: GraphFrame?
  /// The style given by the file; nil if there is none.
  var style: GraphStyle?
}

/// A gene that a process needs.
struct GraphGene: Sendable, Hashable {
  var id: Identifier
  /// The common name.
  var name = ""
}

/// The two control points of a segment of a line, in its direction.
///
/// Both points make a cubic Bezier curve, one makes a quadratic curve, none a straight line.
struct GraphCurve: Sendable, Hashable {
  var first: FrozenPath.Point?
  var second: FrozenPath.Point?

  /// The same segment in the opposite direction.
  var reversed: GraphCurve { GraphCurve(first: second, second: first) }
}

/// A part of a picture outside its network: a text, a line, a shape.
struct GraphFigure: Sendable, Hashable {
  var id: Identifier
  /// The category in the terms of the file's format: `text`, `Oval`, `line`.
  var category: String
  var text = ""
  var frame: GraphFrame
  /// The vertices of a line; empty for other figures.
  var points: [FrozenPath.Point] = []
  /// The style given by the file; nil if there is none.
  var style: GraphStyle?
}

/// The style that a file gives to a node, a line or a figure; nil values use the default.
struct GraphStyle: Sendable, Hashable {
  /// The outline of a node or figure.
  enum Outline: String, Sendable, CaseIterable {
    case rectangle, roundedRectangle, oval, hexagon, pentagon, triangle
    /// A rectangle with cut corners, as PathVisio and SBGN draw complexes.
    case octagon
    /// An oval filled with the color of its line, as SBGN draws associations.
    case disc
    /// No outline, only the contents.
    case none
  }

  /// The style of a line or border.
  enum Line: String, Sendable, CaseIterable {
    case solid, dashed, double
  }

  var stroke: PictureColor?
  var fill: PictureColor?
  var text: PictureColor?
  var outline: Outline?
  var line: Line?
  /// A Boolean value indicating whether the lower part is filled, as SBGN marks nodes that are drawn several times.
  var hasCloneMarker = false

  /// The lengths of dashes and gaps, in default line widths.
  static let dashes = [5.0, 3.0]
}
