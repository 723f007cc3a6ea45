/// A model as given by the file, in file order, before its names are resolved.
struct SBMLDraft {
  /// A position in the file, from 1.
  struct Place {
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
    var place: Place
  }

  /// The name of a parameter that is a bound.
  struct Bound {
    var reaction: Int
    var parameter: Identifier
    var isUpper: Bool
    var place: Place
  }

  /// A bound with its value, as in the first version of the package.
  struct FluxBound {
    var reaction: Identifier
    var operation: String
    var value: Double
    var place: Place
  }

  /// A weight in an objective.
  struct ObjectiveTerm {
    var objective: Int
    var reaction: Identifier
    var weight: Double
    var place: Place
  }

  /// A name that a formula assigns.
  struct Assignment {
    var target: Identifier
    var formula: FormulaProgram
    /// A Boolean value indicating whether it always holds rather than only initially.
    var isRule: Bool
    var place: Place
  }

  /// A species that affects a reaction without being consumed.
  struct Modifier {
    var reaction: Int
    var species: Identifier
    /// The number of the ontology term for its effect.
    var term: Int?
    var place: Place
  }

  /// The compartment of a species.
  struct Location {
    var species: Int
    var compartment: Identifier
    var place: Place
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
  /// The genes in the order in which rules first name them, with the position; rules hold indices into this list until
  /// the end.
  var namedGenes: [(id: Identifier, place: Place)] = []
  var geneIndices: [Identifier: Int] = [:]
  /// The reactions with a gene rule in their notes: `(b1 and b2) or b3`.
  var notedRules: [(reaction: Int, text: String)] = []
}
