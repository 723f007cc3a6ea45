/// A complete description of a command, known before it runs.
///
/// The command line, help, completion, palette, scripts and documentation are made from it.
public struct CommandDescription: Sendable, Hashable {
  /// An effect of a command beyond its result.
  public enum Effect: String, Sendable, Hashable, CaseIterable {
    /// Reads files or stores.
    case reads
    /// Changes files or stores.
    case writes
    /// Deletes data for which the user may have no other copy.
    case deletes
    /// Uses the network or a device.
    case network
  }

  /// An example of a command line, with an explanation.
  public struct Example: Sendable, Hashable {
    /// The arguments after `workbench PLUGIN`.
    public var line: String
    /// A short explanation of the example.
    public var summary: String

    /// Creates an example.
    public init(_ line: String, _ summary: String) {
      self.line = line
      self.summary = summary
    }
  }

  /// The name: one word, or several separated by spaces (`measure distance`), in kebab-case.
  public var name: String
  /// A one-line summary: verb first, without a full stop.
  public var summary: String
  /// A longer description, in paragraphs.
  public var discussion: String
  /// The positional arguments.
  public var arguments: [Parameter]
  /// The named options.
  public var options: [Parameter]
  /// Examples, simplest first.
  public var examples: [Example]
  /// The effects beyond the result.
  public var effects: Set<Effect>
  /// The type of the emitted values.
  public var output: Output
  /// Other words to find the command by, such as `rmsd` for `superpose`.
  public var synonyms: [String]

  /// The type of a command's emitted values.
  public struct Output: Sendable, Hashable {
    /// The type name of each emitted value, which chooses the text renderer; nil for plain data.
    public var typeName: String?
    /// A Boolean value indicating whether several values are emitted over time, rather than exactly one.
    ///
    /// Emitted lists, or tables, are the parts of one.
    public var isStream: Bool
    private let makeSchema: @Sendable () -> ValueSchema

    /// The shape of each emitted value.
    ///
    /// Each access makes it again, so that a command is found and run without the descriptions of all outputs.
    public var schema: ValueSchema { makeSchema() }

    /// Creates an output.
    public init(
      _ schema: @autoclosure @escaping @Sendable () -> ValueSchema, typeName: String? = nil, isStream: Bool = false
    ) {
      makeSchema = schema
      self.typeName = typeName
      self.isStream = isStream
    }

    /// Returns true if both have the same type name and shape.
    public static func == (left: Self, right: Self) -> Bool {
      left.typeName == right.typeName && left.isStream == right.isStream && left.schema == right.schema
    }

    /// Hashes what equality compares, but for the shape.
    public func hash(into hasher: inout Hasher) {
      hasher.combine(typeName)
      hasher.combine(isStream)
    }

    /// A Boolean value indicating whether the values of the stream are the parts of one list or table.
    public var isListInParts: Bool {
      guard isStream else { return false }
      if case .list = schema { return true }
      if case .table = schema { return true }
      return false
    }

    /// Returns emitted values as one: the one value, or a list, in which the parts of a list or table are joined.
    ///
    /// - Returns: Null if there are no values. The rows of several tables are a list of records.
    public func joined(_ values: [Value]) -> Value {
      if values.count == 1 { return values[0] }
      return values.isEmpty ? .null : .list(isListInParts ? values.flatMap(\.elements) : values)
    }

    /// Returns an output of one model, or of several over time.
    public static func model<Output: Model>(_ type: Output.Type, isStream: Bool = false) -> CommandDescription.Output {
      CommandDescription.Output(Output.schema, typeName: Output.typeName, isStream: isStream)
    }

    /// Returns an output of a table with one row per model.
    public static func table<Row: Model>(of type: Row.Type) -> CommandDescription.Output {
      CommandDescription.Output(.table(Row.fields.columns))
    }
  }

  /// Creates a description.
  public init(
    _ name: String, _ summary: String, output: Output, effects: Set<Effect> = [.reads]
  ) {
    self.name = name
    self.summary = summary
    self.discussion = ""
    self.arguments = []
    self.options = []
    self.examples = []
    self.effects = effects
    self.output = output
    self.synonyms = []
  }

  /// Returns the same description with arguments and options.
  public func taking(_ arguments: [Parameter] = [], options: [Parameter] = []) -> CommandDescription {
    var copy = self
    copy.arguments = arguments
    copy.options = options
    return copy
  }

  /// Returns the same description with a discussion and examples.
  public func explained(_ discussion: String = "", examples: [Example]) -> CommandDescription {
    var copy = self
    copy.discussion = discussion
    copy.examples = examples
    return copy
  }

  /// Returns the same description with other words to find it by.
  public func findable(by synonyms: [String]) -> CommandDescription {
    var copy = self
    copy.synonyms = synonyms
    return copy
  }

  /// A Boolean value indicating whether the result is a picture.
  ///
  /// The host then adds `--graphics`, `--size` and `--output`.
  public var givesPicture: Bool { output.schema == .picture }
}
