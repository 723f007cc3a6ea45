import PluginAPI

/// The reason for which a file or folder cannot be used: its text and the kind of failure.
struct SystemReason: Error, Sendable, Hashable, ExpressibleByStringInterpolation, CustomStringConvertible {
  /// The text without a final stop: `it is not a plain file`.
  let words: String
  let kind: ErrorReport.Kind

  init(_ words: String, _ kind: ErrorReport.Kind = .failure) {
    self.words = words
    self.kind = kind
  }

  init(stringLiteral words: String) { self.init(words) }

  /// Creates a reason from the system's text and error number.
  ///
  /// - Source: Linux, include/uapi/asm-generic/errno-base.h: EPERM 1, ENOENT 2, EACCES 13, ENOTDIR 20, EROFS 30.
  init(number: Int32, _ words: String) {
    let kind: ErrorReport.Kind =
      switch number {
      case 2, 20: .notFound
      case 1, 13, 30: .refused
      default: .failure
      }
    self.init(words, kind)
  }

  var description: String { words }
}

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
