/// An error as users and scripts see it: a stable code, one sentence, and advice.
public struct ErrorReport: Error, Sendable, Hashable, CustomStringConvertible {
  /// The kind of an error, which determines the exit status.
  public enum Kind: String, Sendable, Hashable, CaseIterable {
    /// An unspecified failure.
    case failure
    /// Wrong usage of a command.
    case usage
    /// The requested thing does not exist.
    case notFound
    /// A plugin failed.
    case pluginFailed
    /// The input data cannot be used.
    case unusableInput
    /// The network or a device failed.
    case network
    /// Missing permission or trust, a wrong password, or a lock.
    case refused
    /// The operation timed out.
    case timedOut
    /// The user interrupted the operation.
    case interrupted
  }

  /// The stable code, `area.what-happened`.
  public var code: String
  /// The kind.
  public var kind: Kind
  /// One sentence, lower case first, without a full stop.
  public var message: String
  /// The suggested remedy; nil if there is none.
  public var advice: String?
  /// Details for scripts.
  public var details: Record
  /// A Boolean value indicating whether the same call may succeed later.
  public var isRetryable: Bool

  /// Creates an error report.
  public init(
    code: String, kind: Kind, _ message: String, advice: String? = nil, details: Record = Record(),
    isRetryable: Bool = false
  ) {
    self.code = code
    self.kind = kind
    self.message = message
    self.advice = advice
    self.details = details
    self.isRetryable = isRetryable
  }

  /// The sentence, followed by the advice.
  public var description: String {
    advice.map { "\(message); \($0)" } ?? message
  }

  /// The exit status of a process that ends with this error.
  public var exitStatus: Int32 {
    switch kind {
    case .failure: 1
    case .usage: 2
    case .notFound: 3
    case .pluginFailed: 4
    case .unusableInput: 5
    case .network: 6
    case .refused: 7
    case .timedOut: 124
    case .interrupted: 130
    }
  }
}

/// An error that provides its own code, wording and kind.
///
/// An error without this conformance is reported as a failure of the plugin (exit status 4).
public protocol ReportableError: Error {
  /// The error as users and scripts see it.
  var report: ErrorReport { get }
}

extension ErrorReport: ReportableError {
  /// The report itself.
  public var report: ErrorReport { self }
}

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

/// A problem or remark about data or setup that did not stop the work.
public struct Diagnostic: Sendable, Hashable {
  /// The severity of a diagnostic.
  public enum Severity: String, Sendable, Hashable, CaseIterable {
    /// A message that helps to track down a fault.
    case debug
    /// A remark.
    case note
    /// Something was repaired, skipped or guessed.
    case warning
    /// Something does not work.
    case error
  }

  /// The severity.
  public var severity: Severity
  /// A stable code, `plugin.what-it-is`.
  public var code: String
  /// One sentence, lower case first, without a full stop.
  public var message: String
  /// The line of the input, counted from 1; nil if it has none.
  public var line: Int?
  /// The column of the line where it begins, counted from 1 in bytes; nil if it has none.
  public var column: Int?
  /// The suggested remedy; nil if there is none.
  public var advice: String?

  /// Creates a diagnostic.
  public init(_ severity: Severity, code: String, _ message: String, line: Int? = nil, advice: String? = nil) {
    self.severity = severity
    self.code = code
    self.message = message
    self.line = line
    self.advice = advice
  }

  /// Creates a diagnostic about a position in a line of the input.
  public init(
    _ severity: Severity, code: String, _ message: String, line: Int?, column: Int?, advice: String? = nil
  ) {
    self.init(severity, code: code, message, line: line, advice: advice)
    self.column = column
  }
}
