public import PluginAPI
internal import Synchronization

/// A plugin under test: runs its commands, renders its values, opens its screens.
///
/// ```swift
/// let tides = try await TestPlugin(TidesPlugin())
/// let result = try await tides.run("predict", ["station": "brest"])
/// #expect(result.value["heights"].list?.count == 24)
/// ```
public final class TestPlugin: Sendable {
  /// The plugin.
  public let plugin: any Plugin
  /// The context of the plugin, without a host.
  public let context: TestContext
  /// The answers to the commands' questions.
  public let answers = TestAnswers()

  /// Creates a context for a plugin and activates it.
  ///
  /// - Parameters:
  ///   - plugin: The plugin.
  ///   - resources: The folder of its resources; nil for an empty one.
  ///   - now: The time of its clock.
  ///   - isOffline: True if it must not use the network.
  ///   - home: The location of the plugin's folders, for data that must outlive this plugin; nil for a temporary
  ///     location.
  public init(
    _ plugin: any Plugin, resources: String? = nil, now: Instant = Instant(seconds: 1_800_000_000),
    isOffline: Bool = true, home: String? = nil
  ) async throws {
    self.plugin = plugin
    context = TestContext(plugin, resources: resources, now: now, isOffline: isOffline, home: home)
    let context = self.context
    try await MainActor.run { try plugin.activate(context) }
  }

  /// Runs a command as the host does.
  ///
  /// - Parameters:
  ///   - name: The command, with or without the plugin's id in front.
  ///   - arguments: Arguments and options by name; missing ones take their defaults.
  ///   - pictureSize: The requested size of a picture.
  /// - Throws: The error that the command throws; ``ErrorReport`` of kind usage for arguments that do not fit;
  ///   ``SchemaMismatch`` if a value does not match the declaration.
  public func run(
    _ name: String, _ arguments: Record = Record(), pictureSize: Size? = nil
  ) async throws -> CommandResult {
    try await CommandTrial(plugin: plugin, context: context, answers: answers)
      .run(name, arguments, presentation: CommandCall.Presentation(pictureSize: pictureSize))
  }

  /// Runs a command line, given as the part after `workbench PLUGIN`.
  public func run(line: String) async throws -> CommandResult {
    let (command, arguments) = try ArgumentWords.parse(line, for: plugin.contributions.commands)
    return try await run(command.name, arguments)
  }

  /// Returns the error of a command as users and scripts see it; nil if it succeeds.
  public func report(_ name: String, _ arguments: Record = Record()) async -> ErrorReport? {
    do {
      _ = try await run(name, arguments)
      return nil
    } catch {
      return ErrorReport.of(error)
    }
  }

  /// Renders a value as text with the plugin's renderer for its type.
  public func text(_ value: Value, for request: TextRequest = TextRequest(), as typeName: String? = nil) throws
    -> String
  {
    guard let name = typeName ?? value.typeName else { throw MissingPart.textRenderer("plain data") }
    return try plugin.makeTextRenderer(name, context).render(value, for: request).plainText
  }

  /// Opens a screen.
  ///
  /// - Parameters:
  ///   - name: The screen.
  ///   - arguments: Its arguments, such as `document`.
  ///   - size: Its size in cells.
  ///   - holdsComputations: True if computed work waits until the test completes it.
  @MainActor public func screen(
    _ name: String, _ arguments: Record = Record(), size: Size = Size(width: 80, height: 24),
    holdsComputations: Bool = false
  ) throws -> ScreenDriver {
    try ScreenDriver(
      self, ScreenRequest(name, arguments: arguments), size: size, holdsComputations: holdsComputations)
  }
}

extension ErrorReport {
  /// Returns the report of an error, as the host makes it.
  static func of(_ error: any Error) -> ErrorReport {
    (error as? any ReportableError)?.report
      ?? ErrorReport(code: "host.plugin-threw", kind: .pluginFailed, "\(error)")
  }
}

/// The simulated user of a command under test: it answers questions and provides standard input.
///
/// ```swift
/// plugin.answers.say("wonderland")
/// _ = try await plugin.run(line: "login https://lab.example.org --user alice")
/// #expect(plugin.answers.questions.map(\.isSecret) == [true])
/// ```
public final class TestAnswers: Sendable {
  private struct State {
    var waiting: [String] = []
    var questions: [PromptRequest] = []
    var input: String?
    var pressesKeys = false
  }

  private let state = Mutex(State())

  /// Creates a user who answers nothing.
  public init() {}

  /// Queues answers to the next questions, in order; questions beyond them are dismissed.
  public func say(_ answers: String...) { state.withLock { $0.waiting += answers } }

  /// The line that every command reads from standard input; nil for none.
  public var inputLine: String? {
    get { state.withLock { $0.input } }
    set { state.withLock { $0.input = newValue } }
  }

  /// A Boolean value indicating whether a key is pressed as soon as a command waits for one; false for no keyboard.
  public var pressesKeys: Bool {
    get { state.withLock { $0.pressesKeys } }
    set { state.withLock { $0.pressesKeys = newValue } }
  }

  /// The questions asked so far.
  public var questions: [PromptRequest] { state.withLock { $0.questions } }

  /// Answers a question.
  func answer(_ request: PromptRequest) -> String? {
    state.withLock { state in
      state.questions.append(request)
      return state.waiting.isEmpty ? nil : state.waiting.removeFirst()
    }
  }
}
