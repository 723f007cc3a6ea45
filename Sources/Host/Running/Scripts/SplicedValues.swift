import PluginAPI

/// Values of variables in a command line, and the words that stand in for them while it is parsed.
///
/// Stand-ins begin with a NUL character, which no script contains, so that no value is taken for an option or the name
/// of a command.
struct SplicedValues: Sendable {
  /// The value behind a stand-in.
  enum Splice: Sendable {
    case value(Value)
    /// A value that exists only when the script runs; parts of the line that need it are not checked.
    case unknown
  }

  /// No values.
  static let none = SplicedValues()

  private var splices: [String: (splice: Splice, source: String)] = [:]

  /// A Boolean value indicating whether a value is unknown.
  var hasUnknown: Bool {
    splices.values.contains { if case .unknown = $0.splice { true } else { false } }
  }

  /// Adds a value.
  ///
  /// - Parameter source: The word as written, for messages.
  /// - Returns: The word that stands in for it.
  mutating func add(_ splice: Splice, as source: String) -> String {
    let word = "\u{0}\(splices.count)\u{0}"
    splices[word] = (splice, source)
    return word
  }

  /// The splice that a word stands for; nil for any other word.
  subscript(word: String) -> Splice? { splices.isEmpty ? nil : splices[word]?.splice }

  /// Returns the values of a word for a parameter: several for a list, if the parameter is repeatable.
  ///
  /// - Returns: Null for a value that is unknown.
  /// - Throws: ``CommandLineError`` if the value does not fit.
  func values(_ word: String, for parameter: Parameter) throws(CommandLineError) -> [Value] {
    guard let splice = self[word] else { return [try Self.parsed(word, parameter)] }
    guard case .value(let value) = splice else { return [.null] }
    if let fitting = Self.fitted(value, parameter) { return [fitting] }
    guard parameter.isRepeatable, let list = value.list else { throw Self.mismatch(value, parameter) }
    var values: [Value] = []
    for element in list {
      guard let fitting = Self.fitted(element, parameter) else { throw Self.mismatch(element, parameter) }
      values.append(fitting)
    }
    return values
  }

  /// Returns the text that a word stands for, such as the value of a global option; nil if it is unknown.
  func text(_ word: String) -> String? {
    switch self[word] {
    case nil: word
    case .value(let value): GenericText.inline(value)
    case .unknown: nil
    }
  }

  /// Returns a value converted to the kind of a parameter; nil if it does not fit.
  private static func fitted(_ value: Value, _ parameter: Parameter) -> Value? {
    var single = parameter
    single.isRepeatable = false
    if case .number = value.content {
      // As users write it: '7' rather than '7.0' where text or a whole number is expected.
      if case .number = parameter.kind { return try? single.value(accepting: value) }
      return try? single.value(parsing: GenericText.inline(value))
    }
    if let fitting = try? single.value(accepting: value) { return fitting }
    switch value.content {
    case .bool, .date, .quantity: return try? single.value(parsing: GenericText.inline(value))
    default: return nil
    }
  }

  private static func parsed(_ text: String, _ parameter: Parameter) throws(CommandLineError) -> Value {
    do {
      return try parameter.value(parsing: text)
    } catch {
      throw .unfitting(error)
    }
  }

  private static func mismatch(_ value: Value, _ parameter: Parameter) -> CommandLineError {
    let text = value.text ?? value.number.map { _ in GenericText.inline(value) }
    if let text {
      // The parameter's own error may propose another word.
      do { _ = try parameter.value(parsing: text) } catch { return .unfitting(error) }
    }
    return .malformed(
      text ?? ScriptValue.kind(of: value), option: parameter.name, expectation: parameter.expectation)
  }

  /// Returns a message with stand-ins replaced by the words as written.
  func restored(_ text: String) -> String {
    guard text.utf8.contains(0) else { return text }
    var result = ""
    for (index, piece) in text.split(separator: "\u{0}", omittingEmptySubsequences: false).enumerated() {
      result += index % 2 == 0 ? String(piece) : splices["\u{0}\(piece)\u{0}"]?.source ?? String(piece)
    }
    return result
  }

  /// Returns an error whose message has the words as written.
  func restored(_ error: any Error) -> any Error {
    guard !splices.isEmpty, let reportable = error as? any ReportableError else { return error }
    var report = reportable.report
    (report.message, report.advice) = (restored(report.message), report.advice.map(restored))
    return report
  }
}
