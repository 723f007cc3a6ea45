/// A metabolic network with stoichiometries and flux bounds, as used in flux balance analysis.
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
  /// The index of the default objective; nil if there is none.
  var activeObjective: Int?
  var groups: [ModelGroup] = []
  /// The drawings of the model.
  var layouts: [ModelLayout] = []
  var metadata = ModelMetadata()
}

/// A compartment of a model.
struct ModelCompartment: Sendable, Hashable, AnnotatedPart {
  var id: Identifier
  var name = ""
  /// The size in the file's unit; nil if it is not given.
  var size: Double?
  var metadata = ModelMetadata()
}

/// A metabolite in a compartment.
struct ModelSpecies: Sendable, Hashable, AnnotatedPart {
  var id: Identifier
  var name = ""
  /// The index of its compartment; nil if the format has none.
  var compartment: Int?
  /// A Boolean value indicating whether its amount need not balance.
  var isBoundary = false
  var formula: String?
  /// The net charge in elementary charges.
  var charge: Int?
  var metadata = ModelMetadata()
}

/// A reaction of a model.
struct ModelReaction: Sendable, Hashable, AnnotatedPart {
  var id: Identifier
  var name = ""
  var isReversible = true
  /// The amounts that a unit flux produces (above 0) and consumes (below 0), each species once, by index.
  var stoichiometry: [SpeciesAmount] = []
  /// The species that affect the reaction without being consumed.
  var modifiers: [ReactionModifier] = []
  /// The lower bound of the flux, usually in mmol per gram of dry weight and hour; negative infinity for none.
  var lowerBound = -Double.infinity
  /// The upper bound of the flux; infinity for none.
  var upperBound = Double.infinity
  /// The rule for the genes it needs; nil if none is given.
  var geneRule: GeneRule?
  var subsystem: String?
  var metadata = ModelMetadata()
}

/// An amount of a species.
struct SpeciesAmount: Sendable, Hashable {
  var species: Int
  var amount: Double
}

/// A gene whose products catalyze reactions.
struct ModelGene: Sendable, Hashable, AnnotatedPart {
  var id: Identifier
  /// The display name.
  var name = ""
  /// The label in the file, such as a locus, if there is a name too; otherwise "".
  var label = ""
  var metadata = ModelMetadata()
}

/// A named number.
struct ModelParameter: Sendable, Hashable, AnnotatedPart {
  var id: Identifier
  /// The value; nil if the file gives none.
  var value: Double?
  var isConstant = true
  var metadata = ModelMetadata()
}

/// A linear function of fluxes to maximize or minimize.
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

/// A group of related parts, such as the reactions of a subsystem.
struct ModelGroup: Sendable, Hashable, AnnotatedPart {
  var id: Identifier
  var name = ""
  /// The relation of the members to the group: `classification`, `partonomy`, `collection`; nil if it is not given.
  var kind: String?
  /// The ids of its members.
  var members: [Identifier] = []
  var metadata = ModelMetadata()
}
