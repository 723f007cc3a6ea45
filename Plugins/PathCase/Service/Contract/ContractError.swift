import PluginAPI

/// The reasons for which a document of the contract cannot be used.
enum ContractError: Error, Equatable, ReportableError {
  /// The document is not well-formed XML.
  case notWellFormed(document: String, line: Int, column: Int, reason: String)
  /// It has a document type, which is never fetched, or is a web page.
  case documentType(document: String, reason: String)
  /// Elements, names or attributes exceed the limits.
  case beyondLimits(document: String, reason: String)
  /// Its bytes are not valid in the declared encoding; the offset counts from 0 and is nil if unknown.
  case encoding(document: String, offset: Int?, reason: String)
  /// It exceeds the size limit, compressed or uncompressed.
  case tooLarge(document: String, limitInBytes: Int)
  /// Its compressed data are truncated or damaged.
  case packing(document: String, reason: String)
  /// Its root element is not that of the contract.
  case otherRoot(document: String, found: String, line: Int)
  /// It is of another type than the requested one.
  case otherType(document: String, found: String, expected: ContractType?)
  /// It follows another version of the contract.
  case otherVersion(document: String, found: String)
  /// Records in it are unusable; at most 100 issues are kept.
  case records(document: String, issues: [RecordIssue], total: Int)
  /// The service responded with a fault instead of a document.
  case fault(document: String, text: String)
  /// The XML library of the system is missing.
  case libraryMissing(reason: String)

  var report: ErrorReport { whole.short }

  private var whole: ErrorReport {
    switch self {
    case .notWellFormed(let document, let line, let column, let reason):
      Self.report(
        "xml-001", "'\(document)' is not well-formed XML in line \(line), column \(column): \(reason)",
        advice: "fetch the document again, or mend it there",
        ["document": .text(document), "line": .integer(line), "column": .integer(column)])
    case .documentType(let document, let reason):
      Self.report(
        "xml-002", "'\(document)' \(reason)", advice: "give a document without a document type",
        ["document": .text(document)])
    case .beyondLimits(let document, let reason):
      Self.report("xml-004", "'\(document)' is beyond what is read: \(reason)", ["document": .text(document)])
    case .encoding(let document, let offset, let reason):
      Self.report(
        "xml-005", "'\(document)' \(offset.map { "has at byte \($0) " } ?? "has ")\(reason)",
        advice: "save the document as UTF-8", ["document": .text(document), "offset": .optional(offset)])
    case .tooLarge(let document, let limit):
      Self.report(
        "xml-006", "'\(document)' has more than the \(limit) bytes that are read of it",
        advice: "fetch the document again, or split it", ["document": .text(document), "limit": .integer(limit)])
    case .packing(let document, let reason):
      Self.report(
        "xml-007", "'\(document)' cannot be unpacked: \(reason)", advice: "fetch the document again",
        ["document": .text(document)])
    case .otherRoot(let document, let found, let line):
      Self.report(
        "str-001", "'\(document)' begins with the element '\(found)' in line \(line) instead of 'MAW'",
        advice: "give a document of the contract", ["document": .text(document), "found": .text(found)])
    case .otherType(let document, let found, let expected):
      Self.report(
        "str-001",
        "'\(document)' tells of '\(found)' instead of \(expected.map { "'\($0.rawValue)'" } ?? "a known type")",
        advice: "types are " + ContractType.allCases.map(\.rawValue).joined(separator: ", "),
        ["document": .text(document), "found": .text(found)])
    case .otherVersion(let document, let found):
      Self.report(
        "str-002", "'\(document)' follows version '\(found)' of the contract, and 1 is understood",
        advice: "look for a newer workbench", ["document": .text(document), "found": .text(found)])
    case .records(let document, let issues, let total):
      RecordIssue.report(of: issues, total: total, in: "'\(document)'")
    case .fault(let document, let text):
      ErrorReport(
        code: "pathcase.net-004", kind: .unusableInput, "the service answered '\(document)' with a failure: \(text)",
        advice: "try again later, or ask who runs the service", details: ["document": .text(document)],
        isRetryable: true)
    case .libraryMissing(let reason):
      ErrorReport(
        code: "pathcase.xml-library", kind: .failure, "XML cannot be read: \(reason)",
        advice: "install libxml2: sudo apt-get install libxml2")
    }
  }

  private static func report(_ code: String, _ message: String, advice: String? = nil, _ details: Record) -> ErrorReport
  {
    ErrorReport(code: "pathcase.\(code)", kind: .unusableInput, message, advice: advice, details: details)
  }

  /// The stable error codes of the contract's reader.
  static let errorCodes = [
    ErrorCodeDescription("pathcase.xml-001", "the document is not well-formed XML: line and column tell where"),
    ErrorCodeDescription("pathcase.xml-002", "the document has a document type or is a web page: none is followed"),
    ErrorCodeDescription("pathcase.xml-004", "the document is nested deeper, or has longer names, than is read"),
    ErrorCodeDescription("pathcase.xml-005", "the document's bytes are no text in its encoding: save it as UTF-8"),
    ErrorCodeDescription("pathcase.xml-006", "the document is larger than is read, or unpacks to far more than it is"),
    ErrorCodeDescription("pathcase.xml-007", "the packed document is cut or damaged: fetch it again"),
    ErrorCodeDescription("pathcase.xml-library", "the library that reads XML is missing: install libxml2"),
    ErrorCodeDescription("pathcase.str-001", "the document is about something else than what was asked for"),
    ErrorCodeDescription("pathcase.str-002", "the document follows a version of its format that is not known"),
    ErrorCodeDescription("pathcase.net-004", "the service answered with a failure of its own"),
  ]
}
