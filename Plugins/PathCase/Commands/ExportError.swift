import PluginAPI

/// The reasons for which a network or picture cannot be written.
enum ExportError: Error, Equatable, ReportableError {
  /// The file name does not determine the format.
  case unknownEnding(String, formats: [String])
  /// There is neither a format nor a file name that would determine one.
  case noFormat(formats: [String])
  /// A binary format needs an output file.
  case noFile(format: String)
  /// A network lacks the data that a format needs.
  case notWritten(String, format: String, reason: String)

  var report: ErrorReport {
    switch self {
    case .unknownEnding(let path, let formats):
      ErrorReport(
        code: "pathcase.unknown-ending", kind: .usage, "the name '\(path)' does not tell a format",
        advice: "end it in .\(formats.joined(separator: ", .")), or give '--format'")
    case .noFormat(let formats):
      ErrorReport(
        code: "pathcase.no-format", kind: .usage, "which format is wanted is not said",
        advice: "give '--format' with one of \(formats.joined(separator: ", ")), or '--output' with a file's name")
    case .noFile(let format):
      ErrorReport(
        code: "pathcase.no-output", kind: .usage, "\(format.uppercased()) needs a file to go to",
        advice: "name one with '--output'")
    case .notWritten(let name, let format, let reason):
      ErrorReport(
        code: "pathcase.not-exported", kind: .unusableInput, "'\(name)' cannot be written as \(format): \(reason)")
    }
  }

  static let errorCodes: [ErrorCodeDescription] = [
    .init("pathcase.unknown-ending", "the name of a file does not tell the format that is wanted"),
    .init("pathcase.no-format", "neither a format nor the name of a file is given"),
    .init("pathcase.no-output", "a format that is no text needs a file"),
    .init("pathcase.not-exported", "a network has not what a format is made of"),
  ]
}
