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

/// The error codes that readers of several file formats share, each with its one description.
enum FileErrorCodes {
  static let all: [ErrorCodeDescription] = [
    .init("pathcase.xml-001", "the file is not well-formed XML or JSON, or is incomplete"),
    .init("pathcase.xml-002", "the file has a document type or entities, which are not read, or is a web page"),
    .init(
      "pathcase.xml-004", "the file is nested too deeply, or has too many elements or attributes, or too long names"),
    .init("pathcase.xml-005", "the file has bytes that its encoding does not allow: save it as UTF-8"),
    .init("pathcase.xml-006", "the file is too large, or its compressed data is damaged"),
    .init("pathcase.xml-007", "the compressed file is incomplete or damaged: get it again"),
    .init("pathcase.str-001", "the file does not have the structure of its format"),
    .init("pathcase.str-002", "the version of the file's format is not supported"),
    .init("pathcase.str-003", "unknown elements or attributes were ignored, or SBML lacks a required one"),
    .init("pathcase.ref-001", "a reference in the file has no target"),
    .init("pathcase.id-001", "two objects of the file have the same id"),
    .init("pathcase.id-003", "an id is missing, empty or has characters that are not allowed"),
    .init("pathcase.typ-001", "a number cannot be read or is out of range"),
    .init("pathcase.typ-002", "a Boolean value is not one of true, false, 1 and 0"),
    .init("pathcase.typ-003", "a value is not one of those permitted; the message lists them"),
    .init("pathcase.sem-001", "compartments contain each other in a cycle"),
    .init("pathcase.sem-006", "the thresholds of a pool do not increase, or a value of SBML cannot be computed"),
  ]

  /// Returns the descriptions without those of shared codes.
  static func removed(from descriptions: [ErrorCodeDescription]) -> [ErrorCodeDescription] {
    descriptions.filter { description in !all.contains { $0.code == description.code } }
  }
}
