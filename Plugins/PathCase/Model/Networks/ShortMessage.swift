import PluginAPI

extension String {
  /// The text as part of what users are told: where it is very long, its middle is left out.
  ///
  /// Ids and numbers of files may be of any length.
  var asMessage: String {
    if utf8.count <= 1000 { return self }
    // By scalars: a single character of many marks may be as long as the whole.
    return
      "\(String.UnicodeScalarView(unicodeScalars.prefix(500)))…\(String.UnicodeScalarView(unicodeScalars.suffix(200)))"
  }
}

extension ErrorReport {
  /// The report with a message that is not very long.
  var short: ErrorReport {
    var report = self
    report.message = message.asMessage
    return report
  }
}
