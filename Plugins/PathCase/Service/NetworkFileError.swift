import PluginAPI

/// Why a file gives no bytes.
enum NetworkFileError: Error, Equatable, ReportableError {
  /// There is no such file.
  case missing(String)
  /// The system, or its kind, does not let it be read.
  case unreadable(String, reason: String)

  var report: ErrorReport {
    switch self {
    case .missing(let path):
      ErrorReport(
        code: "pathcase.no-file", kind: .notFound, "there is no file '\(path)'",
        advice: "'workbench pathcase list' names the pathways that are bundled")
    case .unreadable(let path, let reason):
      ErrorReport(code: "pathcase.file-unreadable", kind: .failure, "'\(path)' cannot be read: \(reason)")
    }
  }

  static let errorCodes: [ErrorCodeDescription] = [
    .init("pathcase.no-file", "there is no such file, nor a bundled pathway of that id"),
    .init("pathcase.file-unreadable", "a file cannot be read"),
  ]
}
