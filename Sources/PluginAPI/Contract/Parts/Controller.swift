/// The state of a screen: turns events and messages into new state and effects, and gives the view of that state.
///
/// Lives on the event loop, never waits and never draws. Its host routes events to it in this order: reserved keys
/// (Ctrl-C, Ctrl-Z, palette), then, while ``wantsText``, the controller alone; else the screen's actions by the key
/// map, then the controller, then the host's own keys.
@MainActor public protocol Controller: AnyObject, Sendable {
  /// The heading of the screen, for breadcrumbs and the status line.
  var title: String { get }

  /// The view of the current state. Cheap: called once a frame.
  var view: any View { get }

  /// Short texts for the status line, most important first.
  var status: [StyledText.Run] { get }

  /// Whether plain characters are text for this screen at the moment, a search field say.
  var wantsText: Bool { get }

  /// True while the content that keys act on is on its way: a list that is being read for the first time, say.
  ///
  /// Keys that arrive meanwhile wait for it, in order. They are dropped if the work fails or is canceled, and do not
  /// wait if the screen has no work running.
  var isLoading: Bool { get }

  /// Returns the first effects. Called once, when the screen knows its size and before it is shown.
  func start() -> [Effect]

  /// Releases what the screen holds. Called once, when the screen was taken away; its effects are canceled already.
  func end()

  /// Takes an event.
  ///
  /// - Returns: What to do, or nil if the event means nothing to this screen.
  func handle(_ event: Event) -> [Effect]?

  /// Performs a screen action.
  func perform(_ invocation: ActionInvocation) -> [Effect]

  /// Takes what an effect or a subscription brings. Messages of effects it no longer waits for are to be dropped.
  func receive(_ message: Message) -> [Effect]

  /// Changes the state by the result of work or by an answer, and returns what follows. The default is right for all.
  func complete(_ completion: Load.Completion) -> [Effect]

  /// The state as bytes, for reload and the next start.
  func saveState() -> [UInt8]

  /// Takes a state back; bytes it cannot read are ignored.
  func restore(_ state: [UInt8])
}

extension Controller {
  /// No texts.
  public var status: [StyledText.Run] { [] }
  /// No text wanted.
  public var wantsText: Bool { false }
  /// Nothing is on its way.
  public var isLoading: Bool { false }
  /// No effects.
  public func start() -> [Effect] { [] }
  /// Releases nothing.
  public func end() {}
  /// No event means anything.
  public func handle(_ event: Event) -> [Effect]? { nil }
  /// No action does anything.
  public func perform(_ invocation: ActionInvocation) -> [Effect] { [] }
  /// No message means anything.
  public func receive(_ message: Message) -> [Effect] { [] }
  /// Changes the state.
  public func complete(_ completion: Load.Completion) -> [Effect] { completion() }
  /// No state.
  public func saveState() -> [UInt8] { [] }
  /// Ignores the state.
  public func restore(_ state: [UInt8]) {}
}
