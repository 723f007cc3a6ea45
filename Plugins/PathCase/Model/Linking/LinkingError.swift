import PluginAPI

/// The reasons for which the records of a snapshot do not form a database.
enum LinkingError: Error, Equatable, ReportableError {
  /// Records contradict each other; at most 100 issues are kept, in the order in which they were found.
  case unusable(issues: [RecordIssue], total: Int)

  var report: ErrorReport { whole.short }

  private var whole: ErrorReport {
    switch self {
    case .unusable(let issues, let total): RecordIssue.report(of: issues, total: total, in: "the database")
    }
  }
}
