/// A run of consecutive polymer residues without a gap, as drawn in cartoon and backbone.
struct BackboneTrace: Equatable, Sendable {
  enum Polymer: Equatable, Sendable {
    /// Guided by the alpha carbons; a residue extends from halfway before its node to halfway behind it.
    case protein
    /// Guided by the phosphates; a residue extends from its node to the next, the last node being its 3' end.
    case nucleic
  }

  /// One guide point.
  struct Node: Equatable, Sendable {
    /// The position of the alpha carbon or phosphorus, in ångström.
    var place: SIMD3<Float>
    /// The unit vector from the carbonyl carbon to its oxygen; zero if it is not known.
    var side: SIMD3<Float> = .zero
    var shape: SecondaryShape = .coil
    /// The scene's number of the atom that represents the residue.
    var atom: Int32
  }

  /// The flat part of a nucleotide.
  struct Base: Equatable, Sendable {
    /// The node at which its residue begins.
    var node: Int
    /// The corners of the outline of its ring or rings in order, in ångström; the first is bound to the sugar.
    var outline: [SIMD3<Float>]
    /// The scene's number of the first atom of the outline.
    var atom: Int32
  }

  var polymer: Polymer
  var nodes: [Node] = []
  var bases: [Base] = []
  /// A Boolean value indicating whether the last node is the first again, as in a cyclic chain.
  var isClosed = false

  /// The number of residues.
  var residueCount: Int { polymer == .protein && !isClosed ? nodes.count : max(0, nodes.count - 1) }
}

/// The shape of a protein residue in a cartoon.
enum SecondaryShape: UInt8, Equatable, Sendable, CaseIterable {
  case coil, helix, strand
}
