/// A run of polymer residues that follow one another without a gap, as cartoon and backbone see it.
struct BackboneTrace: Equatable, Sendable {
  enum Polymer: Equatable, Sendable {
    /// Guided by the alpha carbons; a residue reaches from half-way before its node to half-way behind it.
    case protein
    /// Guided by the phosphates; a residue reaches from its node to the next, the last node being its 3' end.
    case nucleic
  }

  /// One guide point.
  struct Node: Equatable, Sendable {
    /// Place of the alpha carbon or phosphorus, in ångström.
    var place: SIMD3<Float>
    /// The way from the carbonyl carbon to its oxygen, of length one; zero where it is not known.
    var side: SIMD3<Float> = .zero
    var shape: SecondaryShape = .coil
    /// What the scene calls the atom that stands for the residue.
    var atom: Int32
  }

  /// The flat part of a nucleotide.
  struct Base: Equatable, Sendable {
    /// The node its residue begins with.
    var node: Int
    /// The corners of the outline of its ring or rings in order, in ångström; the first is bound to the sugar.
    var outline: [SIMD3<Float>]
    /// What the scene calls the first atom of the outline.
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

/// What a residue of a protein looks like in a cartoon.
enum SecondaryShape: UInt8, Equatable, Sendable, CaseIterable {
  case coil, helix, strand
}
