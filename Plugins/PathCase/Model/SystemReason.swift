import PluginAPI

/// Why a file or folder cannot be used: in words, and what kind of failure that is.
struct SystemReason: Error, Sendable, Hashable, ExpressibleByStringInterpolation, CustomStringConvertible {
  /// Without an end: `it is no plain file`.
  let words: String
  let kind: ErrorReport.Kind

  init(_ words: String, _ kind: ErrorReport.Kind = .failure) {
    self.words = words
    self.kind = kind
  }

  init(stringLiteral words: String) { self.init(words) }

  /// What the system says, with the number of its error.
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
