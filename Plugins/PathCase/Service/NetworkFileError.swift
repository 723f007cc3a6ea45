import PluginAPI

/// The reasons for which a file cannot be read.
enum NetworkFileError: Error, Equatable, ReportableError {
  /// The file does not exist.
  case missing(String)
  /// The system, or the kind of the file, prevents reading it.
  case unreadable(String, reason: SystemReason)
  /// The file is not a network, but belongs to one.
  case noNetwork(String, format: NetworkFormat)
  /// The file violates the rules of its format.
  case unusable(String, ErrorReport)

  var report: ErrorReport {
    switch self {
    case .missing(let path):
      return ErrorReport(
        code: "pathcase.no-file", kind: .notFound, "there is no file '\(path)'",
        advice: "'workbench pathcase list' names the pathways that are bundled")
    case .unreadable(let path, let reason):
      return ErrorReport(
        code: "pathcase.file-unreadable", kind: reason.kind, "'\(path)' cannot be read: \(reason)")
    case .noNetwork(let path, let format):
      return ErrorReport(
        code: "pathcase.no-network", kind: .unusableInput, "'\(path)' is \(format.title) and no network",
        advice: "lay it over one: 'draw NETWORK --overlay FILE'")
    case .unusable(let path, var report):
      report.message = "'\(path)': " + report.message
      report.details["file"] = .text(path)
      return report
    }
  }

  static let errorCodes: [ErrorCodeDescription] = [
    .init("pathcase.no-file", "there is no such file, nor a bundled pathway of that id"),
    .init("pathcase.file-unreadable", "a file cannot be read"),
    .init("pathcase.no-network", "a file goes with a network but holds none"),
  ]
}
