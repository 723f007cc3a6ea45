/// Names an effect that runs, so that it can be cancelled and its late answers dropped.
public struct EffectID: Sendable, Hashable, ExpressibleByStringLiteral {
  /// The name; unique within a controller among the effects it has running.
  public var name: String
  /// Tells effects of the same name apart.
  public var generation: Int

  /// Creates an id.
  public init(_ name: String, generation: Int = 0) {
    self.name = name
    self.generation = generation
  }

  /// Creates an id from its name.
  public init(stringLiteral name: String) { self.init(name) }
}

/// Something a controller wants done.
public enum Effect: Sendable {
  /// Runs a command, `plugin.command` or one of this plugin's own; its values, progress and end come as messages.
  case run(EffectID, command: String, arguments: Record)
  /// Does work whose result changes the controller's state; made by `load` and `compute` of ``Controller``.
  case load(Load)
  /// Asks the user; made by ``Controller/ask(_:then:)`` and ``Controller/choose(_:then:)``.
  case question(ScreenQuestion)
  /// Runs heavy work of the plugin on a thread of its own; its result comes as ``Message/finished(_:_:)``.
  case compute(EffectID, label: String, @Sendable (any WorkProgress) throws -> any Sendable)
  /// Cancels a running effect; ``Message/cancelled(_:)`` comes at once.
  case cancel(EffectID)
  /// Sends ``Message/timer(_:)`` after a time, again and again if `repeats`.
  case timer(EffectID, seconds: Double, repeats: Bool)
  /// Shows a screen over this one, with the way back.
  case push(ScreenRequest)
  /// Shows a screen beside this one where there is room, else over it.
  case detail(ScreenRequest)
  /// Shows a screen in a popover.
  case present(ScreenRequest)
  /// Takes this screen away; its value reaches the screen below as ``Message/returned(screen:_:)``.
  case pop(Value)
  /// Replaces the whole stack by this screen.
  case replace(ScreenRequest)
  /// Asks to choose one of several things in a sheet; the answer comes as ``Message/answered(_:_:)``.
  case choose(EffectID, ChoiceRequest)
  /// Asks for a line of text in a popover; the answer comes as ``Message/answered(_:_:)``.
  case ask(EffectID, PromptRequest)
  /// Sends a notification; the topic is one of this plugin's own.
  case notify(topic: String, Value)
  /// Shows a line to the user for a while.
  case status(Diagnostic)
  /// Puts text on the user's clipboard.
  case copy(String)
  /// Ends the program.
  case quit
}

/// Names a screen and what it shall show.
public struct ScreenRequest: Sendable, Hashable {
  /// The plugin; nil for the one that asks.
  public var plugin: String?
  /// The screen, as in its contribution.
  public var screen: String
  /// What it shall show: `document` for what was named on the command line.
  public var arguments: Record

  /// Creates a request.
  public init(_ screen: String, plugin: String? = nil, arguments: Record = Record()) {
    self.plugin = plugin
    self.screen = screen
    self.arguments = arguments
  }
}

/// A sheet of things to choose from.
public struct ChoiceRequest: Sendable, Hashable {
  /// One thing to choose.
  public struct Choice: Sendable, Hashable {
    /// Identifies the choice in the answer.
    public var id: String
    /// What is read.
    public var title: String
    /// A second, quieter text.
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
  /// The things to choose from.
  public var choices: [Choice]
  /// The id of the one that is selected at first.
  public var selected: String?
  /// Whether the choice destroys something: the sheet then says so and selects nothing by itself.
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
  /// Whether the text is a secret: not shown, not kept in any history.
  public var isSecret: Bool

  /// Creates a question.
  public init(_ title: String, text: String = "", isSecret: Bool = false) {
    self.title = title
    self.text = text
    self.isSecret = isSecret
  }
}
