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
      FileErrors.notWellFormed(
        "'\(document)' is not well-formed XML in line \(line), column \(column): \(reason)",
        advice: "fetch the document again, or correct that line",
        details: ["document": .text(document), "line": .integer(line), "column": .integer(column)])
    case .documentType(let document, let reason):
      FileErrors.forbidden(
        "'\(document)' \(reason)", advice: "give a document without a document type",
        details: ["document": .text(document)])
    case .beyondLimits(let document, let reason):
      FileErrors.beyondLimits(
        "'\(document)' exceeds a limit: \(reason)", details: ["document": .text(document)])
    case .encoding(let document, let offset, let reason):
      FileErrors.encoding(
        "'\(document)' \(offset.map { "has at byte \($0) " } ?? "has ")\(reason)",
        advice: "save the document as UTF-8", details: ["document": .text(document), "offset": .optional(offset)])
    case .tooLarge(let document, let limit):
      FileErrors.tooLarge(
        "'\(document)' is larger than the limit of \(limit) bytes",
        advice: "fetch the document again, or split it",
        details: ["document": .text(document), "limit": .integer(limit)])
    case .packing(let document, let reason):
      FileErrors.packing(
        "'\(document)' cannot be unpacked: \(reason)", details: ["document": .text(document)])
    case .otherRoot(let document, let found, let line):
      FileErrors.structure(
        "'\(document)' begins with the element '\(found)' in line \(line) instead of 'MAW'",
        advice: "give a document of the contract", details: ["document": .text(document), "found": .text(found)])
    case .otherType(let document, let found, let expected):
      FileErrors.structure(
        "'\(document)' has the type '\(found)' instead of \(expected.map { "'\($0.rawValue)'" } ?? "a known type")",
        advice: "types are " + ContractType.allCases.map(\.rawValue).joined(separator: ", "),
        details: ["document": .text(document), "found": .text(found)])
    case .otherVersion(let document, let found):
      FileErrors.version(
        "'\(document)' follows version '\(found)' of the contract; this program supports version 1",
        advice: "get a newer workbench", details: ["document": .text(document), "found": .text(found)])
    case .records(let document, let issues, let total):
      RecordIssue.report(of: issues, total: total, in: "'\(document)'")
    case .fault(let document, let text):
      Self.serviceFault(
        "the service responded to '\(document)' with a failure: \(text)",
        advice: "try again later, or ask the operator of the service", details: ["document": .text(document)],
        isRetryable: true)
    case .libraryMissing(let reason): FileErrors.xmlLibraryMissing(reason: reason)
    }
  }

  private static let serviceFault = DeclaredError(
    "pathcase.net-004", .unusableInput, "the service reported a failure")

  /// The errors of the contract's reader alone; ``FileErrors`` has the others.
  static let declared = [serviceFault]
}
