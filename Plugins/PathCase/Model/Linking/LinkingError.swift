import PluginAPI

/// Why the records of a snapshot do not make a database.
enum LinkingError: Error, Equatable, ReportableError {
  /// Records contradict each other; at most 100 of all are kept, in the order in which they were met.
  case unusable(issues: [RecordIssue], total: Int)

  var report: ErrorReport { whole.short }

  private var whole: ErrorReport {
    switch self {
    case .unusable(let issues, let total): RecordIssue.report(of: issues, total: total, in: "the database")
    }
  }
}
