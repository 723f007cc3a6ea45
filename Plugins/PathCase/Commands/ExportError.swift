import PluginAPI

/// The errors of writing networks and pictures.
enum ExportError {
  static let all: [DeclaredError] = [unknownEnding, noFormat, noFile, notWritten]

  static let unknownEnding = DeclaredError(
    "pathcase.unknown-ending", .usage, "the name of a file does not tell the format that is wanted")

  static func unknownEnding(_ path: String, formats: [String]) -> ErrorReport {
    unknownEnding(
      "the name '\(path)' does not tell a format",
      advice: "end it in .\(formats.joined(separator: ", .")), or give '--format'")
  }

  static let noFormat = DeclaredError(
    "pathcase.no-format", .usage, "neither a format nor the name of a file is given")

  static func noFormat(formats: [String]) -> ErrorReport {
    noFormat(
      "which format is wanted is not said",
      advice: "give '--format' with one of \(formats.joined(separator: ", ")), or '--output' with a file's name")
  }

  static let noFile = DeclaredError("pathcase.no-output", .usage, "a format that is no text needs a file")

  static func noFile(format: String) -> ErrorReport {
    noFile("\(format.uppercased()) needs a file to go to", advice: "name one with '--output'")
  }

  static let notWritten = DeclaredError(
    "pathcase.not-exported", .unusableInput, "a network has not what a format is made of")
}
