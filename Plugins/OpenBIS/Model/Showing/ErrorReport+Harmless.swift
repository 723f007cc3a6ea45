import PluginAPI
import PluginText

extension ErrorReport {
  /// The report with sanitized text: ids, addresses and messages in it may come from a server.
  var harmless: ErrorReport {
    var report = self
    report.message = SanitizedText.line(message, limit: 4000)
    report.advice = advice.map { SanitizedText.line($0, limit: 4000) }
    return report
  }
}

extension Diagnostic {
  /// The diagnostic with sanitized text.
  var harmless: Diagnostic {
    var notice = self
    notice.message = SanitizedText.line(message, limit: 4000)
    notice.advice = advice.map { SanitizedText.line($0, limit: 4000) }
    return notice
  }
}
