/// A place with a name where edges meet a node.
struct GraphPort: Sendable, Hashable {
  var id: Identifier
  var place: FrozenPath.Point
}

/// What is drawn on the border of a node or on an edge: a state, a unit of information, a number of molecules.
struct GraphDecoration: Sendable, Hashable {
  var id: Identifier = ""
  /// In the words of the file's format.
  var category: String
  var text: String
  var frame: GraphFrame?
  /// The look that its file gives it; nil if it gives none.
  var style: GraphStyle?
}

/// A gene that a process needs.
struct GraphGene: Sendable, Hashable {
  var id: Identifier
  /// What people call it.
  var name = ""
}

/// The two control points of a piece of a line, in its direction.
///
/// With both it is a cubic Bezier curve, with one a quadratic one, with none a straight line.
struct GraphCurve: Sendable, Hashable {
  var first: FrozenPath.Point?
  var second: FrozenPath.Point?

  /// The same piece, drawn from its end.
  var reversed: GraphCurve { GraphCurve(first: second, second: first) }
}

/// What a picture has besides its network: a text, a line, a shape.
struct GraphFigure: Sendable, Hashable {
  var id: Identifier
  /// In the words of the file's format: `text`, `Oval`, `line`.
  var category: String
  var text = ""
  var frame: GraphFrame
  /// The corners of a line; empty for others.
  var points: [FrozenPath.Point] = []
  /// The look that its file gives it; nil if it gives none.
  var style: GraphStyle?
}
