import PluginAPI

extension Diagnostic {
  /// Creates a diagnostic of an error, which the user sees for a while.
  init(_ report: ErrorReport, _ severity: Severity) {
    self.init(severity, code: report.code, report.message, advice: report.advice)
  }
}
