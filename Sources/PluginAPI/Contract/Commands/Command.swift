/// A function of a plugin that users, scripts, screens and other plugins call.
public protocol Command: Sendable {
  /// What the command is called, takes, gives and touches.
  var declaration: CommandDescription { get }

  /// Runs the command: emits its values and progress through the call, and ends soon after cancellation.
  ///
  /// - Throws: A ``ReportableError`` for what users can understand; `CancellationError` after cancellation.
  func run(_ call: CommandCall) async throws
}

/// One call of a command.
public struct CommandCall: Sendable {
  /// Arguments and options by name, checked and with defaults filled in.
  public let arguments: Record
  /// The door of the plugin whose command it is.
  public let context: any PluginContext
  /// What the caller can show.
  public let presentation: Presentation
  private let output: any CommandOutput

  /// What the caller of a command can show.
  public struct Presentation: Sendable, Hashable {
    /// The size in pixels wanted for a picture; nil for what the command thinks best.
    public var pictureSize: Size?
    /// Whether the call comes from a screen whose user sees and waits.
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

  /// The argument or option of that name; null if it was not given and has no default.
  public subscript(name: String) -> Value { arguments[name] ?? .null }

  /// The text of that name; empty if there is none.
  public func text(_ name: String) -> String { self[name].text ?? "" }

  /// The texts of a repeatable argument.
  public func texts(_ name: String) -> [String] { self[name].list?.compactMap(\.text) ?? [] }

  /// Whether the flag of that name is set.
  public func flag(_ name: String) -> Bool { self[name].bool ?? false }

  /// Gives a value to the caller; waits while the caller is not ready for more.
  ///
  /// - Throws: ``ErrorReport`` with the code `host.value-too-deep` if the value is nested in more than 256 levels, which
  ///   it could neither be written nor stored with.
  public func emit(_ value: Value) async throws {
    if value.isNested(deeperThan: Value.maximumDepth) {
      throw ErrorReport(
        code: "host.value-too-deep", kind: .pluginFailed,
        "the command gives a value nested deeper than \(Value.maximumDepth) levels",
        advice: "report this to the plugin's author")
    }
    try await output.emit(value)
  }

  /// Gives a model to the caller; waits while the caller is not ready for more.
  public func emit<Output: Model>(_ model: Output) async throws { try await emit(model.value) }

  /// Gives a table with a row per model to the caller.
  public func emit<Row: Model>(table rows: [Row]) async throws { try await emit(.table(Row.fields.table(of: rows))) }

  /// Tells how far the command is.
  public func report(_ progress: Progress) { output.report(progress) }

  /// Tells something noticed on the way.
  public func warn(_ diagnostic: Diagnostic) { output.warn(diagnostic) }

  /// Asks the user for a line of text, or for a secret that is not shown; for secrets never an argument.
  ///
  /// - Returns: The answer; nil if nobody can be asked or the question was put away.
  /// - Throws: `CancellationError` soon after the call was cancelled.
  public func ask(_ request: PromptRequest) async throws -> String? { try await output.ask(request) }

  /// The first line of standard input without its end, for `--password-stdin`.
  ///
  /// - Returns: The line; nil if the caller has no standard input to give, or it is empty.
  /// - Throws: `CancellationError` soon after the call was cancelled.
  public func inputLine() async throws -> String? { try await output.inputLine() }

  /// Waits until the user presses any key, which is not shown: for what goes on until somebody has seen enough.
  ///
  /// - Returns: Whether one was pressed; false at once if nobody can press one.
  /// - Throws: `CancellationError` soon after the call was cancelled.
  public func waitForKey() async throws -> Bool { try await output.waitForKey() }

  /// Runs blocking or heavy work on a thread of its own, with its progress as the command's.
  ///
  /// - Returns: The result of the work.
  /// - Throws: What the work throws; `CancellationError` if the call was cancelled.
  @inlinable public func compute<Result: Sendable>(
    _ label: String, _ work: @escaping @Sendable (any WorkProgress) throws -> Result
  ) async throws -> Result {
    try await context.eventLoop.compute(label, work) { report($0) }
  }
}

/// Where a command's values, progress and warnings go.
public protocol CommandOutput: Sendable {
  /// Takes a value; waits while the receiver is not ready for more.
  func emit(_ value: Value) async throws
  /// Takes the progress.
  func report(_ progress: Progress)
  /// Takes something noticed.
  func warn(_ diagnostic: Diagnostic)
  /// Asks the user; nil if nobody can be asked.
  func ask(_ request: PromptRequest) async throws -> String?
  /// The first line of standard input; nil if there is none to give.
  func inputLine() async throws -> String?
  /// Waits until the user presses any key; false if nobody can.
  func waitForKey() async throws -> Bool
}

extension CommandOutput {
  /// Nobody can be asked.
  public func ask(_ request: PromptRequest) async throws -> String? { nil }
  /// There is no input.
  public func inputLine() async throws -> String? { nil }
  /// Nobody presses keys.
  public func waitForKey() async throws -> Bool { false }
}
