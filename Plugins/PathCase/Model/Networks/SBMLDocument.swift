/// A model as read from a file in SBML or another model format.
struct SBMLDocument: Sendable, Hashable {
  var model = ReactionModel()
  var format = NetworkFormat.sbml
  /// The level of SBML, 1 to 3.
  var level = 3
  var version = 1
  /// The version of the flux balance constraints package; nil if the file does not use it.
  var fluxPackage: Int?
  /// The file's features that the model cannot represent, in words: `events`, `rate laws`.
  var leftOut: Set<String> = []
  /// Problems in the file that do not prevent its use.
  var warnings: [SBMLProblem] = []
}

/// A problem in an SBML file, with its position.
struct SBMLProblem: Sendable, Hashable {
  /// The stable code: `pathcase.ref-001`.
  var code: String
  /// The number of the violated rule, as given by SBML validators; nil if there is none.
  ///
  /// Examples are 10301, and 2020705 for rule 20705 of the flux balance constraints package.
  var rule: Int?
  /// The line, from 1; 0 if the problem concerns the whole file.
  var line = 0
  /// The column at which the tag ends, in bytes, from 1.
  var column = 0
  /// The id of the element concerned.
  var id: String?
  /// The description of the problem, without position and rule.
  var text: String

  /// The description of the problem, with position and rule.
  var description: String {
    let place = line > 0 ? " in line \(line), column \(column)" : ""
    return text + place + (rule.map { " (SBML rule \($0))" } ?? "")
  }
}
