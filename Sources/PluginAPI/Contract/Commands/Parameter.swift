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
