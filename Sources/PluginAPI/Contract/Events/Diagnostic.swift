/// Something noticed about data or set-up that did not stop the work.
public struct Diagnostic: Sendable, Hashable {
  /// How bad it is.
  public enum Severity: String, Sendable, Hashable, CaseIterable {
    /// Only for those who look for a fault.
    case debug
    /// Good to know.
    case note
    /// Something was repaired, skipped or guessed.
    case warning
    /// Something does not work.
    case error
  }

  /// How bad it is.
  public var severity: Severity
  /// A stable code, `plugin.what-it-is`.
  public var code: String
  /// One sentence, lower case first, without a full stop.
  public var message: String
  /// The line of the input, counted from 1; nil if it has none.
  public var line: Int?
  /// The column of the line where it begins, counted from 1 in bytes; nil if it has none.
  public var column: Int?
  /// What to do about it.
  public var advice: String?

  /// Creates a diagnostic.
  public init(_ severity: Severity, code: String, _ message: String, line: Int? = nil, advice: String? = nil) {
    self.severity = severity
    self.code = code
    self.message = message
    self.line = line
    self.advice = advice
  }

  /// Creates a diagnostic about a place in a line of the input.
  public init(
    _ severity: Severity, code: String, _ message: String, line: Int?, column: Int?, advice: String? = nil
  ) {
    self.init(severity, code: code, message, line: line, advice: advice)
    self.column = column
  }
}
