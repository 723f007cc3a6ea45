import PluginAPI
import PluginCompression
import PluginXML

/// The reasons for which an SBML file cannot be read.
enum SBMLError: Error, Equatable, ReportableError {
  case xml(XMLError)
  case compressed(CompressionError)
  case broken(SBMLProblem)

  var report: ErrorReport { whole.short }

  private var whole: ErrorReport {
    switch self {
    case .xml(let error):
      ErrorReport(
        code: Self.code(of: error), kind: .unusableInput, error.description, advice: "export the model as SBML anew")
    case .compressed(let error):
      ErrorReport(
        code: error == .truncated ? "pathcase.xml-007" : "pathcase.xml-006", kind: .unusableInput, error.description,
        advice: "fetch the file again")
    case .broken(let problem):
      ErrorReport(
        code: problem.code, kind: .unusableInput, problem.description,
        advice: "mend the file, or export the model as SBML anew",
        details: [
          "line": .optional(problem.line > 0 ? problem.line : nil),
          "column": .optional(problem.line > 0 ? problem.column : nil), "rule": .optional(problem.rule),
          "id": .optional(problem.id),
        ])
    }
  }

  private static func code(of error: XMLError) -> String {
    switch error {
    case .entity: "pathcase.xml-002"
    case .tooDeep, .tooManyAttributes, .longName: "pathcase.xml-004"
    case .tooLarge: "pathcase.xml-006"
    default: "pathcase.xml-001"
    }
  }

  static let errorCodes = [
    ErrorCodeDescription("pathcase.xml-001", "the file is no well-formed XML"),
    ErrorCodeDescription("pathcase.xml-002", "the file declares or uses entities, which are not read"),
    ErrorCodeDescription("pathcase.xml-004", "elements are nested too deeply, or have too many or too long names"),
    ErrorCodeDescription("pathcase.xml-006", "the file is damaged, or becomes too large when uncompressed"),
    ErrorCodeDescription("pathcase.xml-007", "the compressed file ends too early"),
    ErrorCodeDescription("pathcase.str-001", "the file is no SBML, or has no model"),
    ErrorCodeDescription("pathcase.str-002", "the file has a level of SBML that is not known"),
    ErrorCodeDescription("pathcase.str-003", "something that must be told is missing"),
    ErrorCodeDescription("pathcase.str-004", "the file needs a package of SBML that is not known: it is ignored"),
    ErrorCodeDescription("pathcase.ref-001", "something is named that is not there"),
    ErrorCodeDescription("pathcase.id-001", "two things have the same id"),
    ErrorCodeDescription("pathcase.id-003", "an id is empty or has a blank"),
    ErrorCodeDescription("pathcase.typ-001", "a number cannot be read"),
    ErrorCodeDescription("pathcase.typ-002", "a truth value is neither 'true' nor 'false'"),
    ErrorCodeDescription("pathcase.sem-006", "a value cannot be computed from the file's formulas"),
  ]
}
