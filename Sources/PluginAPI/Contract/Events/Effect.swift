/// The name of a running effect, used to cancel it; unique within a controller among the effects it has running.
public struct EffectID: Sendable, Hashable, ExpressibleByStringLiteral {
  /// The name.
  public var name: String

  /// Creates an id.
  public init(_ name: String) { self.name = name }

  /// Creates an id from its name.
  public init(stringLiteral name: String) { self.init(name) }
}

/// An action that a controller requests from the host.
public enum Effect: Sendable {
  /// Runs a command; its values, progress and end come as messages.
  case run(Run)
  /// Does work whose result changes the controller's state; made by `load` and `compute` of ``Controller``.
  case load(Load)
  /// Asks the user; made by ``Controller/ask(_:then:)`` and ``Controller/choose(_:then:)``.
  case question(ScreenQuestion)
  /// Cancels a running effect; ``Message/cancelled(_:)`` comes at once.
  case cancel(EffectID)
  /// Sends ``Message/timer(_:)`` after a time.
  case timer(Timer)
  /// Pushes a screen over this one; the user can go back.
  case push(ScreenRequest)
  /// Shows a screen beside this one where there is room, and over it otherwise.
  case detail(ScreenRequest)
  /// Shows a screen in a popover.
  case present(ScreenRequest)
  /// Removes this screen; the value reaches the screen below as ``Message/returned(screen:_:)``.
  case pop(Value)
  /// Replaces the whole stack by this screen.
  case replace(ScreenRequest)
  /// Sends a notification.
  case notify(Notice)
  /// Shows a diagnostic in the status line for a while.
  case status(Diagnostic)
  /// Copies text to the user's clipboard.
  case copy(String)
  /// Ends the program.
  case quit

  /// A command to run for a screen.
  public struct Run: Sendable, Hashable {
    /// The name of the effect.
    public var id: EffectID
    /// The name of the command: `plugin.command`, or one of this plugin's own.
    public var command: String
    /// Arguments and options by name; missing ones take their defaults.
    public var arguments: Record

    /// Creates a run of a command.
    public init(_ id: EffectID, command: String, arguments: Record) {
      (self.id, self.command, self.arguments) = (id, command, arguments)
    }
  }

  /// A message to a screen after a time.
  public struct Timer: Sendable, Hashable {
    /// The name of the effect.
    public var id: EffectID
    /// The time, in seconds.
    public var seconds: Double
    /// A Boolean value indicating whether the message comes again and again.
    public var repeats: Bool

    /// Creates a timer.
    public init(_ id: EffectID, seconds: Double, repeats: Bool) {
      (self.id, self.seconds, self.repeats) = (id, seconds, repeats)
    }
  }

  /// A notification with one of this plugin's own topics.
  public struct Notice: Sendable, Hashable {
    /// The topic, without the plugin's id.
    public var topic: String
    /// The data that was announced with the topic.
    public var payload: Value

    /// Creates a notification.
    public init(topic: String, _ payload: Value) {
      (self.topic, self.payload) = (topic, payload)
    }
  }

  /// Makes an effect that runs a command, `plugin.command` or one of this plugin's own.
  public static func run(_ id: EffectID, command: String, arguments: Record) -> Effect {
    .run(Run(id, command: command, arguments: arguments))
  }

  /// Makes an effect that sends ``Message/timer(_:)`` after a time, and repeatedly if `repeats`.
  public static func timer(_ id: EffectID, seconds: Double, repeats: Bool) -> Effect {
    .timer(Timer(id, seconds: seconds, repeats: repeats))
  }

  /// Makes an effect that sends a notification with one of this plugin's own topics.
  public static func notify(topic: String, _ payload: Value) -> Effect { .notify(Notice(topic: topic, payload)) }
}

/// A request to show a screen with arguments.
public struct ScreenRequest: Sendable, Hashable {
  /// The id of the plugin; nil for the requesting plugin.
  public var plugin: String?
  /// The name of the screen, as in its contribution.
  public var screen: String
  /// The arguments for the screen, such as `document` for the one named on the command line.
  public var arguments: Record

  /// Creates a request.
  public init(_ screen: String, plugin: String? = nil, arguments: Record = Record()) {
    self.plugin = plugin
    self.screen = screen
    self.arguments = arguments
  }
}

/// A sheet of choices.
public struct ChoiceRequest: Sendable, Hashable {
  /// A choice in a sheet.
  public struct Choice: Sendable, Hashable {
    /// The id of the choice, used in the answer.
    public var id: String
    /// The title.
    public var title: String
    /// A second, less prominent text.
    public var detail: String

    /// Creates a choice.
    public init(id: String, title: String, detail: String = "") {
      self.id = id
      self.title = title
      self.detail = detail
    }
  }

  /// The heading.
  public var title: String
  /// The choices, in order.
  public var choices: [Choice]
  /// The id of the choice selected at first; nil for the default.
  public var selected: String?
  /// A Boolean value indicating whether the choice destroys something.
  ///
  /// The sheet then warns and selects nothing at first.
  public var isDestructive: Bool

  /// Creates a sheet.
  public init(_ title: String, choices: [Choice], selected: String? = nil, isDestructive: Bool = false) {
    self.title = title
    self.choices = choices
    self.selected = selected
    self.isDestructive = isDestructive
  }
}

/// A question answered with a line of text.
public struct PromptRequest: Sendable, Hashable {
  /// The question.
  public var title: String
  /// The text it starts with.
  public var text: String
  /// A Boolean value indicating whether the text is a secret, which is neither shown nor kept in a history.
  public var isSecret: Bool

  /// Creates a question.
  public init(_ title: String, text: String = "", isSecret: Bool = false) {
    self.title = title
    self.text = text
    self.isSecret = isSecret
  }
}

/// Work of a screen whose result changes the screen's controller.
///
/// `load` and `compute` of ``Controller`` make it. The host drops the results of work that was superseded or canceled,
/// shows progress, and reports errors in the status line unless the view shows them.
public struct Load: Sendable {
  /// A change of a controller's state, which returns the effects that follow.
  public struct Completion: Sendable {
    private let change: @MainActor @Sendable () -> [Effect]

    /// Creates a completion.
    public init(_ change: @escaping @MainActor @Sendable () -> [Effect]) { self.change = change }

    /// Changes the state.
    @MainActor public func callAsFunction() -> [Effect] { change() }
  }

  /// The work itself; it returns the change of state for its result.
  public enum Work: Sendable {
    /// Waits without blocking a thread.
    case concurrent(@Sendable (any WorkProgress) async throws -> Completion)
    /// Blocks a thread or keeps it busy, and gets one of its own.
    case blocking(@Sendable (any WorkProgress) throws -> Completion)
  }

  /// The reason why work has no result.
  public enum Failure: Sendable {
    /// It threw an error, which the host reports.
    case failed(ErrorReport)
    /// The controller or the user canceled it.
    case canceled

    /// Returns the description of the error, or the given text if the work was canceled.
    public func text(ifCanceled text: String) -> String {
      switch self {
      case .failed(let report): report.description
      case .canceled: text
      }
    }
  }

  /// The name of the work; new work of the same name supersedes what is running.
  public let id: EffectID
  /// The label that users see while the work runs.
  public let label: String
  /// The work.
  public let work: Work
  /// The change of state if there is no result; nil for none.
  public let failed: (@Sendable (Failure) -> Completion)?

  /// Creates work.
  public init(_ id: EffectID, _ label: String, _ work: Work, failed: (@Sendable (Failure) -> Completion)?) {
    (self.id, self.label, self.work, self.failed) = (id, label, work, failed)
  }
}

/// A screen's question to the user, and the change of state for the answer.
public struct ScreenQuestion: Sendable {
  /// The form of a question.
  public enum Form: Sendable {
    /// A line of text.
    case line(PromptRequest)
    /// A choice from a list.
    case choice(ChoiceRequest)
  }

  /// The form of the question.
  public let form: Form
  /// Makes the change of state for an answer: the text, or the id of the choice.
  public let answered: @Sendable (String) -> Load.Completion

  /// Creates a question.
  public init(_ form: Form, answered: @escaping @Sendable (String) -> Load.Completion) {
    (self.form, self.answered) = (form, answered)
  }
}

extension Controller {
  /// Makes an effect that loads something without blocking a thread, such as rows of a store or a response of a service.
  ///
  /// ```swift
  /// load("stations", "Reading stations") { _ in try await store.stations() } then: { $0.stations = $1 }
  /// ```
  ///
  /// - Parameters:
  ///   - id: Names the work; new work of the same name supersedes what is running.
  ///   - label: The label that users see while the work runs.
  ///   - work: Returns the result; runs outside the event loop.
  ///   - then: Puts the result into the controller and returns the effects that follow.
  ///   - failed: Called in place of `then` if there is no result; the host reports an error that the view does not
  ///     show.
  @inlinable public func load<Result: Sendable>(
    _ id: EffectID, _ label: String, _ work: @escaping @Sendable (any WorkProgress) async throws -> Result,
    then: @escaping @MainActor @Sendable (Self, Result) -> [Effect],
    failed: (@MainActor @Sendable (Self, Load.Failure) -> [Effect])? = nil
  ) -> Effect {
    let concurrent = Load.Work.concurrent { [weak self] progress in
      let result = try await work(progress)
      return Load.Completion { self.map { then($0, result) } ?? [] }
    }
    return .load(Load(id, label, concurrent, failed: failureHandler(failed)))
  }

  /// Makes an effect that loads something, after which nothing follows.
  @inlinable public func load<Result: Sendable>(
    _ id: EffectID, _ label: String, _ work: @escaping @Sendable (any WorkProgress) async throws -> Result,
    then: @escaping @MainActor @Sendable (Self, Result) -> Void,
    failed: (@MainActor @Sendable (Self, Load.Failure) -> [Effect])? = nil
  ) -> Effect {
    load(
      id, label, work,
      then: { controller, result -> [Effect] in
        then(controller, result)
        return []
      }, failed: failed)
  }

  /// Makes an effect that computes something, or waits for it, on a thread of its own.
  ///
  /// The parameters are those of `load`.
  @inlinable public func compute<Result: Sendable>(
    _ id: EffectID, _ label: String, _ work: @escaping @Sendable (any WorkProgress) throws -> Result,
    then: @escaping @MainActor @Sendable (Self, Result) -> [Effect],
    failed: (@MainActor @Sendable (Self, Load.Failure) -> [Effect])? = nil
  ) -> Effect {
    let blocking = Load.Work.blocking { [weak self] progress in
      let result = try work(progress)
      return Load.Completion { self.map { then($0, result) } ?? [] }
    }
    return .load(Load(id, label, blocking, failed: failureHandler(failed)))
  }

  /// Makes an effect that computes something, after which nothing follows.
  @inlinable public func compute<Result: Sendable>(
    _ id: EffectID, _ label: String, _ work: @escaping @Sendable (any WorkProgress) throws -> Result,
    then: @escaping @MainActor @Sendable (Self, Result) -> Void,
    failed: (@MainActor @Sendable (Self, Load.Failure) -> [Effect])? = nil
  ) -> Effect {
    compute(
      id, label, work,
      then: { controller, result -> [Effect] in
        then(controller, result)
        return []
      }, failed: failed)
  }

  /// Makes an effect that asks for a line of text; nothing happens if the user dismisses the question.
  @inlinable public func ask(
    _ request: PromptRequest, then: @escaping @MainActor @Sendable (Self, String) -> [Effect]
  ) -> Effect {
    .question(ScreenQuestion(.line(request), answered: answerHandler(then)))
  }

  /// Makes an effect that asks the user to choose one of several items, by id; nothing happens if the user dismisses
  /// it.
  @inlinable public func choose(
    _ request: ChoiceRequest, then: @escaping @MainActor @Sendable (Self, String) -> [Effect]
  ) -> Effect {
    .question(ScreenQuestion(.choice(request), answered: answerHandler(then)))
  }

  @inlinable func failureHandler(
    _ failed: (@MainActor @Sendable (Self, Load.Failure) -> [Effect])?
  ) -> (@Sendable (Load.Failure) -> Load.Completion)? {
    guard let failed else { return nil }
    return { [weak self] failure in Load.Completion { self.map { failed($0, failure) } ?? [] } }
  }

  @inlinable func answerHandler(
    _ then: @escaping @MainActor @Sendable (Self, String) -> [Effect]
  ) -> @Sendable (String) -> Load.Completion {
    { [weak self] answer in Load.Completion { self.map { then($0, answer) } ?? [] } }
  }
}
