/// An argument or option of a command, or a setting: its name, type, unit and default.
public struct Parameter: Sendable, Hashable {
  /// The types of parameters.
  public indirect enum Kind: Sendable, Hashable {
    /// A flag, present or absent; for options only.
    case flag
    /// Any text.
    case text
    /// A whole number.
    case integer(Bounds<Int>)
    /// A number.
    case number(Bounds<Double>)
    /// One of these words.
    case choice([String])
    /// Exactly `count` numbers separated by commas, as `--rotate X,Y,Z`.
    case numbers(count: Int)
    /// The path of a file to read. Completion offers files with these extensions, or all files if the list is empty.
    ///
    /// The host copies standard input (`-`) and pipes into a private file, so that the command gets a regular one.
    case inputFile(extensions: [String])
    /// The path of a file to write.
    ///
    /// For `-` as the value of an option `output` the command receives a private file, whose bytes the host writes to standard
    /// output.
    case outputFile
    /// The path of a folder.
    case folder
    /// The id or code of a known document, or the path of a file, as for `inputFile`.
    case document(extensions: [String])
    /// The URL of a service.
    case url
    /// A date, or a date and a time of day, in UTC: `2026-11-20`, `2026-11-20T06:30`.
    case date

    /// Returns the kind of a whole number within two bounds, inclusive.
    public static func integer(minimum: Int, maximum: Int) -> Kind {
      .integer(Bounds(minimum: minimum, maximum: maximum))
    }

    /// Returns the kind of a number within two bounds, inclusive.
    public static func number(minimum: Double, maximum: Double) -> Kind {
      .number(Bounds(minimum: minimum, maximum: maximum))
    }
  }

  /// The accepted numbers.
  public struct Bounds<Bound: Sendable & Hashable>: Sendable, Hashable {
    /// The smallest accepted number.
    public var minimum: Bound
    /// The largest accepted number.
    public var maximum: Bound

    /// Creates bounds.
    public init(minimum: Bound, maximum: Bound) {
      (self.minimum, self.maximum) = (minimum, maximum)
    }
  }

  /// The name: kebab-case on the command line, underscores in scripts.
  public var name: String
  /// A one-line summary, with the unit.
  public var summary: String
  /// The type.
  public var kind: Kind
  /// The unit of a number, such as `degree`; nil for none.
  public var unit: String?
  /// A Boolean value indicating whether the parameter must be given.
  public var isRequired: Bool
  /// A Boolean value indicating whether the parameter may be given several times; its value is then a list.
  public var isRepeatable: Bool
  /// The value used if the parameter is not given; null for none.
  public var defaultValue: Value
  /// A Boolean value indicating whether values are personal data, such as a name.
  ///
  /// Has no meaning for flags.
  ///
  /// The host replaces such values by `…` wherever it records a call, such as in traces and recorded scripts.
  public var isPersonal = false

  /// The source of completions on the command line; nil to complete by kind only.
  public var completion: Completion?

  /// A command whose result lists values for a parameter.
  public struct Completion: Sendable, Hashable {
    /// The name of a command of the same plugin that only reads and needs no arguments.
    public var command: String
    /// The column of its table that holds the values.
    public var column: String
    /// The column that describes each value in a line, which shells show beside it; nil for none.
    public var summaryColumn: String?
    /// Columns with other names for the same values, such as codes beside ids.
    ///
    /// They are offered once a name is begun.
    public var otherColumns: [String]

    /// Creates a completion.
    public init(command: String, column: String, summaryColumn: String? = nil, otherColumns: [String] = []) {
      self.command = command
      self.column = column
      self.summaryColumn = summaryColumn
      self.otherColumns = otherColumns
    }
  }

  /// Creates a parameter.
  ///
  /// - Parameters:
  ///   - name: The name in kebab-case.
  ///   - kind: The type.
  ///   - summary: A one-line summary, with the unit.
  ///   - unit: The unit of a number.
  ///   - isRequired: True if the parameter must be given.
  ///   - isRepeatable: True if the parameter may be given several times.
  ///   - defaultValue: The value used if the parameter is not given; null for none, false for flags.
  public init(
    _ name: String, _ kind: Kind, _ summary: String, unit: String? = nil, isRequired: Bool = false,
    isRepeatable: Bool = false, defaultValue: Value = .null
  ) {
    self.name = name
    self.kind = kind
    self.summary = summary
    self.unit = unit
    self.isRequired = isRequired
    self.isRepeatable = isRepeatable
    self.defaultValue = kind == .flag && defaultValue.isNull ? false : defaultValue
  }

  /// Returns the same parameter with a source of completions.
  ///
  /// - Parameters:
  ///   - command: The name of a command of the same plugin that only reads and needs no arguments.
  ///   - column: The column of its table that holds the values.
  ///   - summaryColumn: The column that describes each value in a line; nil for none.
  ///   - otherColumns: Columns with other names for the same values. They are offered once a name is begun.
  public func completed(
    by command: String, column: String, summaryColumn: String? = nil, otherColumns: [String] = []
  ) -> Parameter {
    var copy = self
    copy.completion = Completion(
      command: command, column: column, summaryColumn: summaryColumn, otherColumns: otherColumns)
    return copy
  }

  /// Returns the same parameter, marked as personal data.
  public func personal() -> Parameter {
    var copy = self
    copy.isPersonal = true
    return copy
  }
}

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
  /// Returns the value that a text represents.
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

  /// A description of the accepted values, with the symbol of the unit: `a number from 0 to 10 (Å)`.
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
    return unit.map { base + " (\(Self.symbols[$0] ?? $0))" } ?? base
  }

  /// The symbols of units by their names.
  private static let symbols = [
    "millisecond": "ms", "second": "s", "minute": "min", "hour": "h", "day": "d", "degree": "°", "angstrom": "Å",
    "nanometre": "nm", "gram": "g", "byte": "B", "megabyte": "MB", "pixel": "px",
  ]

  private static func range<Bound: Comparable>(_ bounds: Bounds<Bound>, _ lowest: Bound, _ highest: Bound) -> String {
    switch (bounds.minimum > lowest, bounds.maximum < highest) {
    case (true, true): " from \(text(bounds.minimum)) to \(text(bounds.maximum))"
    case (true, false): " of \(text(bounds.minimum)) or more"
    case (false, true): " of \(text(bounds.maximum)) or less"
    case (false, false): ""
    }
  }

  /// Returns a bound as text, whole numbers without decimals.
  private static func text<Bound>(_ bound: Bound) -> String {
    let text = "\(bound)"
    return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
  }
}
