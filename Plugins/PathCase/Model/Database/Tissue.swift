/// An organ or a body fluid.
struct Tissue: Sendable, Hashable {
  /// What kind of place it is.
  enum Kind: String, Sendable, CaseIterable {
    case organ, fluid
  }

  var id: Identifier
  var name: String
  var kind: Kind = .organ
}

/// A room of a tissue that membranes enclose: cytosol, mitochondrion, blood.
struct Compartment: Sendable, Hashable {
  var id: Identifier
  var name: String
  /// The tissue it belongs to; nil for networks that tell none.
  var tissue: Identifier?
  /// The compartment around it; nil for the outermost.
  var outside: Identifier?
}
