import PluginAPI
import PluginJSON

/// The reasons for which a model in COBRA's JSON cannot be read.
indirect enum COBRAError: Error, Equatable, ReportableError {
  case json(JSONError)
  /// An error with the position where its subject begins, from 1.
  case placed(line: Int, column: Int, COBRAError)
  /// The file is JSON, but lacks a list that models have.
  case noModel(missing: String)
  /// A part of a model lacks a required field, or has it in another form.
  case wrong(list: String, place: Int, field: String, reason: String)
  /// Two parts have the same id.
  case duplicate(Identifier)
  /// A reaction uses a species that does not exist.
  case unknown(Identifier, reaction: Identifier)

  var report: ErrorReport { whole.short }

  private var whole: ErrorReport {
    switch self {
    case .json(let error): MapError(json: error).report
    case .placed(let line, let column, let error): Self.placed(error.whole, line, column)
    case .noModel(let missing):
      ErrorReport(
        code: "pathcase.str-001", kind: .unusableInput, "the JSON is no model: it has no '\(missing)'",
        advice: "export the model as COBRA JSON")
    case .wrong(let list, let place, let field, let reason):
      ErrorReport(
        code: "pathcase.typ-001", kind: .unusableInput, "'\(field)' of \(list) \(place), counted from 1, \(reason)",
        advice: "mend the file, or export the model anew")
    case .duplicate(let id):
      ErrorReport(
        code: "pathcase.id-001", kind: .unusableInput, "the id '\(id)' is given to two things",
        advice: "give one of them another", details: ["id": .text(id.text)])
    case .unknown(let id, let reaction):
      ErrorReport(
        code: "pathcase.ref-001", kind: .unusableInput,
        "the reaction '\(reaction)' has the metabolite '\(id)', which is not there",
        advice: "add it to 'metabolites'", details: ["id": .text(id.text), "reaction": .text(reaction.text)])
    }
  }

  private static func placed(_ report: ErrorReport, _ line: Int, _ column: Int) -> ErrorReport {
    ErrorReport(
      code: report.code, kind: report.kind, "\(report.message) (line \(line), column \(column))",
      advice: report.advice, details: ["line": .integer(line), "column": .integer(column)])
  }

  static let errorCodes = [
    ErrorCodeDescription("pathcase.str-001", "the file is no model"),
    ErrorCodeDescription("pathcase.typ-001", "a number cannot be read"),
    ErrorCodeDescription("pathcase.id-001", "two things have the same id"),
    ErrorCodeDescription("pathcase.ref-001", "something is named that is not there"),
    ErrorCodeDescription("pathcase.model-simplified", "something of a model has no room in a format and is left out"),
  ]
}
