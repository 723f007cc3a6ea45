import PluginAPI

/// The errors of reading files with networks.
enum NetworkFileError {
  static let all: [DeclaredError] = [missing, unreadable, noNetwork]

  static let missing = DeclaredError(
    "pathcase.no-file", .notFound, "there is no such file, nor a bundled pathway of that id")
  static let noNetwork = DeclaredError(
    "pathcase.no-network", .unusableInput, "a file goes with a network but holds none")
  private static let unreadable = DeclaredError("pathcase.file-unreadable", .failure, "a file cannot be read")

  /// Returns the error of a file that the system, or its kind, prevents from being read.
  static func unreadable(_ path: String, reason: SystemReason) -> ErrorReport {
    var report = unreadable("'\(path)' cannot be read: \(reason)")
    report.kind = reason.kind
    return report
  }
}
