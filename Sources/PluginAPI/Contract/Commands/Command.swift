/// A function of a plugin that users, scripts, screens and other plugins call.
public protocol Command: Sendable {
  /// The command's name, parameters, output and effects.
  var declaration: CommandDescription { get }

  /// Runs the command: emits its values and progress through the call, and ends soon after cancellation.
  ///
  /// - Throws: A ``ReportableError`` for what users can understand; `CancellationError` after cancellation.
  func run(_ call: CommandCall) async throws
}

/// A call of a command.
public struct CommandCall: Sendable {
  /// Arguments and options by name, checked and with defaults filled in.
  public let arguments: Record
  /// The context of the plugin that owns the command.
  public let context: any PluginContext
  /// The form in which the caller presents the results.
  public let presentation: Presentation
  private let output: any CommandOutput

  /// The form in which a command's caller presents the results.
  public struct Presentation: Sendable, Hashable {
    /// The requested size of a picture, in pixels; nil to let the command choose.
    public var pictureSize: Size?
    /// A Boolean value indicating whether the call comes from a screen whose user is waiting.
    public var isInteractive: Bool

    /// Creates a presentation.
    public init(pictureSize: Size? = nil, isInteractive: Bool = false) {
      self.pictureSize = pictureSize
      self.isInteractive = isInteractive
    }
  }

  /// Creates a call.
  public init(
    arguments: Record, context: any PluginContext, presentation: Presentation = Presentation(),
    output: any CommandOutput
  ) {
    self.arguments = arguments
    self.context = context
    self.presentation = presentation
    self.output = output
  }

  /// The argument or option with a name; null if it was not given and has no default.
  public subscript(name: String) -> Value { arguments[name] ?? .null }

  /// Returns the text of an argument or option; empty if there is none.
  public func text(_ name: String) -> String { self[name].text ?? "" }

  /// Returns the texts of a repeatable argument or option.
  public func texts(_ name: String) -> [String] { self[name].list?.compactMap(\.text) ?? [] }

  /// Returns true if a flag is set.
  public func flag(_ name: String) -> Bool { self[name].bool ?? false }

  /// Emits a value to the caller; waits while the caller is not ready for more.
  ///
  /// - Throws: ``ErrorReport`` with the code `host.value-too-deep` if the value is nested more than 256 levels deep:
  ///   such a value could not be written or stored.
  public func emit(_ value: Value) async throws {
    if value.isNested(deeperThan: Value.maximumDepth) {
      throw ErrorReport(
        code: "host.value-too-deep", kind: .pluginFailed,
        "the command returned a value nested deeper than \(Value.maximumDepth) levels",
        advice: "report this to the plugin's author")
    }
    try await output.emit(value)
  }

  /// Emits a model to the caller; waits while the caller is not ready for more.
  public func emit<Output: Model>(_ model: Output) async throws { try await emit(model.value) }

  /// Emits a table with one row per model to the caller.
  public func emit<Row: Model>(table rows: [Row]) async throws { try await emit(.table(Row.fields.table(of: rows))) }

  /// Reports the command's progress.
  public func report(_ progress: Progress) { output.report(progress) }

  /// Reports something noticed while the command runs.
  public func warn(_ diagnostic: Diagnostic) { output.warn(diagnostic) }

  /// Asks the user for a line of text, or for a secret that is not shown.
  ///
  /// Secrets are never passed as arguments.
  ///
  /// - Returns: The answer; nil if there is no user or the user dismissed the question.
  /// - Throws: `CancellationError` soon after the call was canceled.
  public func ask(_ request: PromptRequest) async throws -> String? {
    try await self.request(.prompt(request)).text
  }

  /// Reads the first line of standard input without its line ending, for `--password-stdin`.
  ///
  /// - Returns: The line; nil if the caller has no standard input, or if the line is empty.
  /// - Throws: `CancellationError` soon after the call was canceled.
  public func inputLine() async throws -> String? { try await request(.inputLine).text }

  /// Waits until the user presses any key, which is not shown.
  ///
  /// For commands that run until the user has seen enough.
  ///
  /// - Returns: True if a key was pressed; false at once if the caller has no keyboard.
  /// - Throws: `CancellationError` soon after the call was canceled.
  public func waitForKey() async throws -> Bool { try await request(.key).bool ?? false }

  /// Sends a request to the command's runner.
  ///
  /// - Returns: The answer; null if there is none.
  /// - Throws: `CancellationError` soon after the call was canceled.
  public func request(_ request: CommandRequest) async throws -> Value { try await output.request(request) }

  /// Runs blocking or heavy work on a thread of its own and reports its progress as the command's.
  ///
  /// - Returns: The result of the work.
  /// - Throws: The error that the work throws; `CancellationError` if the call was canceled.
  @inlinable public func compute<Result: Sendable>(
    _ label: String, _ work: @escaping @Sendable (any WorkProgress) throws -> Result
  ) async throws -> Result {
    try await context.eventLoop.compute(label, work) { report($0) }
  }
}

/// A receiver of a command's values, progress and warnings.
public protocol CommandOutput: Sendable {
  /// Receives a value; waits while the receiver is not ready for more.
  func emit(_ value: Value) async throws
  /// Receives the progress.
  func report(_ progress: Progress)
  /// Receives something the command noticed.
  func warn(_ diagnostic: Diagnostic)
  /// Answers a request of the command; null if it cannot be answered here.
  func request(_ request: CommandRequest) async throws -> Value
}

extension CommandOutput {
  /// Answers nothing.
  public func request(_ request: CommandRequest) async throws -> Value { .null }
}

/// A request of a running command to its runner.
///
/// A runner that cannot answer a request, or does not know it, returns null.
public enum CommandRequest: Sendable, Hashable {
  /// Asks the user for a line of text; answered with the text.
  case prompt(PromptRequest)
  /// Reads the next line of standard input; answered with the text without its line end.
  case inputLine
  /// Waits until the user presses a key; answered with true.
  case key
}

extension CommandRequest: ValueConvertible {
  /// `host.command-request`.
  public static var typeName: String { "host.command-request" }

  /// Creates a request from its value form.
  public init(value: Value) throws {
    switch try value.requiredText("is") {
    case "prompt": self = .prompt(try PromptRequest(value: value["prompt"]))
    case "input-line": self = .inputLine
    case "key": self = .key
    default: throw ValueDecodingError.unexpectedShape(path: "is", expected: "a request of a command")
    }
  }

  /// The request as a record.
  public var value: Value {
    switch self {
    case .prompt(let request): ["is": "prompt", "prompt": request.value]
    case .inputLine: ["is": "input-line"]
    case .key: ["is": "key"]
    }
  }
}
