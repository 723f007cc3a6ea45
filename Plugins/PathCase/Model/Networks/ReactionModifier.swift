/// A species that acts on a reaction without being used up.
struct ReactionModifier: Sendable, Hashable {
  /// What it does.
  enum Kind: String, Sendable, Hashable, CaseIterable {
    case catalyst, activator, inhibitor
    /// The file does not say, or says what is neither.
    case unknown
  }

  /// By its index in the model.
  var species: Int
  /// The number of the term that says what it does; nil if the file has none.
  ///
  /// - Source: Systems Biology Ontology (https://github.com/EBI-BioModels/SBO), branch `modifier`, SBO:0000019.
  var term: Int?

  /// A modifier as a file has it.
  init(species: Int, term: Int?) {
    self.species = species
    self.term = term
  }

  /// A modifier of a kind, with the kind's own term.
  init(species: Int, _ kind: Kind) {
    self.species = species
    term = Self.terms[kind]?.first
  }

  /// What it does, by its term.
  var kind: Kind {
    guard let term else { return .unknown }
    return Kind.allCases.first { Self.terms[$0]?.contains(term) ?? false } ?? .unknown
  }

  /// The terms of each kind: its own first, then those that are kinds of it.
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
