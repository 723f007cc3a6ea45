/// An error for a text that does not fit a parameter.
public struct ParameterError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The parameter's name.
  public var parameter: String
  /// The text given.
  public var text: String
  /// A description of the expected form.
  public var expected: String
  /// The word that was probably meant; nil if none is near.
  public var nearest: String?

  /// The error in words.
  public var description: String {
    "'\(text)' is not \(expected) for '\(parameter)'" + (nearest.map { "; did you mean '\($0)'?" } ?? "")
  }
}

extension Parameter {
  /// Returns the value that a text stands for.
  ///
  /// Paths are not checked here; the code that opens them reports errors.
  /// - Throws: ``ParameterError`` if the text does not fit the parameter's kind.
  public func value(parsing text: String) throws(ParameterError) -> Value {
    switch kind {
    case .flag:
      guard let flag = ["true": true, "yes": true, "false": false, "no": false][text] else { throw mismatch(text) }
      return .bool(flag)
    case .text, .inputFile, .outputFile, .folder, .document, .url:
      return .text(text)
    case .integer:
      guard let number = Int(text) else { throw mismatch(text) }
      return try checked(.integer(number), text)
    case .number:
      guard let number = Double(text), number.isFinite else { throw mismatch(text) }
      return try checked(.number(number), text)
    case .choice:
      return try checked(.text(text), text)
    case .numbers(let count):
      let numbers = text.split(separator: ",", omittingEmptySubsequences: false).map { Double($0) }
      guard numbers.count == count, numbers.allSatisfy({ $0?.isFinite ?? false }) else { throw mismatch(text) }
      return .list(numbers.map { .number($0 ?? 0) })
    case .date:
      guard let instant = Instant(iso8601: text) else { throw mismatch(text) }
      return .date(instant)
    }
  }

  /// Returns a value that fits the parameter, converted where a script writes numbers or flags in another form.
  ///
  /// - Throws: ``ParameterError`` if it does not fit.
  public func value(accepting value: Value) throws(ParameterError) -> Value {
    if isRepeatable, let list = value.list {
      var accepted: [Value] = []
      for element in list { accepted.append(try single(element)) }
      return .list(accepted)
    }
    let accepted = try single(value)
    return isRepeatable ? .list([accepted]) : accepted
  }

  private func single(_ value: Value) throws(ParameterError) -> Value {
    switch (kind, value.content) {
    case (.flag, .bool), (.date, .date): return value
    case (.integer, .integer): return try checked(value, "\(value.integer ?? 0)")
    case (.number, .integer), (.number, .number), (.number, .quantity):
      return try checked(.number(value.number ?? 0), "\(value.number ?? 0)")
    case (.numbers(let count), .list(let numbers)):
      guard numbers.count == count, numbers.allSatisfy({ $0.number?.isFinite ?? false }) else {
        throw mismatch("a list of \(numbers.count)")
      }
      return .list(numbers.map { .number($0.number ?? 0) })
    case (_, .text(let text)), (_, .decimal(let text)): return try self.value(parsing: text)
    case (_, .integer(let number)): return try self.value(parsing: "\(number)")
    case (_, .number(let number)): return try self.value(parsing: "\(number)")
    default: throw mismatch("a value of another kind")
    }
  }

  private func checked(_ value: Value, _ text: String) throws(ParameterError) -> Value {
    let fits =
      switch kind {
      // Two comparisons: a range traps on bounds that contradict each other, and a plugin may state such.
      case .integer(let bounds): value.integer.map { bounds.minimum <= $0 && $0 <= bounds.maximum } ?? false
      case .number(let bounds): value.number.map { bounds.minimum <= $0 && $0 <= bounds.maximum } ?? false
      case .choice(let words): words.contains(value.text ?? "")
      default: true
      }
    if !fits { throw mismatch(text) }
    return value
  }

  private func mismatch(_ text: String) -> ParameterError {
    var nearest: String?
    if case .choice(let words) = kind { nearest = Suggestion.nearest(to: text, in: words) }
    return ParameterError(parameter: name, text: text, expected: expectation, nearest: nearest)
  }

  /// A description of the accepted values: `a number from 0 to 10 (angstrom)`.
  public var expectation: String {
    let base =
      switch kind {
      case .flag: "yes or no"
      case .text: "text"
      case .integer(let bounds): "a whole number" + Parameter.range(bounds, .min, .max)
      case .number(let bounds):
        "a number" + Parameter.range(bounds, -Double.greatestFiniteMagnitude, Double.greatestFiniteMagnitude)
      case .choice(let words): "one of " + words.joined(separator: ", ")
      case .numbers(let count): "\(count) numbers separated by commas"
      case .inputFile, .outputFile: "a file"
      case .folder: "a folder"
      case .document: "an id or a file"
      case .url: "a URL"
      case .date: "a date such as 2026-11-20 or 2026-11-20T06:30"
      }
    return unit.map { base + " (\($0))" } ?? base
  }

  private static func range<Bound: Comparable>(_ bounds: Bounds<Bound>, _ lowest: Bound, _ highest: Bound) -> String {
    switch (bounds.minimum > lowest, bounds.maximum < highest) {
    case (true, true): " from \(bounds.minimum) to \(bounds.maximum)"
    case (true, false): " of \(bounds.minimum) or more"
    case (false, true): " of \(bounds.maximum) or less"
    case (false, false): ""
    }
  }
}
