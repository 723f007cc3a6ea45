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

/// The annotations of a part of a model, apart from its mathematics.
struct ModelMetadata: Sendable, Hashable {
  /// The number of its Systems Biology Ontology term, such as 176 for `SBO:0000176`; nil if the file has none.
  var term: Int?
  var notes = ModelNotes()
  /// The addresses of its database entries, as given in the file: `https://identifiers.org/chebi/CHEBI:17234`.
  var references: [String] = []
  /// The relation to each address that is not the thing itself, such as `isVersionOf`, keyed by address.
  var qualifiers: [String: String] = [:]
}

/// The notes of a file, for people and programs.
struct ModelNotes: Sendable, Hashable {
  /// A line such as `Confidence: 4`, or several lines with one key.
  struct Entry: Sendable, Hashable {
    var key: String
    var values: [String]
    /// A Boolean value indicating whether the values form a list, even if there is only one.
    var isList = false
  }

  /// The lines of the form `key: value`, in the order of the file.
  var entries: [Entry] = []
  /// The notes in XHTML, if they contain more than such lines; otherwise "".
  var markup = ""

  var isEmpty: Bool { entries.isEmpty && markup.isEmpty }

  /// Adds a value; a value with the same key as the last entry joins it in a list.
  mutating func add(_ key: String, _ value: String) {
    if let last = entries.indices.last, entries[last].key == key {
      entries[last].values.append(value)
      entries[last].isList = true
    } else {
      entries.append(Entry(key: key, values: [value]))
    }
  }

  /// Returns whether there is a line with a key, ignoring case.
  func has(_ key: String) -> Bool { entries.contains { $0.key.uppercased() == key } }
}

/// A part of a model that a file may annotate.
protocol AnnotatedPart {
  var metadata: ModelMetadata { get set }
}

extension AnnotatedPart {
  var references: [String] {
    get { metadata.references }
    set { metadata.references = newValue }
  }

  var qualifiers: [String: String] {
    get { metadata.qualifiers }
    set { metadata.qualifiers = newValue }
  }
}

// MARK: - Subsystems

extension ReactionModel {
  /// The name of each reaction's subsystem: its own, or else that of the first group that contains it; nil for none.
  var subsystems: [String?] {
    var found: [Identifier: String] = [:]
    for group in groups where isSubsystem(group) {
      for member in group.members where found[member] == nil { found[member] = group.name }
    }
    return reactions.map { $0.subsystem ?? found[$0.id] }
  }

  /// The number of groups that are not the subsystem of each of their members.
  var groupsBesideSubsystems: Int {
    let subsystems = Dictionary(zip(reactions.map(\.id), subsystems)) { first, _ in first }
    return groups.count { group in
      group.members.isEmpty || !group.members.allSatisfy { subsystems[$0] == .some(.some(group.name)) }
    }
  }

  /// Returns whether a group names a subsystem: it has a name, and its members are reactions.
  private func isSubsystem(_ group: ModelGroup) -> Bool { !group.name.isEmpty && group.kind != "collection" }

  /// Returns the model with a group for each subsystem, if it has no groups yet.
  ///
  /// - Parameter isOnly: True if the groups replace the subsystems of the reactions.
  /// - Source: SBML Level 3 Package: Groups, version 1; SBO:0000633 (subsystem), as COBRApy writes it.
  func withSubsystemGroups(isOnly: Bool) -> ReactionModel {
    guard groups.isEmpty else { return self }
    var model = self
    if isOnly { for index in reactions.indices { model.reactions[index].subsystem = nil } }
    var places: [String: Int] = [:]
    var taken = Set(compartments.map(\.id) + species.map(\.id) + reactions.map(\.id) + genes.map(\.id))
    taken.formUnion(parameters.map(\.id) + objectives.map(\.id) + [id])
    for reaction in reactions {
      guard let name = reaction.subsystem else { continue }
      if places[name] == nil {
        var number = model.groups.count + 1
        while !taken.insert(Identifier("subsystem_\(number)")).inserted { number += 1 }
        places[name] = model.groups.count
        model.groups.append(
          ModelGroup(
            id: Identifier("subsystem_\(number)"), name: name, kind: "partonomy", metadata: ModelMetadata(term: 633)))
      }
      model.groups[places[name] ?? 0].members.append(reaction.id)
    }
    return model
  }
}
