/// A model as it was read of a file, of SBML or another format of models.
struct SBMLDocument: Sendable, Hashable {
  var model = ReactionModel()
  var format = NetworkFormat.sbml
  /// The level of SBML, 1 to 3.
  var level = 3
  var version = 1
  /// The version of the package for flux balance constraints; nil if the file does not use it.
  var fluxPackage: Int?
  /// What the file has that no model here holds, in words: `events`, `rate laws`.
  var leftOut: Set<String> = []
  /// What is odd about the file but no reason to refuse it.
  var warnings: [SBMLProblem] = []
}

/// What is wrong with an SBML file, and where.
struct SBMLProblem: Sendable, Hashable {
  /// The stable code: `pathcase.ref-001`.
  var code: String
  /// The number of the rule that is broken, as validators of SBML tell it: 10301, or 2020705 for rule 20705 of the
  /// package for flux balance constraints; nil if there is none.
  var rule: Int?
  /// From 1; 0 if the whole file is meant.
  var line = 0
  /// From 1, in bytes: where the tag ends.
  var column = 0
  /// The thing it is about.
  var id: String?
  /// What is wrong, without place and rule.
  var text: String

  /// What is wrong, with place and rule.
  var description: String {
    let place = line > 0 ? " in line \(line), column \(column)" : ""
    return text + place + (rule.map { " (SBML rule \($0))" } ?? "")
  }
}
