public import PluginAPI

/// An error in reading or writing a document.
@frozen
public enum JSONError: Error, Equatable, Sendable {
  /// The document violates a rule of JSON; the reason is yajl's message.
  case syntax(JSONPlace, reason: String)
  /// The document has extra content after its value.
  case trailing(JSONPlace)
  /// The document ends before its value does.
  case truncated(JSONPlace)
  /// The document is not UTF-8: it has an impossible byte.
  case notUTF8(JSONPlace)
  /// The document is UTF-16 or UTF-32.
  case otherEncoding
  /// Objects and arrays are nested deeper than allowed.
  case tooDeep(JSONPlace, limit: Int)
  /// The document is larger than allowed.
  case tooLarge(limitInBytes: Int)
  /// A text, a number or a raw value is longer than allowed.
  case tooLong(JSONPlace, limitInBytes: Int)
  /// A text that ends here contains an unpaired surrogate.
  case loneSurrogate(JSONPlace)
  /// A number to be written has no form in JSON.
  case noNumber(String)
  /// There is not enough memory.
  case outOfMemory
  /// The system's yajl is missing or unsuitable.
  case libraryMissing(reason: String)
}

extension JSONError: ReportableError, CustomStringConvertible {
  /// The error as users and scripts see it; the exit status is 5, unusable input, or 1.
  public var report: ErrorReport {
    switch self {
    case .syntax(let place, let reason):
      Self.report("syntax", "the JSON is malformed at \(place): \(reason)", "correct it", place)
    case .trailing(let place):
      Self.report("trailing", "the JSON has extra content at \(place), after its value", "remove that content", place)
    case .truncated(let place):
      Self.report(
        "truncated", "the JSON ends at \(place), before its value does", "get the complete document again", place)
    case .notUTF8(let place):
      Self.report("not-utf8", "the JSON is not UTF-8 at \(place)", "write it as UTF-8", place)
    case .otherEncoding:
      Self.report("other-encoding", "the JSON is UTF-16 or UTF-32", "write it as UTF-8")
    case .tooDeep(let place, let limit):
      Self.report("too-deep", "the JSON is nested more than \(limit) levels deep at \(place)", "raise the limit", place)
    case .tooLarge(let limit):
      Self.report("too-large", "the JSON is larger than the allowed \(limit) bytes", "raise the limit")
    case .tooLong(let place, let limit):
      Self.report(
        "too-long", "a string or number in the JSON is longer than \(limit) bytes at \(place)", "raise the limit", place
      )
    case .loneSurrogate(let place):
      Self.report(
        "lone-surrogate", "a string in the JSON that ends at \(place) has half a surrogate pair",
        "write both halves, or allow them to be replaced", place)
    case .noNumber(let text):
      Self.report("no-number", "'\(text)' is not a JSON number", "write digits such as -12.5e3, or null")
    case .outOfMemory:
      ErrorReport(code: "json.out-of-memory", kind: .failure, "there is not enough memory to read JSON")
    case .libraryMissing(let reason):
      ErrorReport(
        code: "json.library-missing", kind: .failure, "cannot use yajl: \(reason)",
        advice: "install it with 'sudo apt-get install libyajl2'")
    }
  }

  /// The error in words.
  public var description: String { report.description }

  /// The stable codes.
  public static let errorCodes: [ErrorCodeDescription] = [
    .init("json.syntax", "the JSON is malformed"),
    .init("json.trailing", "text follows the JSON value"),
    .init("json.truncated", "the JSON is truncated"),
    .init("json.not-utf8", "the JSON is not UTF-8"),
    .init("json.other-encoding", "the JSON is UTF-16 or UTF-32 instead of UTF-8"),
    .init("json.too-deep", "the JSON is nested too deeply"),
    .init("json.too-large", "the JSON is too large"),
    .init("json.too-long", "a string, number or value in the JSON is too long"),
    .init("json.lone-surrogate", "a string in the JSON has half a surrogate pair"),
    .init("json.no-number", "a number cannot be written as JSON"),
    .init("json.out-of-memory", "there is not enough memory to read JSON"),
    .init("json.library-missing", "the system library yajl is not installed"),
  ]

  private static func report(
    _ name: String, _ message: String, _ advice: String, _ place: JSONPlace? = nil
  ) -> ErrorReport {
    var report = ErrorReport(code: "json." + name, kind: .unusableInput, message, advice: advice)
    if let place {
      report.details = [
        "offset": .integer(place.offset), "line": .integer(place.line), "column": .integer(place.column),
      ]
    }
    return report
  }
}

/// A position in a document.
@frozen
public struct JSONPlace: Sendable, Hashable, CustomStringConvertible {
  /// The 0-based offset in bytes.
  public var offset: Int
  /// The line, from 1.
  public var line: Int
  /// The column in bytes, from 1.
  public var column: Int

  /// Creates a position.
  public init(offset: Int, line: Int, column: Int) {
    self.offset = offset
    self.line = line
    self.column = column
  }

  /// `byte 12 (line 2, column 3)`.
  public var description: String { "byte \(offset) (line \(line), column \(column))" }
}
