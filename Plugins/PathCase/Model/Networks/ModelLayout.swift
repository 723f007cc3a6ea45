/// Where the things of a model are drawn.
///
/// - Source: SBML Level 3 Package: Layout, version 1, release 1.
struct ModelLayout: Sendable, Hashable {
  var id: Identifier
  var name = ""
  /// The size of the drawing in its own unit; nil if it is not said.
  var size: LayoutSize?
  var glyphs: [LayoutGlyph] = []
}

/// A width and a height in the drawing's own unit.
struct LayoutSize: Sendable, Hashable {
  var width: Double
  var height: Double
}

/// A point; x goes to the right and y downwards.
struct LayoutPoint: Sendable, Hashable {
  var x: Double
  var y: Double
}

/// Something that is drawn.
struct LayoutGlyph: Sendable, Hashable {
  /// What it stands for.
  enum Kind: String, Sendable, Hashable, CaseIterable {
    case compartment, species, reaction, text, general
    /// The line between a reaction and a species, or between two things.
    case speciesReference, reference
  }

  var kind: Kind
  var id: Identifier
  /// The thing of the model that it shows, or whose name it is the text of; nil if none is told.
  var object: Identifier?
  /// The glyph that a line leads to, or a text belongs to.
  var target: Identifier?
  /// The glyph of the reaction, or of the thing, that a line belongs to, by its index in the layout.
  var owner: Int?
  /// What a species does: `substrate`, `product`, `sidesubstrate`, `modifier`, ….
  var role: String?
  /// The words of a text that is no name.
  var text: String?
  /// Its upper left corner; nil if it has no box.
  var corner: LayoutPoint?
  var size: LayoutSize?
  var segments: [LayoutSegment] = []
}

/// A straight piece of a line, or a cubic one if it has points that it bends towards.
struct LayoutSegment: Sendable, Hashable {
  var start: LayoutPoint
  var end: LayoutPoint
  /// The two control points of a Bézier curve.
  var first: LayoutPoint?
  var second: LayoutPoint?
}
