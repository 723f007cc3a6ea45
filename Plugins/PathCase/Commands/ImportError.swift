import PluginAPI

/// The reasons for which a network cannot be imported.
enum ImportError: Error, Equatable, ReportableError {
  /// Several files cannot share one id.
  case oneFile(String)
  /// The id looks like a path.
  case unusableID(String)
  /// The id belongs to a pathway of the database.
  case pathway(String)
  /// Another file is stored under the id.
  case taken(String, file: String)
  /// Some of several files were not imported; each failure has been reported.
  case notAll(failed: Int, of: Int, kind: ErrorReport.Kind)
  /// A file violates rules of its format.
  case faults(String, count: Int)
  /// No imported network has the id.
  case unknown(String, nearest: String?)

  var report: ErrorReport {
    switch self {
    case .oneFile(let id):
      ErrorReport(
        code: "pathcase.import-one-file", kind: .usage, "several files cannot have the one id '\(id)'",
        advice: "import them one by one, or leave '--id' out")
    case .unusableID(let id):
      ErrorReport(
        code: "pathcase.import-id", kind: .usage, "'\(id)' cannot be the id of a network",
        advice: "name one with '--id' that has no '.', '/' or control characters and does not begin with '-'")
    case .pathway(let id):
      ErrorReport(
        code: "pathcase.import-taken", kind: .usage, "'\(id)' means a pathway of the database",
        advice: "name another id with '--id'")
    case .taken(let id, let file):
      ErrorReport(
        code: "pathcase.import-taken", kind: .usage, "'\(id)' is another network, of the file '\(file)'",
        advice: "'--replace' puts this one in its place, '--id' keeps both")
    case .notAll(let failed, let count, let kind):
      ErrorReport(
        code: "pathcase.import-not-all", kind: kind, "\(failed) of \(count) files are not imported",
        advice: "see what is told of each above", details: ["failed": .integer(failed), "files": .integer(count)])
    case .faults(let path, let count):
      ErrorReport(
        code: "pathcase.faults", kind: .unusableInput,
        "'\(path)' breaks rules in \(count) \(count == 1 ? "place" : "places")",
        advice: "mend the file, or export the model anew", details: ["faults": .integer(count)])
    case .unknown(let id, let nearest):
      ErrorReport(
        code: "pathcase.unknown-network", kind: .notFound, "no imported network is called '\(id)'",
        advice: nearest.map { "did you mean '\($0)'?" } ?? "'workbench pathcase list' names them")
    }
  }

  static let errorCodes: [ErrorCodeDescription] = [
    .init("pathcase.import-one-file", "several files cannot be kept under one id"),
    .init("pathcase.import-id", "an id looks like the name of a file"),
    .init("pathcase.import-taken", "another network has the id"),
    .init("pathcase.import-not-all", "some of several files are not imported; what is wrong is told of each"),
    .init("pathcase.faults", "a file breaks rules of its format: 'validate' lists them"),
    .init("pathcase.unknown-network", "no imported network has the id"),
  ]
}
