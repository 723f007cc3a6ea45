import PluginAPI

extension String {
  /// The text as part of a message: the middle of a very long text is omitted.
  ///
  /// Ids and numbers in files may have any length.
  var asMessage: String {
    if utf8.count <= 1000 { return self }
    // Truncation counts scalars: a single character with many marks may be as long as the whole text.
    return
      "\(String.UnicodeScalarView(unicodeScalars.prefix(500)))…\(String.UnicodeScalarView(unicodeScalars.suffix(200)))"
  }
}

extension ErrorReport {
  /// The report with a shortened message.
  var short: ErrorReport {
    var report = self
    report.message = message.asMessage
    return report
  }
}
