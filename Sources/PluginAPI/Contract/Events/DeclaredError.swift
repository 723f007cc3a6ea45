/// An error of a plugin, declared once: its code, kind and entry in the catalog of errors.
///
/// ```swift
/// static let unknownStation = DeclaredError("tides.unknown-station", .notFound, "No station has this name")
/// …
/// throw unknownStation("there is no station '\(name)'", advice: "list them with 'workbench tides list'")
/// ```
public struct DeclaredError: Sendable, Hashable {
  /// The stable code, `plugin.what-happened`.
  public let code: String
  /// The kind, which decides the exit status.
  public let kind: ErrorReport.Kind
  /// The entry in the catalog of errors: the meaning of the code, and the suggested remedy.
  public let summary: String

  /// Declares an error.
  public init(_ code: String, _ kind: ErrorReport.Kind, _ summary: String) {
    (self.code, self.kind, self.summary) = (code, kind, summary)
  }

  /// Makes the report of one occurrence.
  ///
  /// - Parameters:
  ///   - message: One sentence, lower case first, without a full stop.
  ///   - advice: The suggested remedy; nil if there is none.
  ///   - details: Details for scripts.
  ///   - isRetryable: True if the same call may succeed later.
  public func callAsFunction(
    _ message: String, advice: String? = nil, details: Record = Record(), isRetryable: Bool = false
  ) -> ErrorReport {
    ErrorReport(code: code, kind: kind, message, advice: advice, details: details, isRetryable: isRetryable)
  }

  /// The error's entry in a plugin's ``Contributions/errorCodes``.
  public var catalogueEntry: ErrorCodeDescription { ErrorCodeDescription(code, summary) }

  /// Matches occurrences in `catch` clauses.
  public static func ~= (declared: DeclaredError, error: any Error) -> Bool {
    (error as? any ReportableError)?.report.code == declared.code
  }
}
