import PluginAPI

/// Resolves the names of a draft to indices.
struct SBMLLinker {
  private var document: SBMLDocument
  private let draft: SBMLDraft
  private var values: [Identifier: Double] = [:]
  /// The names that formulas assign but that cannot be computed.
  private var unknown: Set<Identifier> = []

  /// Returns the finished document.
  ///
  /// - Throws: ``SBMLRefusal``.
  static func document(of builder: SBMLBuilder) throws -> SBMLDocument {
    if !builder.hasModel {
      throw SBMLRefusal(
        problem: SBMLProblem(error: FileErrors.structure, rule: 20201, text: "the file has no model"))
    }
    addNotedRules(to: builder)
    var linker = SBMLLinker(document: builder.document, draft: builder.draft)
    // The builder is not used again: nothing is copied.
    builder.document = SBMLDocument()
    builder.draft = SBMLDraft()
    try linker.link()
    return linker.document
  }

  private init(document: SBMLDocument, draft: SBMLDraft) {
    (self.document, self.draft) = (document, draft)
  }

  private mutating func link() throws {
    try linkGenes()
    try linkSpecies()
    try computeValues()
    try linkParticipants()
    try linkBounds()
    try linkObjectives()
  }

  /// Reads the rules that older models give in their notes.
  private static func addNotedRules(to builder: SBMLBuilder) {
    for (reaction, text) in builder.draft.notedRules where builder.document.model.reactions[reaction].geneRule == nil {
      let rule = GeneRule.read(text) { name in
        let id = Identifier(name)
        if builder.draft.symbols[id] == nil, builder.draft.geneIndices[id] == nil {
          builder.draft.symbols[id] = .gene(builder.document.model.genes.count)
          builder.document.model.genes.append(ModelGene(id: id))
        }
        return builder.geneIndex(id)
      }
      if rule == nil {
        let id = builder.document.model.reactions[reaction].id
        builder.warn(FileErrors.word, id: id.text, "the gene rule '\(text)' of the reaction '\(id)' cannot be read")
      }
      builder.document.model.reactions[reaction].geneRule = rule
    }
  }

  private func refusal(
    _ error: DeclaredError, rule: Int? = nil, _ position: SBMLDraft.Position, id: Identifier, _ text: String
  ) -> SBMLRefusal {
    SBMLRefusal(
      problem: SBMLProblem(
        error: error, rule: rule, line: Int(position.line), column: Int(position.column), id: id.text,
        text: text)
    )
  }

  private mutating func linkGenes() throws {
    var indices: [Int] = []
    for (id, position) in draft.namedGenes {
      guard case .gene(let index) = draft.symbols[id] else {
        throw refusal(
          FileErrors.danglingReference, rule: 2_020_908, position, id: id,
          "a gene rule refers to the gene product '\(id)', which does not exist")
      }
      indices.append(index)
    }
    if indices == Array(0..<indices.count) { return }
    for index in document.model.reactions.indices {
      document.model.reactions[index].geneRule = document.model.reactions[index].geneRule?.mapped { indices[$0] }
    }
  }

  private mutating func linkSpecies() throws {
    for location in draft.locations {
      guard case .compartment(let index) = draft.symbols[location.compartment] else {
        let id = document.model.species[location.species].id
        throw refusal(
          FileErrors.danglingReference, rule: 20601, location.position, id: id,
          "the species '\(id)' is in the compartment '\(location.compartment)', which does not exist")
      }
      document.model.species[location.species].compartment = index
    }
    for modifier in draft.modifiers {
      let index = try species(modifier.species, modifier.reaction, modifier.position)
      document.model.reactions[modifier.reaction].modifiers.append(
        ReactionModifier(species: index, term: modifier.term))
    }
  }

  private func species(_ name: Identifier, _ reaction: Int, _ position: SBMLDraft.Position) throws -> Int {
    if case .species(let index) = draft.symbols[name] { return index }
    let id = document.model.reactions[reaction].id
    throw refusal(
      FileErrors.danglingReference, rule: 21111, position, id: id,
      "the reaction '\(id)' has the species '\(name)', which does not exist")
  }

  /// Computes the values of all names, including those that formulas assign.
  private mutating func computeValues() throws {
    for parameter in document.model.parameters { values[parameter.id] = parameter.value }
    if !draft.assignments.isEmpty || draft.participants.contains(where: { $0.formula != nil }) {
      for compartment in document.model.compartments { values[compartment.id] = compartment.size }
      for (index, value) in draft.speciesValues { values[document.model.species[index].id] = value }
    }
    if draft.assignments.isEmpty { return }
    for participant in draft.participants {
      if let id = participant.id, let amount = participant.amount { values[id] = amount }
    }
    // An assignment without a formula, which version 2 of level 3 allows, changes nothing.
    let formulas = draft.assignments.filter { !$0.formula.steps.isEmpty }.map { ($0.target, $0.formula) }
    unknown = FormulaSystem.solve(formulas, &values)
    for index in document.model.parameters.indices {
      document.model.parameters[index].value = values[document.model.parameters[index].id]
    }
  }

  private mutating func linkParticipants() throws {
    var seen = [(reaction: Int, index: Int)](repeating: (-1, 0), count: document.model.species.count)
    for participant in draft.participants {
      let species = try species(participant.species, participant.reaction, participant.position)
      let id = document.model.reactions[participant.reaction].id
      guard let amount = amount(of: participant) else {
        throw refusal(
          FileErrors.thresholds, participant.position, id: id,
          "the amount of '\(participant.species)' in the reaction '\(id)' cannot be computed")
      }
      guard amount.isFinite else {
        throw refusal(
          FileErrors.number, participant.position, id: id,
          "the amount of '\(participant.species)' in the reaction '\(id)' is not finite")
      }
      let signed = participant.isProduct ? amount : -amount
      // Participants come reaction by reaction: the reaction in which a species was last seen shows whether it is in
      // this one.
      if seen[species].reaction == participant.reaction {
        document.model.reactions[participant.reaction].stoichiometry[seen[species].index].amount += signed
      } else {
        let index = document.model.reactions[participant.reaction].stoichiometry.count
        seen[species] = (participant.reaction, index)
        document.model.reactions[participant.reaction].stoichiometry.append(
          SpeciesAmount(species: species, amount: signed))
      }
    }
  }

  private func amount(of participant: SBMLDraft.Participant) -> Double? {
    if let formula = participant.formula { return formula.value { values[$0] } }
    if let id = participant.id {
      if unknown.contains(id) { return nil }
      if let value = values[id] { return value }
    }
    return participant.amount ?? (draft.assignments.isEmpty ? 1 : nil)
  }

  private mutating func linkBounds() throws {
    for bound in draft.bounds {
      let id = document.model.reactions[bound.reaction].id
      guard case .parameter = draft.symbols[bound.parameter] else {
        throw refusal(
          FileErrors.danglingReference, rule: bound.isUpper ? 2_020_706 : 2_020_705, bound.position, id: id,
          "the reaction '\(id)' has the bound '\(bound.parameter)', which is not a parameter")
      }
      guard !unknown.contains(bound.parameter), let value = values[bound.parameter], !value.isNaN else {
        throw refusal(
          FileErrors.thresholds, rule: 2_020_707, bound.position, id: id,
          "the bound '\(bound.parameter)' of the reaction '\(id)' has no value")
      }
      if bound.isUpper {
        document.model.reactions[bound.reaction].upperBound = value
      } else {
        document.model.reactions[bound.reaction].lowerBound = value
      }
    }
    for bound in draft.fluxBounds {
      guard case .reaction(let index) = draft.symbols[bound.reaction] else {
        throw refusal(
          FileErrors.danglingReference, rule: 2_020_405, bound.position, id: bound.reaction,
          "a bound refers to the reaction '\(bound.reaction)', which does not exist")
      }
      if bound.value.isNaN {
        throw refusal(
          FileErrors.number, bound.position, id: bound.reaction, "a bound of '\(bound.reaction)' is not a number")
      }
      if bound.operation != "greater", bound.operation != "greaterEqual" {
        document.model.reactions[index].upperBound = bound.value
      }
      if bound.operation != "less", bound.operation != "lessEqual" {
        document.model.reactions[index].lowerBound = bound.value
      }
    }
  }

  private mutating func linkObjectives() throws {
    for term in draft.terms {
      guard case .reaction(let index) = draft.symbols[term.reaction] else {
        throw refusal(
          FileErrors.danglingReference, rule: 2_020_606, term.position, id: term.reaction,
          "an objective refers to the reaction '\(term.reaction)', which does not exist")
      }
      guard term.weight.isFinite else {
        throw refusal(
          FileErrors.number, term.position, id: term.reaction, "the weight of '\(term.reaction)' is not finite")
      }
      document.model.objectives[term.objective].terms.append(
        FluxObjective.Term(reaction: index, weight: term.weight))
    }
    let active = draft.activeObjective.map { id in document.model.objectives.firstIndex { $0.id == id } }
    document.model.activeObjective = active ?? (document.model.objectives.isEmpty ? nil : 0)
    if let name = draft.activeObjective, document.model.activeObjective == nil {
      document.warnings.append(
        SBMLProblem(
          error: FileErrors.danglingReference, rule: 2_020_214, id: name.text,
          text: "the active objective '\(name)' does not exist"))
    }
  }
}

/// A model as given by the file, in file order, before its names are resolved.
struct SBMLDraft {
  /// A position in the file, from 1.
  struct Position {
    var line: Int32 = 0
    var column: Int32 = 0
  }

  /// A participant of a reaction.
  struct Participant {
    var reaction: Int
    var species: Identifier
    /// The amount; nil if the file does not give it.
    var amount: Double?
    var isProduct: Bool
    /// The participant's own id, by which formulas set the amount.
    var id: Identifier?
    /// A formula for the amount, as in level 2.
    var formula: FormulaProgram?
    var position: Position
  }

  /// The name of a parameter that is a bound.
  struct Bound {
    var reaction: Int
    var parameter: Identifier
    var isUpper: Bool
    var position: Position
  }

  /// A bound with its value, as in the first version of the package.
  struct FluxBound {
    var reaction: Identifier
    var operation: String
    var value: Double
    var position: Position
  }

  /// A weight in an objective.
  struct ObjectiveTerm {
    var objective: Int
    var reaction: Identifier
    var weight: Double
    var position: Position
  }

  /// A name that a formula assigns.
  struct Assignment {
    var target: Identifier
    var formula: FormulaProgram
    /// A Boolean value indicating whether it always holds rather than only initially.
    var isRule: Bool
    var position: Position
  }

  /// A species that affects a reaction without being consumed.
  struct Modifier {
    var reaction: Int
    var species: Identifier
    /// The number of the ontology term for its effect.
    var term: Int?
    var position: Position
  }

  /// The compartment of a species.
  struct Location {
    var species: Int
    var compartment: Identifier
    var position: Position
  }

  /// The meaning of a name.
  enum Symbol {
    case compartment(Int), species(Int), reaction(Int), parameter(Int), gene(Int), participant(Int)
    case other
  }

  var symbols: [Identifier: Symbol] = [:]
  var participants: [Participant] = []
  var modifiers: [Modifier] = []
  var locations: [Location] = []
  var bounds: [Bound] = []
  var fluxBounds: [FluxBound] = []
  var terms: [ObjectiveTerm] = []
  var assignments: [Assignment] = []
  /// The initial values of species, by index; only formulas use them.
  var speciesValues: [Int: Double] = [:]
  var activeObjective: Identifier?
  /// The genes in the order in which rules first name them, with the position.
  ///
  /// Rules hold indices into this list until the end.
  var namedGenes: [(id: Identifier, position: Position)] = []
  var geneIndices: [Identifier: Int] = [:]
  /// The reactions with a gene rule in their notes: `(b1 and b2) or b3`.
  var notedRules: [(reaction: Int, text: String)] = []
}
