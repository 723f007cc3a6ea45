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
