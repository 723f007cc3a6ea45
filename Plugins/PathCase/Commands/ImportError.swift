import PluginAPI

/// The errors of importing, checking and forgetting networks.
enum ImportError {
  static let all: [DeclaredError] = [oneFile, unusableID, taken, notAll, faults, unknown]

  static let oneFile = DeclaredError(
    "pathcase.import-one-file", .usage, "several files cannot be kept under one id")

  static func oneFile(_ id: String) -> ErrorReport {
    oneFile(
      "several files cannot have the one id '\(id)'", advice: "import them one by one, or leave '--id' out")
  }

  static let unusableID = DeclaredError("pathcase.import-id", .usage, "an id looks like the name of a file")

  static func unusableID(_ id: String) -> ErrorReport {
    unusableID(
      "'\(id)' cannot be the id of a network",
      advice: "name one with '--id' that has no '.', '/' or control characters and does not begin with '-'")
  }

  static let taken = DeclaredError("pathcase.import-taken", .usage, "another network has the id")

  static func pathway(_ id: String) -> ErrorReport {
    taken("'\(id)' means a pathway of the database", advice: "name another id with '--id'")
  }

  static func taken(_ id: String, file: String) -> ErrorReport {
    taken(
      "'\(id)' is another network, of the file '\(file)'",
      advice: "'--replace' puts this one in its place, '--id' keeps both")
  }

  static let notAll = DeclaredError(
    "pathcase.import-not-all", .failure, "some of several files are not imported; what is wrong is told of each")

  /// Returns the error of several files, with the kind of the first failure; each failure has been reported.
  static func notAll(failed: Int, of count: Int, kind: ErrorReport.Kind) -> ErrorReport {
    var report = notAll(
      "\(failed) of \(count) files are not imported", advice: "see what is told of each above",
      details: ["failed": .integer(failed), "files": .integer(count)])
    report.kind = kind
    return report
  }

  static let faults = DeclaredError(
    "pathcase.faults", .unusableInput, "a file breaks rules of its format: 'validate' lists them")

  static func faults(_ path: String, count: Int) -> ErrorReport {
    faults(
      "'\(path)' breaks rules in \(count) \(count == 1 ? "place" : "places")",
      advice: "mend the file, or export the model anew", details: ["faults": .integer(count)])
  }

  static let unknown = DeclaredError("pathcase.unknown-network", .notFound, "no imported network has the id")

  static func unknown(_ id: String, nearest: String?) -> ErrorReport {
    unknown(
      "no imported network is called '\(id)'",
      advice: nearest.map { "did you mean '\($0)'?" } ?? "'workbench pathcase list' names them")
  }
}
