import PluginAPI

extension Diagnostic {
  /// What went wrong, as the user sees it for a while.
  init(_ report: ErrorReport, _ severity: Severity) {
    self.init(severity, code: report.code, report.message, advice: report.advice)
  }
}
