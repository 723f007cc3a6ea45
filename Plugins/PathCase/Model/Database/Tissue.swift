/// An organ or a body fluid.
struct Tissue: Sendable, Hashable {
  /// The kind of a tissue.
  enum Kind: String, Sendable, CaseIterable {
    case organ, fluid
  }

  var id: Identifier
  var name: String
  var kind: Kind = .organ
}

/// A space of a tissue enclosed by membranes: cytosol, mitochondrion, blood.
struct Compartment: Sendable, Hashable {
  var id: Identifier
  var name: String
  /// The tissue it belongs to; nil for networks without tissues.
  var tissue: Identifier?
  /// The compartment that contains it; nil for the outermost.
  var outside: Identifier?
}
