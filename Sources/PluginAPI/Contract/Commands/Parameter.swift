/// An argument or option of a command, or a setting: its name, type, unit and default.
public struct Parameter: Sendable, Hashable {
  /// The types of parameters.
  public indirect enum Kind: Sendable, Hashable {
    /// Present or not; options only.
    case flag
    /// Any text.
    case text
    /// A whole number between two bounds, both allowed.
    case integer(minimum: Int, maximum: Int)
    /// A number between two bounds, both allowed.
    case number(minimum: Double, maximum: Double)
    /// One of these words.
    case choice([String])
    /// Numbers separated by commas, exactly so many, as `--rotate X,Y,Z`.
    case numbers(count: Int)
    /// The path of a file that is read; completed with these extensions, all if empty.
    ///
    /// The host copies standard input (`-`) and pipes into a private file, so that the command gets a regular one.
    case inputFile(extensions: [String])
    /// The path of a file that is written.
    ///
    /// For `-` as the value of an option `output` the command gets a private file, whose bytes the host writes to standard
    /// output.
    case outputFile
    /// The path of a folder.
    case folder
    /// A known document's id or code, or the path of a file, as for `inputFile`.
    case document(extensions: [String])
    /// The URL of a service.
    case url
    /// A date, or a date and a time of day, in UTC: `2026-11-20`, `2026-11-20T06:30`.
    case date
  }

  /// The name: kebab-case on the command line, underscores in scripts.
  public var name: String
  /// One line: what it is, with its unit.
  public var summary: String
  /// Its type.
  public var kind: Kind
  /// The unit of a number, such as `degree`; nil for none.
  public var unit: String?
  /// Whether it must be given.
  public var isRequired: Bool
  /// Whether it may be given several times; its value is then a list.
  public var isRepeatable: Bool
  /// What holds if it is not given; null for nothing.
  public var defaultValue: Value
  /// Whether what is given for it tells of people, such as a name; of flags it means nothing.
  ///
  /// The host then writes `…` in its place wherever it notes what was run, such as in traces and recorded scripts.
  public var isPersonal = false

  /// Where the command line finds values to complete it with; nil for nowhere but its kind.
  public var completion: Completion?

  /// A command whose result lists values that a parameter can take.
  public struct Completion: Sendable, Hashable {
    /// The name of a command of the same plugin that only reads and needs no arguments.
    public var command: String
    /// The column of its table with the values.
    public var column: String
    /// The column with a line about each value, which shells show beside it; nil for none.
    public var summaryColumn: String?
    /// Columns with other names of the same values, such as codes beside ids; offered once a name is begun.
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
  ///   - summary: One line: what it is, with its unit.
  ///   - unit: The unit of a number.
  ///   - isRequired: Whether it must be given.
  ///   - isRepeatable: Whether it may be given several times.
  ///   - defaultValue: What holds if it is not given; null for nothing, false for flags.
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

  /// Returns the parameter with values to complete it with.
  ///
  /// - Parameters:
  ///   - command: The name of a command of the same plugin that only reads and needs no arguments.
  ///   - column: The column of its table with the values.
  ///   - summaryColumn: The column with a line about each value; nil for none.
  ///   - otherColumns: Columns with other names of the same values; offered once a name is begun.
  public func completed(
    by command: String, column: String, summaryColumn: String? = nil, otherColumns: [String] = []
  ) -> Parameter {
    var copy = self
    copy.completion = Completion(
      command: command, column: column, summaryColumn: summaryColumn, otherColumns: otherColumns)
    return copy
  }

  /// The same parameter, for values that tell of people.
  public func personal() -> Parameter {
    var copy = self
    copy.isPersonal = true
    return copy
  }
}
