/// A network with amounts and limits of fluxes, as flux balance analysis takes it.
///
/// Lists are in the order of the file; indices count from 0.
struct ReactionModel: Sendable, Hashable, AnnotatedPart {
  var id: Identifier = ""
  var name = ""
  var compartments: [ModelCompartment] = []
  var species: [ModelSpecies] = []
  var reactions: [ModelReaction] = []
  var genes: [ModelGene] = []
  var parameters: [ModelParameter] = []
  var objectives: [FluxObjective] = []
  /// Which objective counts unless one is named; nil if there is none.
  var activeObjective: Int?
  var groups: [ModelGroup] = []
  /// Drawings of it.
  var layouts: [ModelLayout] = []
  var metadata = ModelMetadata()
}

/// A room that species are in.
struct ModelCompartment: Sendable, Hashable, AnnotatedPart {
  var id: Identifier
  var name = ""
  /// Its size in the file's unit; nil if that is not said.
  var size: Double?
  var metadata = ModelMetadata()
}

/// A metabolite in a compartment.
struct ModelSpecies: Sendable, Hashable, AnnotatedPart {
  var id: Identifier
  var name = ""
  /// Its compartment, by index; nil where the format has none.
  var compartment: Int?
  /// Whether its amount need not balance.
  var isBoundary = false
  var formula: String?
  /// The net charge in elementary charges.
  var charge: Int?
  var metadata = ModelMetadata()
}

/// A step that turns species into others.
struct ModelReaction: Sendable, Hashable, AnnotatedPart {
  var id: Identifier
  var name = ""
  var isReversible = true
  /// What is made (above 0) and used (below 0) by a flux of 1, each species once, by index.
  var stoichiometry: [SpeciesAmount] = []
  /// What acts on it without being used up.
  var modifiers: [ReactionModifier] = []
  /// The least flux, usually in mmol per gram of dry weight and hour; minus infinity for none.
  var lowerBound = -Double.infinity
  /// The largest flux; infinity for none.
  var upperBound = Double.infinity
  /// Which genes it needs; nil if none are told.
  var geneRule: GeneRule?
  var subsystem: String?
  var metadata = ModelMetadata()
}

/// An amount of a species.
struct SpeciesAmount: Sendable, Hashable {
  var species: Int
  var amount: Double
}

/// A gene whose products catalyse reactions.
struct ModelGene: Sendable, Hashable, AnnotatedPart {
  var id: Identifier
  /// What people call it.
  var name = ""
  /// What the file prints on it, such as a locus, if it has a name besides; else "".
  var label = ""
  var metadata = ModelMetadata()
}

/// A number with a name.
struct ModelParameter: Sendable, Hashable, AnnotatedPart {
  var id: Identifier
  /// Nil if the file gives none.
  var value: Double?
  var isConstant = true
  var metadata = ModelMetadata()
}

/// What is to be as large, or as small, as can be.
struct FluxObjective: Sendable, Hashable {
  /// The weight of a reaction's flux, by index.
  struct Term: Sendable, Hashable {
    var reaction: Int
    var weight: Double
  }

  var id: Identifier
  var isMaximized = true
  var terms: [Term] = []
}

/// Things that belong together, such as the reactions of a subsystem.
struct ModelGroup: Sendable, Hashable, AnnotatedPart {
  var id: Identifier
  var name = ""
  /// What the members are to it: `classification`, `partonomy`, `collection`; nil if that is not said.
  var kind: String?
  /// Ids of what is in it.
  var members: [Identifier] = []
  var metadata = ModelMetadata()
}
