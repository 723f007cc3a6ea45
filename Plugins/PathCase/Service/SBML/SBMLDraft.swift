/// What the file says of a model before its names are resolved; kept in the order of the file.
struct SBMLDraft {
  /// A place in the file, from 1.
  struct Place {
    var line: Int32 = 0
    var column: Int32 = 0
  }

  /// What takes part in a reaction.
  struct Participant {
    var reaction: Int
    var species: Identifier
    /// Nil if the file leaves it open.
    var amount: Double?
    var isProduct: Bool
    /// Its own name, by which formulas set the amount.
    var id: Identifier?
    /// A formula for the amount, as level 2 has it.
    var formula: FormulaProgram?
    var place: Place
  }

  /// A name of a parameter as a bound.
  struct Bound {
    var reaction: Int
    var parameter: Identifier
    var isUpper: Bool
    var place: Place
  }

  /// A bound with its value, as the first version of the package has it.
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

  /// Something a formula sets.
  struct Assignment {
    var target: Identifier
    var formula: FormulaProgram
    /// Whether it holds always and not only at the beginning.
    var isRule: Bool
    var place: Place
  }

  /// A species that acts without being used up.
  struct Modifier {
    var reaction: Int
    var species: Identifier
    /// The number of the term for what it does.
    var term: Int?
    var place: Place
  }

  /// The room a species is in.
  struct Location {
    var species: Int
    var compartment: Identifier
    var place: Place
  }

  /// What a name stands for.
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
  /// What species begin with, by index; only formulas ask for it.
  var speciesValues: [Int: Double] = [:]
  var activeObjective: Identifier?
  /// Genes in the order in which rules name them first, and where; rules hold indices into this list until the end.
  var namedGenes: [(id: Identifier, place: Place)] = []
  var geneIndices: [Identifier: Int] = [:]
  /// Reactions whose rule is in their notes: `(b1 and b2) or b3`.
  var notedRules: [(reaction: Int, text: String)] = []
}
