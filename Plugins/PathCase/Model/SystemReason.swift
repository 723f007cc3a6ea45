import PluginAPI

/// The reason for which a file or folder cannot be used: its text and the kind of failure.
struct SystemReason: Error, Sendable, Hashable, ExpressibleByStringInterpolation, CustomStringConvertible {
  /// The text without a final stop: `it is no plain file`.
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
