import PluginAPI

/// The reason for which a file or folder cannot be used: its text and the kind of failure.
struct SystemReason: Error, Sendable, Hashable, ExpressibleByStringInterpolation, CustomStringConvertible {
  /// The text without a final stop: `it is not a plain file`.
  let text: String
  let kind: ErrorReport.Kind

  init(_ text: String, _ kind: ErrorReport.Kind = .failure) {
    self.text = text
    self.kind = kind
  }

  init(stringLiteral text: String) { self.init(text) }

  /// Creates a reason from the system's text and error number.
  ///
  /// - Source: Linux, include/uapi/asm-generic/errno-base.h: EPERM 1, ENOENT 2, EACCES 13, ENOTDIR 20, EROFS 30.
  init(number: Int32, _ text: String) {
    let kind: ErrorReport.Kind =
      switch number {
      case 2, 20: .notFound
      case 1, 13, 30: .refused
      default: .failure
      }
    self.init(text, kind)
  }

  var description: String { text }
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

/// The errors that readers of several file formats share, each declared once.
enum FileErrors {
  static let notWellFormed = DeclaredError(
    "pathcase.xml-001", .unusableInput, "the file is not well-formed XML or JSON, or is incomplete")
  static let forbidden = DeclaredError(
    "pathcase.xml-002", .unusableInput, "the file has a document type or entities, which are not read, or is a web page"
  )
  static let beyondLimits = DeclaredError(
    "pathcase.xml-004", .unusableInput,
    "the file is nested too deeply, or has too many elements or attributes, or too long names")
  static let encoding = DeclaredError(
    "pathcase.xml-005", .unusableInput, "the file has bytes that its encoding does not allow: save it as UTF-8")
  static let tooLarge = DeclaredError(
    "pathcase.xml-006", .unusableInput, "the file is too large, or its compressed data is damaged")
  static let packing = DeclaredError(
    "pathcase.xml-007", .unusableInput, "the compressed file is incomplete or damaged: get it again")
  static let structure = DeclaredError(
    "pathcase.str-001", .unusableInput, "the file does not have the structure of its format")
  static let version = DeclaredError(
    "pathcase.str-002", .unusableInput, "the version of the file's format is not supported")
  static let unknownContent = DeclaredError(
    "pathcase.str-003", .unusableInput, "unknown elements or attributes were ignored, or SBML lacks a required one")
  static let danglingReference = DeclaredError(
    "pathcase.ref-001", .unusableInput, "a reference in the file has no target")
  static let duplicateID = DeclaredError("pathcase.id-001", .unusableInput, "two objects of the file have the same id")
  static let unusableID = DeclaredError(
    "pathcase.id-003", .unusableInput, "an id is missing, empty or has characters that are not allowed")
  static let number = DeclaredError("pathcase.typ-001", .unusableInput, "a number cannot be read or is out of range")
  static let boolean = DeclaredError(
    "pathcase.typ-002", .unusableInput, "a Boolean value is not one of true, false, 1 and 0")
  static let word = DeclaredError(
    "pathcase.typ-003", .unusableInput, "a value is not one of those permitted; the message lists them")
  static let cycle = DeclaredError("pathcase.sem-001", .unusableInput, "compartments contain each other in a cycle")
  static let thresholds = DeclaredError(
    "pathcase.sem-006", .unusableInput,
    "the thresholds of a pool do not increase, or a value of SBML cannot be computed")
  static let xmlLibraryMissing = DeclaredError(
    "pathcase.xml-library", .failure, "the library that reads XML is missing: install libxml2")

  static func xmlLibraryMissing(reason: String) -> ErrorReport {
    xmlLibraryMissing("XML cannot be read: \(reason)", advice: "install libxml2: sudo apt-get install libxml2")
  }

  static let all = [
    notWellFormed, forbidden, beyondLimits, encoding, tooLarge, packing, structure, version, unknownContent,
    danglingReference, duplicateID, unusableID, number, boolean, word, cycle, thresholds, xmlLibraryMissing,
  ]
}
