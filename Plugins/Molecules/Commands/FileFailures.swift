import PluginAPI

/// The files of a call that could not be processed while the others were.
struct FileFailures {
  private let fileCount: Int
  private var files: [String] = []
  private var first: ErrorReport?

  /// Creates an empty list for a call with a number of files.
  init(among fileCount: Int) { self.fileCount = fileCount }

  /// Reports the failure of a file as a diagnostic; throws it if the call has no other files.
  mutating func add(_ file: String, _ report: ErrorReport, _ call: CommandCall) throws(ErrorReport) {
    if fileCount == 1 { throw report }
    call.warn(Diagnostic(.error, code: report.code, report.message, advice: report.advice))
    files.append(file)
    first = first ?? report
  }

  /// Throws if a file failed, with the code and the exit status of the first failure.
  ///
  /// - Parameters:
  ///   - participle: The work on the files, such as `imported`.
  ///   - count: The number of results.
  func check(_ participle: String, count: Int) throws(ErrorReport) {
    guard let first else { return }
    throw ErrorReport(
      code: first.code, kind: first.kind,
      "\(files.count) of \(fileCount) files could not be \(participle); the first: \(first.message)",
      advice: first.advice,
      details: Record([.init("failed", files.fieldValue), .init(participle, .integer(count))]))
  }
}
