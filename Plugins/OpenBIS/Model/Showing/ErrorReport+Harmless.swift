import PluginAPI
import PluginText

extension ErrorReport {
  /// The report in words that cannot command a terminal: ids, addresses and messages in it may be a server's.
  var harmless: ErrorReport {
    var report = self
    report.message = SanitizedText.line(message, limit: 4000)
    report.advice = advice.map { SanitizedText.line($0, limit: 4000) }
    return report
  }
}

extension Diagnostic {
  /// The notice in words that cannot command a terminal.
  var harmless: Diagnostic {
    var notice = self
    notice.message = SanitizedText.line(message, limit: 4000)
    notice.advice = advice.map { SanitizedText.line($0, limit: 4000) }
    return notice
  }
}
