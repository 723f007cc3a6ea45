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
