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
