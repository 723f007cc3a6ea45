/// A species that affects a reaction without being consumed.
struct ReactionModifier: Sendable, Hashable {
  /// The effect of a modifier.
  enum Kind: String, Sendable, Hashable, CaseIterable {
    case catalyst, activator, inhibitor
    /// The file gives no effect, or one that is none of the others.
    case unknown
  }

  /// The index of the species in the model.
  var species: Int
  /// The number of the ontology term for its effect; nil if the file has none.
  ///
  /// - Source: Systems Biology Ontology (https://github.com/EBI-BioModels/SBO), branch `modifier`, SBO:0000019.
  var term: Int?

  /// Creates a modifier as given in a file.
  init(species: Int, term: Int?) {
    self.species = species
    self.term = term
  }

  /// Creates a modifier of a kind, with the kind's own term.
  init(species: Int, _ kind: Kind) {
    self.species = species
    term = Self.terms[kind]?.first
  }

  /// The effect given by its term.
  var kind: Kind {
    guard let term else { return .unknown }
    return Kind.allCases.first { Self.terms[$0]?.contains(term) ?? false } ?? .unknown
  }

  /// The terms of each kind: its own first, then its subterms.
  private static let terms: [Kind: [Int]] = [
    // Catalyst; enzymatic catalyst.
    .catalyst: [13, 460],
    // Stimulator; potentiator; essential, non-essential, specific, catalytic, binding, allosteric, non-allosteric
    // activator.
    .activator: [459, 21, 461, 462, 533, 534, 535, 636, 637],
    // Inhibitor; competitive, non-competitive, partial, complete inhibitor; silencer; irreversible, allosteric,
    // uncompetitive inhibitor.
    .inhibitor: [20, 206, 207, 536, 537, 597, 638, 639, 640],
  ]
}
