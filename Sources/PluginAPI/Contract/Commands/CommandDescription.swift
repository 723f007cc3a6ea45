/// Everything there is to know about a command before it runs.
///
/// Command line, help, completion, palette, scripts and documentation are made from it.
public struct CommandDescription: Sendable, Hashable {
  /// What a command touches beyond its result.
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

  /// An example with what it does.
  public struct Example: Sendable, Hashable {
    /// The words after `workbench PLUGIN`.
    public var line: String
    /// What it does.
    public var summary: String

    /// Creates an example.
    public init(_ line: String, _ summary: String) {
      self.line = line
      self.summary = summary
    }
  }

  /// The name: one word, or several separated by spaces (`measure distance`), in kebab-case.
  public var name: String
  /// One line: what it does, verb first, without a full stop.
  public var summary: String
  /// More about it, in paragraphs.
  public var discussion: String
  /// What is given by position.
  public var arguments: [Parameter]
  /// What is given by name.
  public var options: [Parameter]
  /// Examples, simplest first.
  public var examples: [Example]
  /// What it touches.
  public var effects: Set<Effect>
  /// What it emits.
  public var output: Output
  /// Other words the command is looked for by, such as `rmsd` for `superpose`.
  public var synonyms: [String]

  /// What a command emits.
  public struct Output: Sendable, Hashable {
    /// The type name of each emitted value, which chooses the text renderer; nil for plain data.
    public var typeName: String?
    /// The shape of each emitted value.
    public var schema: ValueSchema
    /// Whether several values are emitted over time, rather than exactly one.
    public var isStream: Bool

    /// Creates an output.
    public init(_ schema: ValueSchema, typeName: String? = nil, isStream: Bool = false) {
      self.schema = schema
      self.typeName = typeName
      self.isStream = isStream
    }

    /// One model, or several over time.
    public static func model<Output: Model>(_ type: Output.Type, isStream: Bool = false) -> CommandDescription.Output {
      CommandDescription.Output(Output.schema, typeName: Output.typeName, isStream: isStream)
    }

    /// A table with a row per model.
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

  /// The same description with arguments and options.
  public func taking(_ arguments: [Parameter] = [], options: [Parameter] = []) -> CommandDescription {
    var copy = self
    copy.arguments = arguments
    copy.options = options
    return copy
  }

  /// The same description with a discussion and examples.
  public func explained(_ discussion: String = "", examples: [Example]) -> CommandDescription {
    var copy = self
    copy.discussion = discussion
    copy.examples = examples
    return copy
  }

  /// The same description with other words to find it by.
  public func findable(by synonyms: [String]) -> CommandDescription {
    var copy = self
    copy.synonyms = synonyms
    return copy
  }

  /// Whether the result is a picture, for which the host adds `--graphics`, `--size` and `--output`.
  public var givesPicture: Bool { output.schema == .picture }
}
