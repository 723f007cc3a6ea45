/// A named point where edges meet a node.
struct GraphPort: Sendable, Hashable {
  var id: Identifier
  var place: FrozenPath.Point
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
