import PluginAPI

/// The files that commands write where the user names them.
enum WrittenFile {
  /// Returns the parameter that names the file with a command's result: its own option 'output', else an argument.
  ///
  /// Standard output can stand in its place.
  static func result(of declaration: CommandDescription) -> Parameter? {
    declaration.options.first { $0.name == "output" && $0.kind == .outputFile }
      ?? declaration.arguments.first { $0.kind == .outputFile }
  }

  /// Refuses standard output as a file that a command writes beside its result, such as a key file.
  ///
  /// - Throws: ``WrittenFileError/besideResult(_:parameter:)``.
  static func check(_ arguments: Record, of declaration: CommandDescription) throws(WrittenFileError) {
    let result = result(of: declaration)?.name
    for parameter in declaration.arguments + declaration.options
    where parameter.kind == .outputFile && parameter.name != result {
      guard let path = arguments[parameter.name]?.text, StandardOutput.isNamed(path) else { continue }
      throw .besideResult(path, parameter: parameter.name)
    }
  }
}

/// A file that cannot be standard output.
enum WrittenFileError: Error, Equatable, ReportableError {
  /// Standard output is named for a file that is not the result of the command.
  case besideResult(String, parameter: String)
  /// The command writes a folder.
  case folder(command: String)

  var report: ErrorReport {
    switch self {
    case .besideResult(let path, let parameter):
      ErrorReport(
        code: "host.no-standard-output", kind: .usage,
        "'\(path)' is standard output, which is reserved for the result of the command",
        advice: "name a file for '\(parameter)'")
    case .folder(let command):
      ErrorReport(
        code: "host.no-standard-output", kind: .usage,
        "'\(command)' writes a folder, which cannot go to standard output",
        advice: "name a folder, or choose a format that writes one file")
    }
  }
}
